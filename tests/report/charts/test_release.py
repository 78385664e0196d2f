"""Charts of a release are made from its facts alone."""

import pytest

from incrowd.report.charts import release
from report_charts import values


def test_crowds_are_shares_of_all_rows():
    sizes = [{"from": 1, "to": 1, "rows": 1}, {"from": 2, "to": 3, "rows": 3}]
    assert [(row["label"], row["share"]) for row in values(release.classes({"class_sizes": sizes}))] == [
        ("1", 0.25),
        ("2 to 3", 0.75),
    ]
    assert values(release.classes({"class_sizes": []})) == []


def test_columns_stand_by_their_stars_and_a_small_share_is_not_nothing():
    columns = [{"name": "a", "fraction": 0.0001, "suppressed": 1}, {"name": "b", "fraction": 0.5, "suppressed": 5000}]
    drawn = values(release.columns({"stars_per_column": columns}))
    assert [(row["label"], row["text"]) for row in drawn] == [("b", "50%"), ("a", "<0.1%")]


def test_a_pattern_marks_stars_levels_and_ranges():
    facts = {"quasi_identifiers": ["a", "b", "c"], "levels_top": {"a": 2, "b": 2, "c": 2}, "patterns_used": [{"levels": {"a": 2, "b": 1}, "rows": 5}]}  # fmt: skip
    assert [cell["mark"] for cell in values(release.patterns(facts))] == ["★", "1", ""]
    assert [cell["mark"] for cell in values(release.patterns({**facts, "recoding": "ranges"}))] == ["★", "↔", ""]


def test_values_that_few_rows_show_are_pooled_and_blanks_have_names():
    shown = {
        "values": [{"label": None, "rows": 2, "before": 2}, {"label": "", "rows": 1, "before": 1}],
        "pooled_rows": 3, "pooled_values": 1, "starred": 4,
    }  # fmt: skip
    rows = release.value_rows(shown, 10)
    assert [row["label"] for row in rows] == ["(empty)", "(blank)", "(1 other value)", "★"]
    assert sum(row["share"] for row in rows) == pytest.approx(1)


def test_both_lines_of_a_search_reach_its_end():
    points = [{"seconds": s, "cost": c, "lower_bound": b} for s, c, b in ((0, 9, None), (1, 9, 3), (2, 5, None))]
    drawn = values(release.bounds({"progress": points}))
    ends = {line["line"]: line["seconds"] for line in drawn}
    assert set(ends.values()) == {2}


def test_a_trade_off_shows_the_best_bound_at_each_k():
    points = [
        {"k": 2, "solver": s, "cost": c, "lower_bound": b} for s, c, b in (("a", 5, 3), ("b", 6, 4), ("c", None, None))
    ]
    bounds = [line["value"] for line in values(release.tradeoff(points)) if line["line"] == "no release costs less"]
    assert bounds == [4]


def test_an_audits_columns_are_drawn_in_their_order():
    columns = [
        {"name": "a", "separation": None, "unique_without": 3},
        {"name": "b", "separation": 0.5, "unique_without": 1},
    ]
    assert [row["share"] for row in values(release.separation(columns))] == [0, 0.5]
    assert [row["rows"] for row in values(release.without(columns, 7))] == [7, 3, 1]
