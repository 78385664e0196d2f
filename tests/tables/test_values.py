"""The values that travel between the stages, counted by hand."""

import numpy as np

from incrowd.tables.mask import Mask
from incrowd.tables.values import Advice, Bound, Levels, Plan, Problem, RowTypes

# two columns of two values; rows (0, 0) x 2 and (0, 1) x 1; a star costs 1 in the first column and 2 in the second
TYPES = RowTypes(np.array([[0, 0], [0, 1]], np.int32), np.array([2, 1]), (1, 2))
LEVELS = tuple(
    Levels(np.array([range(size), [0] * size], np.int32), np.array([[0] * size, [price] * size]))
    for size, price in ((1, 1), (2, 2))
)
PROBLEM = Problem(TYPES, LEVELS, Mask().compile(["a", "b"], [1, 1]), 2, "suppress")
# one row of each type together under (0, *), one row of the first type as stars
PLAN = Plan(
    np.array([[0, 1], [1, 1]], np.int8),
    np.array([0, 0, 1], np.int32),
    np.array([0, 1, 0], np.int32),
    np.array([1, 1, 1]),
)


def test_row_types_count_types_columns_and_rows():
    assert (TYPES.t, TYPES.m, TYPES.n) == (2, 2, 3)


def test_a_problem_knows_its_top_and_its_costs():
    assert PROBLEM.top == (1, 1)
    assert PROBLEM.uniform
    assert PROBLEM.floor_costs() == [[0, 1], [0, 2]]
    assert PROBLEM.row_costs((0, 1)).tolist() == [2, 2]


def test_a_plan_is_recounted_part_by_part():
    assert PLAN.groups == 2
    assert PLAN.sizes().tolist() == [2, 1]
    assert PLAN.cost(PROBLEM) == 2 + 2 + 3
    assert PLAN.nodes(PROBLEM).tolist() == [[0, 0], [0, 0]]
    assert PLAN.outlier_rows(PROBLEM) == 1


def test_a_bound_rests_on_a_certificate_where_all_of_it_can_be_recounted():
    assert Bound(5, 5, "counting").proof == "certificate"
    assert Bound(5, 4, "counting").proof == "solver"
    assert Advice("look") == "look"
