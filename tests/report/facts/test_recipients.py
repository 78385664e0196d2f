"""What recipients are told."""

from __future__ import annotations

import json

import pytest

import incrowd
from incrowd.report.facts.recipients import HELD_BACK, told

ROWS = [{"age": a, "sex": s, "job": j} for a, s, j in zip("1112334455", "ffmmffmmff", "abababcccc", strict=True)]
ASKED = {"quasi_identifiers": ["age", "sex", "job"], "k": 2}


@pytest.fixture(scope="module")
def release():
    with incrowd.anonymize(ROWS, **ASKED, quiet_facts=True) as made:
        yield made


def test_who_holds_the_original_is_told_everything(release):
    facts = dict(release.facts)
    assert told(facts, quiet=False) == facts
    assert facts["cost"] == release.cost


def test_recipients_are_told_neither_how_near_the_release_is_nor_how_it_was_found(release):
    facts = told(release.facts, quiet=True)
    assert not HELD_BACK & set(facts)
    assert facts["quiet_facts"] is True
    assert facts["rows"] == len(ROWS)
    assert {name for name in release.facts if name not in facts} <= HELD_BACK
    for name in ("cost", "lower_bound", "lower_bound_checked", "gap", "optimal", "proof", "solver", "status"):
        assert name in release.facts
        assert name not in facts


def test_json_and_summary_are_those_for_recipients(release):
    assert not HELD_BACK & set(json.loads(release.to_json()))
    for details in (False, True):
        text = release.summary(details=details)
        assert "how near this is to the least possible loss is not told" in text.casefold()
        assert "no release can cost less" not in text
        assert "lower bound" not in text
        assert release.solver not in text


@pytest.mark.parametrize("beside", ["certificate", "report"])
def test_files_that_tell_the_cost_are_refused_beside(beside, tmp_path):
    with pytest.raises(incrowd.PolicyError, match=f"the {beside} tells them"):
        incrowd.anonymize(ROWS, **ASKED, quiet_facts=True, **{beside: tmp_path / "told.json"})
