"""What makes lines a hierarchy."""

from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy.checks import checked_lines, never_falling


def test_a_last_column_of_stars_is_taken_off():
    assert checked_lines([("a", "x", "*"), ("b", "x", "*")], most_levels=9) == (("a", "x"), ("b", "x"))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "has no lines"),
        (5, "must be a list of lists"),
        ({"a": "x"}, "must be a list of lists"),
        (["ax", "bx"], "must be a list of lists"),
        ([("a",), ()], "is empty"),
        ([("a", "x"), ("b", "x"), ("c",)], "1 line is not as long"),
        ([("a", "x"), ("a", "y")], "1 value is given in more than one line"),
        ([("a", "x", "p"), ("b", "x", "q")], "different at level 2"),
        ([("a", "*"), ("b", "x")], "star"),
        ([("a", "x", "p"), ("b", "y", "x")], "two different sets"),
        ([("a", "p", "q", "r")], "4 levels, more than the 3"),
    ],
)
def test_every_fault_is_named_and_no_value_is_quoted(lines, said):
    with pytest.raises(PolicyError, match=said) as refused:
        checked_lines(lines, most_levels=3)
    assert not {"'a'", "'x'", "'p'"} & set(str(refused.value).split())


def test_costs_may_rise_and_stay_but_not_fall():
    never_falling([[Fraction(0), Fraction(1), Fraction(1)]])
    with pytest.raises(PolicyError, match="fall"):
        never_falling([[Fraction(0), Fraction(2), Fraction(1)]])
