"""One verdict on a certificate of lines, wherever its row types are counted."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pandas as pd
import pytest

import incrowd
from incrowd.errors import InputError
from incrowd.jobs import verify
from incrowd.proved.check import Proved
from jobs.large.test_release import COLUMNS, people, policies
from oracles.lined import as_lines, gzip_bytes, lined
from seeds import seeds

FILES = ("cut", "behind", "twice", "short", "long", "point", "empty line", "no end", "name")


def verdict(table, release, file, most, asked):
    try:
        found = incrowd.verify(table, release, certificate=file, types_in_memory=most, **asked)
    except InputError:
        return "unreadable"
    return [one.rule for one in found], found.cost, found.lower_bound, found.proven


def tampered(rng, head, prices):
    """A head and prices, changed in some places or in none; and as bytes, perhaps broken."""
    head, prices = dict(head), list(prices)
    for _ in range(int(rng.integers(0, 3))):
        kind = int(rng.integers(6))
        at = int(rng.integers(len(prices))) if prices else 0
        if kind == 0 and prices:
            prices[at] += int(rng.integers(-2, 4))
        elif kind == 1:
            name = ("cost", "lower_bound", "lower_bound_checked", "rows", "row_types", "k", "scale", "parts")[
                rng.integers(8)
            ]
            head[name] += int(rng.integers(-1, 2))
        elif kind == 2:
            head["proof"] = "certificate"
            head["lower_bound_checked"] = head["lower_bound"]
        elif kind == 3 and prices:
            prices[at] = int(rng.integers(-(2**61), 2**61))
        elif kind == 4:
            head["parts"] = int(rng.integers(0, 3))
        elif prices:
            prices = [price * 2 for price in prices]
    text = (json.dumps(head) + "\n" + "".join(f"{price}\n" for price in prices)).encode()
    how = FILES[int(rng.integers(len(FILES)))] if rng.random() < 0.3 else ""
    if how == "short":
        text = text[: text.rindex(b"\n", 0, -1) + 1]
    text += {"long": b"0\n", "empty line": b"\n", "no end": b"1"}.get(how, b"")
    if how == "point":
        text = text[:-1] + b".0\n"
    data = gzip_bytes(text)
    if how == "name":
        data = data[:3] + b"\x08" + data[4:10] + b"a\0" + data[10:]
    return {"cut": data[:-3], "behind": data + b"x", "twice": data + data}.get(how, data)


@seeds(150, 1)
def test_the_verdict_is_one_on_certificates_as_they_are_and_changed(tmp_path, seed):
    rng = np.random.default_rng([334, seed])
    table = people(seed, int(rng.integers(20, 90)))
    asked = {"quasi_identifiers": COLUMNS, "sensitive": ["s"], **policies(seed)}
    if seed % 9 == 8:
        asked["cost"] = "entropy"
    try:
        release = incrowd.anonymize(table, **asked, solver="greedy")
    except incrowd.errors.Infeasible:
        return
    certificate = release.certificate()
    head = as_lines(certificate) | {"lower_bound_checked": 0, "proof": "solver"}
    shown = release.table
    for turn in range(4):
        file = tmp_path / "c.gz"
        file.write_bytes(tampered(rng, head, certificate["prices"]))
        if turn == 3 and len(shown) > 1:
            shown = shown.copy()
            shown.iloc[0, 0] = shown.iloc[1, 0]
        assert verdict(table, shown, file, 1, asked) == verdict(table, shown, file, 10**6, asked)


TABLE = pd.DataFrame({"one": list("aabbc"), "two": list("xxxyy")})
SHOWN = pd.DataFrame({"one": list("*****"), "two": list("xxxyy")})
ASKED = {"quasi_identifiers": ["one", "two"], "k": 2}
HEAD = {
    "certificate": "incrowd k-anonymity bound", "version": 3, "rows": 5, "row_types": 4, "k": 2, "outliers": "forbid",
    "scale": 1, "cost": 5, "lower_bound": 3, "lower_bound_checked": 3, "proof": "certificate", "parts": 1,
}  # fmt: skip


@pytest.mark.parametrize("most", [1, 100])
def test_a_certificate_is_held_against_its_tables(tmp_path, most):
    good = lined(tmp_path / "c.gz", HEAD, [0, 1, 1, 1])
    assert verdict(TABLE, SHOWN, good, most, ASKED) == ([], 5, 3, True)
    dear = lined(tmp_path / "c.gz", HEAD, [0, 2, 2, 2])
    assert verdict(TABLE, SHOWN, dear, most, ASKED) == (["certificate: lower_bound_checked"], 5, 2, False)
    lacks = SHOWN.drop(columns="two")
    assert verdict(TABLE, lacks, lined(tmp_path / "c.gz", HEAD, [0, 1, 1, 1]), most, ASKED)[3] is False


def test_version_3_is_packed_and_no_other_is(tmp_path):
    plain = {**HEAD, "version": 1, "components": None, "prices": [0, 1, 1, 1], "trees": []}
    packed, bare = tmp_path / "c.gz", tmp_path / "c.json"
    packed.write_bytes(gzip.compress((json.dumps(plain) + "\n").encode(), mtime=0))
    bare.write_text(json.dumps(HEAD) + "\n0\n1\n1\n1\n")
    for file in (packed, bare):
        assert verdict(TABLE, SHOWN, file, 100, ASKED) == "unreadable"
    bare.write_text(json.dumps(HEAD))
    assert verdict(TABLE, SHOWN, bare, 100, ASKED) == "unreadable"


def test_the_program_that_is_proved_is_given_the_same_prices_where_they_fit(tmp_path, monkeypatch):
    """As the certificate of version 1 that says the same [Z4]; else it is said why not."""
    asked = []
    monkeypatch.setattr(verify, "proved_check", lambda *given: asked.append(given[4]) or Proved(True))
    file = lined(tmp_path / "c.gz", HEAD, [0, 1, 1, 1])
    found = incrowd.verify(TABLE, SHOWN, certificate=file, proved=True, **ASKED)
    assert found.proved.holds
    assert asked == [{**HEAD, "version": 1, "components": None, "prices": [0, 1, 1, 1], "trees": []}]
    found = incrowd.verify(TABLE, SHOWN, certificate=file, proved=True, types_in_memory=3, **ASKED)
    assert not found
    assert not found.proved.holds
    assert "more than memory holds or --types-in-memory allows" in found.proved.why
    wrong = lined(tmp_path / "c.gz", HEAD | {"cost": 6}, [0, 1, 1, 1])
    assert not incrowd.verify(TABLE, SHOWN, certificate=wrong, proved=True, **ASKED).proved.holds
    assert len(asked) == 1


def test_ranges_on_a_grid_are_another_question(tmp_path):
    file = lined(tmp_path / "c.gz", HEAD, [0, 1, 1, 1])
    numbers = TABLE.assign(one=[1, 1, 2, 2, 3])
    with pytest.raises(InputError, match="not about ranges on a grid"):
        incrowd.verify(
            numbers, numbers, certificate=file, quasi_identifiers=["one", "two"], numeric=["one"], k=1, recoding="grid",
            round=1,
        )  # fmt: skip
