from fractions import Fraction

import numpy as np

from incrowd.tables.costs.stars import star_costs


def test_only_the_top_of_a_hierarchy_is_a_star():
    tall = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
    assert star_costs(Fraction(1, 3), tall) == [[0] * 4, [0] * 4, [Fraction(1, 3)] * 4]


def test_a_column_without_levels_costs_nothing():
    assert star_costs(Fraction(1), np.array([[0, 1]], np.int32)) == [[0, 0]]
