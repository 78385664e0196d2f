from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy import number_ranges
from incrowd.tables.hierarchy.number_ranges import NumberRanges, read_numbers, steps


def grid(texts, step):
    return NumberRanges(tuple(texts), read_numbers(texts), Fraction(step))


def test_ends_lie_on_the_grid_and_the_outermost_are_open():
    made = grid(["17", "23", "29", "31", "90"], 10)
    assert [made.label(a, b) for a, b in ((0, 1), (1, 1), (1, 2), (2, 3), (3, 3))] == [
        "< 30", "20-29", "20-39", ">= 30", ">= 90",
    ]  # fmt: skip


def test_decimals_negative_numbers_and_dates_are_written_as_they_are_read():
    assert grid(["0.5", "1.25", "3", "9"], "0.5").label(1, 2) == "1.00-3.49"
    assert grid(["-35", "-20", "-5", "9"], 10).label(1, 2) == "-20 to -1"
    dates = ["2020-01-03", "2020-01-15", "2020-02-01", "2020-12-31"]
    assert grid(dates, 7).label(1, 1) == "2020-01-12 to 2020-01-18"


def test_a_chain_of_some_ranges_is_a_hierarchy_over_the_values():
    made = grid([str(n) for n in range(0, 40, 3)], 5).chain()
    assert made.height > 2
    assert [line[0] for line in made.lines] == [str(n) for n in range(0, 40, 3)]


def test_overlapping_runs_are_packed_each_at_one_level():
    made = grid([str(n) for n in range(10)], 1)
    ladder, level = made.packed([(1, 3), (2, 5), (4, 6), (1, 8)])
    for (a, b), up in level.items():
        assert {line[0] for line in ladder.lines if line[up] == made.label(a, b)} == {str(n) for n in range(a, b + 1)}


def test_runs_that_overlap_too_deep_are_refused():
    made = grid([str(n) for n in range(300)], 1)
    with pytest.raises(PolicyError, match="take a larger round"):
        made.packed([(150 - n, 150 + n) for n in range(1, 140)])


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["1", "two"], "neither numbers"),
        (["1", "nan"], "NaN"),
        (["1", "inf"], "infinities"),
        (["1", "1e5"], "exponents"),
        (["1", None], "missing values"),
        (["7"], "one value only"),
        (["7", "7.0"], "one value only"),
        ([], "no values"),
        (["0000-03-15", "2020-01-01"], "before year 1"),
        (["-0044-03-15", "2020-01-01"], "before year 1"),
        (["2020-02-30", "2020-01-01"], "a day that there is not"),
    ],
)
def test_values_that_no_range_can_hold_are_refused_in_a_sentence_without_them(texts, said):
    with pytest.raises(PolicyError, match=said):
        read_numbers(texts)


@pytest.mark.parametrize(("step", "said"), [(0, "above 0"), (100, "one cell"), (Fraction(1, 3), "at most 9 decimals")])
def test_a_step_that_makes_no_grid_is_refused(step, said):
    with pytest.raises(PolicyError, match=said):
        grid(["1", "2", "30"], step)


def test_dates_take_whole_days_alone():
    with pytest.raises(PolicyError, match="whole number of days"):
        grid(["2020-01-03", "2020-01-15"], Fraction(1, 2))


def test_steps_grow_by_two_five_and_ten_in_the_columns_own_unit():
    assert steps(read_numbers(["1", "30"])) == [1, 2, 5, 10, 20]
    assert steps(read_numbers(["0.1", "0.9"]))[:2] == [Fraction(1, 10), Fraction(1, 5)]


def test_a_first_ladder_of_many_values_has_few_levels(monkeypatch):
    values = tuple(map(str, range(100)))
    grid = number_ranges.NumberRanges(values, number_ranges.read_numbers(values), Fraction(1))
    assert grid.chain().height == 7
    monkeypatch.setattr(number_ranges, "MANY", 99)
    ladder = grid.chain()
    assert ladder.height == 2
    assert {line[1] for line in ladder.lines} == {"< 16", "16-31", "32-47", "48-63", "64-79", "80-95", ">= 96"}
