"""What a search needs at the least."""

import dataclasses

import numpy as np

from incrowd.tables.solve.shared.memory_use import least_bytes, search_bytes
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of


def test_it_covers_the_problem_laid_out_and_grows_with_the_row_types():
    needs = []
    for side in (3, 30):
        types = types_of([(a, b) for a in range(side) for b in range(side)])
        problem = Problem(types, star_levels(types), PatternList([1, 1]), 2)
        laid = encode(problem)
        parts = [getattr(laid, field.name) for field in dataclasses.fields(laid)]
        needs.append(least_bytes(problem))
        assert needs[-1] >= sum(part.nbytes for part in parts if isinstance(part, np.ndarray))
    assert 50 < needs[1] / needs[0] < 110


def test_what_a_search_takes_beside_it_is_bounded_by_the_patterns():
    types = types_of([(0, 0), (0, 1)])
    one, four = (Problem(types, star_levels(types), PatternList([1, 1], chosen), 2) for chosen in ([(1, 1)], None))
    assert 0 < search_bytes(one) < search_bytes(four)
