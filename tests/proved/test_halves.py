from fractions import Fraction

from incrowd.proved.suggestions import halving


def shares(code, *share):
    return "shares", code, list(map(Fraction, share))


def test_two_columns_of_which_no_value_may_have_more_than_half_are_named_and_one_alone_twice():
    half, other = shares([0, 1, 0], "1/2", "1/3"), shares([0, 0, 1], "1/2", "1/2")
    more = shares([0, 1, 1], "1/2", "2/3")
    least = ("distinct", [0, 1, 0], 2)
    assert halving([(more,), (half,), (least,)]) == [1, 1, 1]
    assert halving([(half,), (least,), (shares([0, 1, 0], "1/4", "1/2"),), (other,)]) == [1, 0, 3]
    assert halving([(more,), (least,)]) == [0]
