"""A certificate whose prices stand line by line, packed: as it is written."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.user_units import claims_in_units
from incrowd.tables.verify.recount import Compiled, recheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from incrowd.tables.values import Int64, Problem, Solution


ENDING = ".gz"
LEFT_OUT = ("prices", "components", "trees")
SOME = 1 << 16  # prices that become text at a time


@dataclass(frozen=True, slots=True)
class PriceLines:
    """A certificate of lines.

    `head`: its first line. `prices`: gives its prices in their order, some at a time, whenever it is asked.
    """

    head: Mapping[str, Any]
    prices: Callable[[], Iterator[Int64]]


def lines_of(problem: Problem, solution: Solution) -> PriceLines:
    """Return the certificate of lines for a bound by prices.

    The problem has its row types, and the solution is one of it, with a certificate. InputError is raised if its bound
    is not one by prices for k alone. Components, trees and cuts do not stand in lines. Where there are some, the check
    counts what the prices prove without them, and no more is said to be recountable.
    """
    held = solution.certificate or {}
    if (held.get("certificate"), held.get("version")) != ("incrowd k-anonymity bound", 11):
        raise InputError(
            f"this release's bound is not one by prices for k alone, and a certificate in a file that ends in {ENDING} "
            "holds no other; name a file that ends in .json"
        )
    some = np.array(held["prices"], np.int64)
    head = {name: told for name, told in held.items() if name not in LEFT_OUT} | {"version": 13}
    if held.get("components") is not None or held["trees"]:
        types = problem.types
        table = Compiled(
            types.codes, types.counts, problem.levels, problem.patterns, problem.k, problem.outliers, problem.scale
        )
        unclaimed = {**head, "lower_bound": 0, "lower_bound_checked": 0, "proof": "solver"}
        value = recheck(table, unclaimed, head["cost"], lambda _: some.tolist()).bound
        checked = min(value, head["lower_bound_checked"])
        proof = "certificate" if checked >= head["lower_bound"] else "solver"
        head |= {"lower_bound_checked": checked, "proof": proof}
    claims = claims_in_units(problem, head)
    return PriceLines(claims or head, lambda: iter([some]))


def pack(path: Path, lines: PriceLines, level: int = 6) -> None:
    """Write a certificate of lines, the same bytes for the same lines.

    `path` is that of a file that nobody reads before it is whole. `level` says how hard to pack, 1 to 9.
    """
    with path.open("wb") as file, gzip.GzipFile("", "wb", level, fileobj=file, mtime=0) as packed:
        packed.write(f"{json.dumps(dict(lines.head))}\n".encode())
        for some in lines.prices():
            for begin in range(0, len(some), SOME):
                text = "\n".join(map(str, some[begin : begin + SOME].tolist()))
                packed.write(f"{text}\n".encode() if text else b"")
