"""`incrowd ledger`, and the warning of `incrowd anonymize --people`."""

from __future__ import annotations

import json

import pytest

from people import ASK

WARD = ("--people", "ward 3")


@pytest.fixture(autouse=True)
def held(monkeypatch, tmp_path):
    """The folder of the user's own ledger."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "incrowd"


def test_a_release_of_the_same_people_is_warned_of_before_it_is_made(run, patients):
    status, _, err = run("anonymize", patients, "-o", "one.csv", *ASK, *WARD)
    assert (status, err) == (0, "")
    assert run("ledger", "add", "one.csv", *WARD, "--original", patients, *ASK[:2])[0] == 0
    status, out, err = run("anonymize", patients, "-o", "two.csv", *ASK, *WARD)
    assert status == 0
    assert err.startswith("Before you hand this out: ")
    assert "of this table are in 'one.csv' (ward 3" in err
    assert "The release is in 'two.csv'" in out
    assert run("anonymize", patients, "-o", "two.csv", *ASK, *WARD, "--quiet") == (0, "", "")
    assert run("ledger", "add", "two.csv", *WARD)[0] == 0
    status, out, _ = run("ledger", "list")
    assert status == 0
    assert [line.split(": ")[1][:9] for line in out.splitlines()] == ["'one.csv'", "'two.csv'"]
    status, out, _ = run("ledger", "check", "two.csv", "--people", "WARD 3", "--json")
    assert status == 1
    assert [one["release"] for one in json.loads(out)["earlier"]] == ["one.csv", "two.csv"]


def test_a_release_is_added_by_hand(run, patients):
    asked = (*WARD, "--original", patients, *ASK[:2], "--ledger", "l.json")
    assert run("ledger", "check", "r.csv", *asked)[:2] == (0, "Nothing was released of these people before.\n")
    assert run("ledger", "add", "r.csv", *asked)[0] == 0
    assert run("ledger", "check", "r.csv", *asked)[0] == 1


def test_a_release_writes_nothing_to_the_ledger(run, patients, held):
    assert run("anonymize", patients, "-o", "one.csv", *ASK, *WARD)[0] == 0
    assert not held.exists()
    assert run("ledger", "add", "one.csv", *WARD, "--original", patients, *ASK[:2])[0] == 0
    before = {path.name: path.read_bytes() for path in held.iterdir()}
    assert run("anonymize", patients, "-o", "two.csv", *ASK, *WARD)[0] == 0
    assert {path.name: path.read_bytes() for path in held.iterdir()} == before


def test_a_ledger_that_cannot_be_used_is_told_before_anything_is_made(run, patients, held, tmp_path):
    assert run("ledger", "add", "one.csv", *WARD, "--original", patients, *ASK[:2])[0] == 0
    (held / "ledger.json.key").unlink()
    status, out, err = run("anonymize", patients, "-o", "r.csv", *ASK, *WARD)
    assert (status, out, err) == (2, "", "incrowd: the key 'ledger.json.key' of the ledger is not there; put it back\n")
    (held / "ledger.json").write_text("{")
    status, out, err = run("anonymize", patients, "-o", "r.csv", *ASK, *WARD)
    assert (status, out) == (2, "")
    assert err.startswith("incrowd: the ledger 'ledger.json' is no JSON") and err.count("\n") == 1
    assert not (tmp_path / "r.csv").exists()


def test_what_is_missing_is_said(run, patients):
    assert "needs the release and --people NAME" in run("ledger", "add", "--ledger", "l.json")[2]
    assert "people must say whose data it is" in run("anonymize", patients, "-o", "r.csv", *ASK, "--people", " ")[2]
    assert "people reads the table twice" in run("anonymize", "-", "-o", "r.csv", *ASK, *WARD)[2]
