from fractions import Fraction

import numpy as np

from incrowd.proved.halves import halving
from incrowd.tables.verify.requirements.rules import Distinct, Shares

TOTALS = np.array([2, 2], np.int64)


def shares(code, *share):
    return Shares(code=np.array(code), totals=TOTALS, share=tuple(map(Fraction, share)))


def test_two_columns_of_which_no_value_may_have_more_than_half_are_named_and_one_alone_twice():
    half, other = shares([0, 1, 0], "1/2", "1/3"), shares([0, 0, 1], "1/2", "1/2")
    more = shares([0, 1, 1], "1/2", "2/3")
    least = Distinct(code=np.array([0, 1, 0]), totals=TOTALS, least=2)
    assert halving([(more,), (half,), (least,)]) == [1, 1, 1]
    assert halving([(half,), (least,), (shares([0, 1, 0], "1/4", "1/2"),), (other,)]) == [1, 0, 3]
    assert halving([(more,), (least,)]) == [0]
