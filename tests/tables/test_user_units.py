import dataclasses
from fractions import Fraction

import numpy as np

from incrowd.tables.user_units import claims_in_units, in_units, offset_of
from oracles.problems import stars, types_of


def with_offset():
    problem = stars(types_of([[0, 0], [0, 1], [0, 1]]), 2)
    first = dataclasses.replace(problem.levels[1], cost=np.array([[1, 2], [4, 4]]))
    return dataclasses.replace(problem, levels=(problem.levels[0], first), scale=2)


def test_what_rows_cost_as_they_are_is_taken_off_and_nothing_where_they_are_free():
    assert offset_of(with_offset()) == 1 + 2 + 2
    assert offset_of(stars(types_of([[0], [1]]), 2)) == 0
    assert in_units(with_offset(), 8) == Fraction(3, 2)
    assert in_units(with_offset(), 3) == 0


def test_the_claims_of_a_certificate_are_in_the_same_units():
    certificate = {"cost": 9, "lower_bound": 7, "lower_bound_checked": 2, "prices": [8]}
    told = claims_in_units(with_offset(), certificate)
    assert told == {"cost": 4, "lower_bound": 2, "lower_bound_checked": 0, "prices": [8]}
    assert claims_in_units(with_offset(), None) is None
    assert claims_in_units(stars(types_of([[0], [1]]), 2), certificate) is certificate
