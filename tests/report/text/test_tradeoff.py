"""A trade-off in words: a line a point, and why a solver has none."""

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
