"""A trade-off in words: a line a point, and why a solver has none."""

import pytest

import incrowd
from incrowd.report.text.tradeoff import columns_of, line_of, tradeoff_summary

POINT = {
    "k": 2,
    "l": None,
    "t": None,
    "solver": "greedy",
    "solver_used": "greedy",
    "cost": 1234,
    "lower_bound": 1000.98,
    "suppressed_fraction": 0.5,
    "classes": 3,
    "highest_risk": 0.5,
    "why": None,
}
LEFT = {**dict.fromkeys(POINT), "k": 5, "solver": "exact", "why": "too many rows"}
FACTS = {"table": "t.csv", "rows": 6, "row_types": 4, "quasi_identifiers": ["a", "b"], "points": [POINT, LEFT], "mask": [], "outlier_rule": "forbid"}  # fmt: skip


def test_only_thresholds_that_were_asked_have_a_column():
    assert columns_of(FACTS)[:2] == ["k", "solver"]
    assert columns_of({"points": [{**POINT, "t": 0.1}]})[:2] == ["k", "t"]


def test_a_point_is_rounded_for_people_and_its_bound_never_up():
    names = columns_of(FACTS)
    assert line_of(POINT, names) == ["2", "greedy", "1,234", "1,000.9", "50.0%", "3", "50.0%"]
    assert line_of(LEFT, names) == ["5", "exact", "–", "–", "–", "–", "–"]


def test_every_point_has_its_bar_and_a_solver_that_declined_its_reason():
    lines = tradeoff_summary(FACTS).splitlines()
    assert lines[0] == "t.csv: 6 rows, 4 different on a and b."
    assert lines[4].endswith("  " + "#" * 12)
    assert lines[5].endswith("–")
    assert "exact at k = 5: too many rows" in lines


def test_what_is_given_away_is_told_level_by_level_where_it_was_asked():
    rows = [{"a": a, "b": b} for a, b in zip("11111222233345", "xxyyyxxyyyxyxy", strict=True)]
    asked = {"quasi_identifiers": ["a", "b"], "ks": [2], "solvers": ["greedy"]}
    plain = incrowd.tradeoff(rows, **asked)
    assert "gives away" not in plain.summary()
    assert "attack" not in plain.facts["points"][0]
    told = incrowd.tradeoff(rows, **asked, attack=True)
    assert [one["blunt"] for one in told.facts["points"][0]["attack"]] == [None, 1, 2, 3]
    assert "What each release gives away, as it is and with blunt=1, 2, 3:" in told.summary()
    with pytest.raises(incrowd.PolicyError, match="attack is about recoding=levels"):
        incrowd.tradeoff(rows, **asked, attack=True, recoding="global")
