"""`incrowd ledger`, and the warning of `incrowd anonymize --ledger`."""

from __future__ import annotations

import json

from people import ASK


def test_a_release_of_the_same_people_is_warned_of_before_it_is_made(run, patients):
    more = ("--ledger", "l.json", "--people", "ward 3")
    status, _, err = run("anonymize", patients, "-o", "one.csv", *ASK, *more)
    assert (status, err) == (0, "")
    status, out, err = run("anonymize", patients, "-o", "two.csv", *ASK, *more)
    assert status == 0
    assert err.startswith("Before you hand this out: ")
    assert "of this table are in 'one.csv' (ward 3" in err
    assert "The release is in 'two.csv'" in out
    status, out, _ = run("ledger", "list", "--ledger", "l.json")
    assert status == 0
    assert [line.split(": ")[1][:9] for line in out.splitlines()] == ["'one.csv'", "'two.csv'"]
    status, out, _ = run("ledger", "check", "two.csv", "--people", "WARD 3", "--ledger", "l.json", "--json")
    assert status == 1
    assert [one["release"] for one in json.loads(out)["earlier"]] == ["one.csv", "two.csv"]


def test_a_release_is_added_by_hand(run, patients):
    asked = ("--people", "ward 3", "--original", patients, *ASK[:2], "--ledger", "l.json")
    assert run("ledger", "check", "r.csv", *asked)[:2] == (0, "Nothing was released of these people before.\n")
    assert run("ledger", "add", "r.csv", *asked)[0] == 0
    assert run("ledger", "check", "r.csv", *asked)[0] == 1


def test_a_dry_run_notes_nothing(run, patients):
    more = ("--ledger", "l.json", "--people", "ward 3", "--dry-run")
    assert run("anonymize", patients, "-o", "one.csv", *ASK, *more)[0] == 0
    assert run("ledger", "list", "--ledger", "l.json")[1] == "The ledger is empty.\n"


def test_what_is_missing_is_said(run, patients):
    assert "needs the release and --people NAME" in run("ledger", "add", "--ledger", "l.json")[2]
    assert "--ledger needs --people NAME" in run("anonymize", patients, "-o", "r.csv", *ASK, "--ledger", "l.json")[2]
    assert "go with --ledger FILE" in run("anonymize", patients, "-o", "r.csv", *ASK, "--people", "x")[2]
