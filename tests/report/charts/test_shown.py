"""What an analyst still sees, drawn from facts alone."""

import itertools

import pytest

from incrowd.report.charts import shown
from report_charts import values

FACTS = {
    "rows": 10,
    "levels_per_column": [{"name": "sex", "rows": [9, 1]}, {"name": "age", "rows": [2, 3, 1, 4]}],
    "stars_per_column": [{"name": "sex", "suppressed": 1}, {"name": "age", "suppressed": 4}],
    "level_names": {"age": ["steps of 5", "steps of 10"]},
}


def test_a_bar_holds_all_rows_from_the_value_to_the_star_and_the_column_that_lost_most_stands_first():
    lines = shown.level_shares(FACTS)
    assert [(line["column"], line["what"], line["rows"]) for line in lines] == [
        ("age", "as it was", 2), ("age", "level 1: steps of 5", 3), ("age", "level 2: steps of 10", 1), ("age", "★", 4),
        ("sex", "as it was", 9), ("sex", "★", 1),
    ]  # fmt: skip
    drawn = values(shown.levels(FACTS))
    assert [line["mark"] for line in drawn] == ["", "1", "2", "★", "", "★"]
    for name in ("age", "sex"):
        bar = [line for line in drawn if line["column"] == name]
        assert (bar[0]["begin"], bar[-1]["end"]) == (0, pytest.approx(1))
        assert all(one["end"] == two["begin"] for one, two in itertools.pairwise(bar))


def test_where_a_level_may_show_a_range_or_a_star_the_cells_say_which():
    facts = {**FACTS, "recoding": "ranges", "levels_per_column": [{"name": "age", "rows": [2, 8]}], "level_names": {}}
    lines = shown.level_shares(facts)
    assert [(line["what"], line["rows"]) for line in lines] == [("as it was", 2), ("range", 4), ("★", 4)]


def test_a_column_that_cannot_change_is_as_it_was():
    facts = {**FACTS, "levels_per_column": [{"name": "age", "rows": [10]}], "stars_per_column": [{"name": "age", "suppressed": 0}]}  # fmt: skip
    assert [line["share"] for line in shown.level_shares(facts)] == [1]


def test_more_columns_than_a_reader_wants_are_left_to_the_table():
    names = [f"c{j}" for j in range(30)]
    facts = {
        "rows": 4,
        "levels_per_column": [{"name": name, "rows": [1, 3]} for name in names],
        "stars_per_column": [{"name": name, "suppressed": 3} for name in names],
    }
    assert len({line["column"] for line in values(shown.levels(facts))}) == shown.MOST_COLUMNS
    assert len({line["column"] for line in shown.level_shares(facts)}) == 30


def test_ranges_lie_on_one_axis_open_ones_as_far_as_it_goes_and_numbers_share_a_line():
    some = [(None, 20, 5), (17, 17, 6), (20, 29, 1200), (25, 25, 7), (90, None, 8)]
    lines = values(shown.intervals({"intervals": [{"low": a, "high": b, "rows": n} for a, b, n in some]}))
    assert [line["place"] for line in lines] == [1, 0, 2, 0, 3]
    assert [line["text"] for line in lines] == ["5", "", "1,200", "", "8"]
    assert lines[0]["begin"] < 17 and lines[-1]["end"] > 90
    assert (lines[2]["begin"], lines[2]["end"]) == (20, 29)


def test_errors_stand_beside_those_of_another_sample():
    counts = {"mean": 0.2, "median": 0.1, "mean_by_shares": 0.15, "mean_of_noise": 0.04, "median_of_noise": 0.5}
    lines = values(shown.count_errors(counts))
    assert [(line["error"], line["noise"], line["text"]) for line in lines] == [
        (0.1, 0.5, "10.0%"), (0.2, 0.04, "20.0%"), (0.15, 0.04, "15.0%"),
    ]  # fmt: skip
    assert values(shown.count_errors(dict.fromkeys(counts, 0)))
