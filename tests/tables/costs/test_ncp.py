from fractions import Fraction

import numpy as np

from incrowd.tables.costs.ncp import CertaintyCost, penalties
from incrowd.tables.protocols import Cost

TALL = np.array([[0, 1, 2, 3], [0, 0, 0, 1], [0, 0, 0, 0]], np.int32)


def test_the_penalty_meets_the_protocol_of_costs():
    assert isinstance(CertaintyCost(), Cost)


def test_a_label_costs_its_share_of_the_values_and_a_single_value_nothing():
    assert penalties(TALL) == [[0] * 4, [Fraction(3, 4)] * 3 + [0], [1] * 4]


def test_a_label_of_numbers_costs_its_share_of_the_width():
    assert penalties(TALL, [Fraction(n) for n in (1, 3, 2, 11)])[1] == [Fraction(1, 5)] * 3 + [0]


def test_a_missing_value_among_numbers_is_as_wide_as_the_column_and_alone_it_is_nothing():
    assert penalties(TALL, [Fraction(1), None, Fraction(1), Fraction(9)])[1] == [1, 1, 1, 0]
    assert penalties(TALL, [Fraction(1), Fraction(2), Fraction(1), None])[1] == [1, 1, 1, 0]


def test_numbers_that_are_equal_have_no_width_but_for_the_star():
    assert penalties(TALL, [Fraction(2)] * 4) == [[0] * 4, [0] * 4, [1] * 4]


def test_a_star_costs_one_in_a_column_without_a_hierarchy_and_in_one_of_one_value():
    assert CertaintyCost().node_costs("sex", TALL[[0, 2]]) == [[0] * 4, [1] * 4]
    assert penalties(np.zeros((2, 1), np.int32)) == [[0], [1]]
