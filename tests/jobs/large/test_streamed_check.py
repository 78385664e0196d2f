"""Certificates of lines: which files are one, what the proved program is given, and what they are not about."""

from __future__ import annotations

import gzip
import json

import pandas as pd
import pytest

import incrowd
from incrowd.errors import InputError
from incrowd.jobs import verify
from incrowd.proved.check import Proved

TABLE = pd.DataFrame({"one": list("aabbc"), "two": list("xxxyy")})
SHOWN = pd.DataFrame({"one": list("*****"), "two": list("xxxyy")})
ASKED = {"quasi_identifiers": ["one", "two"], "k": 2}
HEAD = {
    "certificate": "incrowd k-anonymity bound", "version": 13, "rows": 5, "row_types": 4, "k": 2, "outliers": "forbid",
    "scale": 1, "cost": 5, "lower_bound": 3, "lower_bound_checked": 3, "proof": "certificate", "parts": 1,
    "released_sum": "69dbe0ccc881cc0b7e75750827ec70f9",
}  # fmt: skip


def lined(path, head, prices):
    """Write a head and a price a line, packed."""
    text = json.dumps(head) + "\n" + "".join(f"{price}\n" for price in prices)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return path


def test_version_13_is_packed_and_no_other_is(tmp_path):
    plain = {**HEAD, "version": 11, "components": None, "prices": [0, 1, 1, 1], "trees": []}
    packed, bare = tmp_path / "c.gz", tmp_path / "c.json"
    packed.write_bytes(gzip.compress((json.dumps(plain) + "\n").encode(), mtime=0))
    for file, text in ((packed, None), (bare, json.dumps(HEAD) + "\n0\n1\n1\n1\n"), (bare, json.dumps(HEAD))):
        if text is not None:
            file.write_text(text)
        with pytest.raises(InputError):
            incrowd.verify(TABLE, SHOWN, certificate=file, **ASKED)


def test_the_program_that_is_proved_is_given_the_same_prices_where_they_fit(tmp_path, monkeypatch):
    """As the certificate of version 11 that says the same [Z4]; else it is said why not."""
    asked = []
    monkeypatch.setattr(verify, "proved_check", lambda *given: asked.append(given[4]) or Proved(True))
    file = lined(tmp_path / "c.gz", HEAD, [0, 1, 1, 1])
    found = incrowd.verify(TABLE, SHOWN, certificate=file, proved=True, **ASKED)
    assert found.proved.holds
    assert asked == [{**HEAD, "version": 11, "components": None, "prices": [0, 1, 1, 1], "trees": []}]
    found = incrowd.verify(TABLE, SHOWN, certificate=file, proved=True, types_in_memory=3, **ASKED)
    assert not found
    assert not found.proved.holds
    assert "more than memory holds or types_in_memory allows" in found.proved.why
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
