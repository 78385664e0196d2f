"""Certificates of lines for the red team: packed, and changed in head, prices, text and bytes."""

from __future__ import annotations

import functools
import json
import tempfile

import numpy as np
import pyarrow as pa

from checker import page_script
from checker.red_cases import UNREADABLE, Case, bounds, of_exact, of_prices, second
from checker.red_changes import one_of
from incrowd.errors import InputError
from incrowd.jobs.check_certificate import read_certificate
from incrowd.tables.engine.base import Engine
from incrowd.tables.verify.bound import certificate as check
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.lines.price_file import PriceFile
from incrowd.tables.verify.lines.recount import Asked, recount
from incrowd.tables.verify.lines.type_table import TypeTable
from oracles.lined import as_lines, gzip_bytes

EVERY = 20  # so many certificates are recounted in the engine once, which takes some fifty times as long


def packed(made):
    """A certificate as its file: the head, and whatever stands under `prices` a line each."""
    if isinstance(made, bytes):
        return made
    if isinstance(made, str):
        return gzip_bytes(made.encode("utf-8", "surrogatepass"))
    prices = made.get("prices", [])
    lines = [json.dumps(price) for price in (prices if isinstance(prices, list) else [prices])]
    head = json.dumps({name: told for name, told in made.items() if name != "prices"})
    return gzip_bytes("".join(f"{line}\n" for line in (head, *lines)).encode())


def broken(data, rng):
    """A file with a byte changed, left out or put in, cut short or doubled."""
    at, way = int(rng.integers(len(data))), int(rng.integers(6))
    if way == 0:
        return data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :]
    if way == 1:
        return data[:at] + data[at + 1 :]
    if way == 2:
        return data[:at] + bytes([int(rng.integers(256))]) + data[at:]
    if way == 3:
        return data[:at]
    return data + (data if way == 4 else bytes([int(rng.integers(256))]))


def relined(made, rng):
    """A file whose lines are not quite those of a certificate."""
    prices = [str(price) for price in made["prices"]]
    at = int(rng.integers(len(prices)))
    line = prices[at]
    prices[at] = one_of(
        rng, [f"{line}.0", f"+{line}", f" {line}", f"{line} ", f"0{line}", f"{line}\r", "", f"{line}\n0", "-0", f"{line}e0", "1" * 20, str(2**61), "x"]
    )  # fmt: skip
    end = one_of(rng, ["\n", "\n", "", "\n\n", "\n0\n"])
    head = json.dumps({name: told for name, told in made.items() if name != "prices"})
    return gzip_bytes(("\n".join([head, *prices]) + end).encode())


class Lined(Case):
    """A certificate of version 3; as an object its prices stand under their name."""

    def __init__(self, case, certificate):
        super().__init__("lines", case.table, certificate, case.cost, case.least, problem=case.problem)

    def as_file(self, made, rng):
        """The certificate's file, one in eight of them broken."""
        if rng.random() < 0.12 and isinstance(made, dict) and isinstance(made.get("prices"), list) and made["prices"]:
            return relined(made, rng)
        data = packed(made)
        return broken(data, rng) if rng.random() < 0.12 else data

    def _asked(self, made, cost, ask):
        with tempfile.NamedTemporaryFile(suffix=".gz") as file:
            file.write(packed(made))
            file.flush()
            try:
                return ask(file.name, self.cost if cost is None else cost)
            except (InputError, Unreadable, second.Unreadable):
                return UNREADABLE

    def by_check(self, certificate, cost=None):
        def ask(path, cost):
            file = read_certificate(path)
            types = len(self.table.counts)
            if not isinstance(file, PriceFile):
                return word_of(check.recheck(self.table, file, cost))
            file.unpack(types)
            prices = lambda: np.concatenate([np.zeros(0, np.int64), *file.prices(types)])
            return word_of(check.recheck(self.table, file.head, cost, prices))

        return self._asked(certificate, cost, ask)

    def by_engine(self, certificate, cost=None):
        def ask(path, cost):
            file, table = read_certificate(path), self.table
            columns = {f"r{j}": table.codes[:, j].astype(np.int32) for j in range(table.codes.shape[1])}
            rows = engine().put(pa.table({"n": np.asarray(table.counts, np.int64)} | columns))
            sizes = tuple(level.up.shape[1] for level in table.levels)
            n = int(np.sum(table.counts))
            types = TypeTable(engine(), rows, len(table.counts), n, sizes, (None,) * len(sizes))
            asked = Asked(
                levels=table.levels, allows=table.allows, k=table.k, outliers=table.outliers, scale=table.scale
            )  # fmt: skip
            return word_of(recount(types, file, file.head, asked, cost))

        return self._asked(certificate, cost, ask)

    def by_second(self, certificate, cost=None):
        def ask(path, cost):
            read = bounds.read_certificate(path)
            found = second.Verdict(self.theirs, read, cost, getattr(read, "path", None))
            return "violation" if found.wrong else "good", found.proven, found.cost, found.bound

        return self._asked(certificate, cost, ask)

    def by_page(self, certificate, cost=None):
        data = packed(certificate)
        return page_script.page().recounted(self.theirs, data, self.cost if cost is None else cost)

    @functools.cached_property
    def variants(self):
        return [Lined(one, {**self.certificate, **head_of(one)}) for one in super().variants]


def head_of(case):
    return {name: case.certificate[name] for name in ("k", "outliers", "cost")}


def word_of(found):
    return "violation" if found.violations else "good", found.proven, found.cost, found.lower_bound


@functools.cache
def engine():
    return Engine()


@functools.cache
def of_lines(seed):
    """A certificate of lines of any prices, or of the best ones; None where there is none."""
    case = of_exact(seed) if seed % 3 == 0 else of_prices(seed)
    if case is None or "prices" not in case.certificate:
        return None
    head = as_lines(case.certificate) | {
        "prices": case.certificate["prices"],
        "lower_bound": 0,
        "lower_bound_checked": 0,
    }
    made = Lined(case, head)
    head["lower_bound"] = head["lower_bound_checked"] = made.by_check(head)[3]
    return made


def cases(number):
    """Some certificates of lines."""
    return [case for case in map(of_lines, range(number)) if case is not None]
