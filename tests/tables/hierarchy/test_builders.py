import random
from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy import Dates, Hierarchy, Intervals, Prefix


def test_intervals_of_whole_numbers_name_both_ends():
    lines = Intervals([5, 10, 20]).lines(["3", "17", "42"])
    assert lines == (("3", "0-4", "0-9", "0-19"), ("17", "15-19", "10-19", "0-19"), ("42", "40-44", "40-49", "40-59"))


def test_a_width_of_1_shows_the_number():
    assert Intervals([1, 2]).lines(["007"]) == (("007", "7", "6-7"),)


def test_numbers_from_the_top_on_share_one_label_at_every_level():
    lines = Intervals([5, 10, 20], top=90).lines(["84", "90", "117"])
    assert lines == (("84", "80-84", "80-89", "80-89"), ("90", "90+", "90+", "90+"), ("117", "90+", "90+", "90+"))
    assert Intervals([10], top=15).lines(["-1", "12", "15.5"]) == (
        ("-1", "[-10, 0)"), ("12", "[10, 15)"), ("15.5", ">= 15"),
    )  # fmt: skip
    assert Intervals([2], top=9).lines(["8"]) == (("8", "8"),)


def test_what_has_no_place_goes_under_the_root_where_that_is_asked():
    assert Intervals([5, 10]).lines(["3", "NA"], complete=True)[1] == ("NA", "NA", "NA")
    assert Dates(["year"]).lines(["2021-01-01", "0000-00-00"], complete=True)[1] == ("0000-00-00", "0000-00-00")
    with pytest.raises(PolicyError, match="1 label names two different sets"):
        Hierarchy(lines=Intervals([5]).lines(["3", "4", "0-4"], complete=True))


def test_intervals_of_other_numbers_are_half_open():
    assert Intervals(["2.5"], start="0.5").lines(["3.0", "-1"]) == (("3.0", "[3, 5.5)"), ("-1", "[-2, 0.5)"))


def test_every_number_lies_in_its_interval_and_intervals_nest():
    rng = random.Random(1)
    for _ in range(200):
        base = Fraction(rng.randint(1, 9), rng.choice([1, 2, 10]))
        widths = [base, base * rng.randint(2, 4)]
        values = {str(rng.randint(-50, 50) / rng.choice([1, 4])) for _ in range(9)}
        lines = Intervals(widths, start=rng.randint(-3, 3)).lines(sorted(values))
        for value, *labels in lines:
            for label, width in zip(labels, widths, strict=True):
                if label[0] == "[":
                    low, high = (Fraction(end) for end in label[1:-1].split(", "))
                    assert low <= Fraction(value) < high
                    assert high - low == width


@pytest.mark.parametrize("widths", [[], [0], [-1], [5, 5], [5, 12], [10, 5], ["x"]])
def test_widths_that_do_not_nest_are_refused(widths):
    with pytest.raises(PolicyError):
        Intervals(widths)


@pytest.mark.parametrize("bad", ["secret", "nan", "inf", "1e9999", ""])
def test_what_is_no_number_is_counted_not_quoted(bad):
    with pytest.raises(PolicyError, match="1 of the column's 2 distinct values") as caught:
        Intervals([5]).lines(["1", bad])
    assert "secret" not in str(caught.value)


def test_dates_climb_the_calendar():
    lines = Dates().lines(["2021-03-05", "1999-12-31T23:59:59"])
    assert lines[0] == ("2021-03-05", "2021-03", "2021-Q1", "2021", "2020s")
    assert lines[1][1:] == ("1999-12", "1999-Q4", "1999", "1990s")
    assert Dates(["day", "century"]).lines(["0005-01-02T10:00"])[0][1:] == ("0005-01-02", "000s")


@pytest.mark.parametrize("bad", ["12021-01-01", "2021-02-30", "0000-01-01", "-0044-03-15", "today"])
def test_dates_out_of_range_are_counted(bad):
    with pytest.raises(PolicyError, match="1 of the column's 2 distinct values are none"):
        Dates().lines(["2021-01-01", bad])


@pytest.mark.parametrize("units", [[], ["year", "month"], ["month", "month"], ["week"]])
def test_units_must_grow(units):
    with pytest.raises(PolicyError, match="growing units"):
        Dates(units)


def test_prefixes_are_cut_from_the_right():
    assert Prefix().lines(["13053", "130"]) == (
        ("13053", "1305*", "130*", "13*", "1*"),
        ("130", "130", "130", "13*", "1*"),
    )
    assert Prefix([3, 1]).lines(["13053"]) == (("13053", "130*", "1*"),)
    assert Prefix().lines(["a"]) == (("a",),)


@pytest.mark.parametrize("lengths", [[0], [1, 2], [2, 2], ["x"]])
def test_lengths_must_fall(lengths):
    with pytest.raises(PolicyError, match="falling"):
        Prefix(lengths)
