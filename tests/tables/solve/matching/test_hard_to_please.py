"""Tables of one row, of odd numbers, alike or apart throughout, with masks that forbid or weigh nothing."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import Matching, optimal_groups
from incrowd.tables.solve.textbook.simplex_matching import MatchingTextbook
from incrowd.tables.solve.textbook.triple_search import MatchingLocal
from incrowd.tables.values import Problem, RowTypes
from incrowd.tables.verify.bound.matching import matching_bound
from incrowd.tables.verify.mask import MaskReading
from oracles.plans import recount
from oracles.problems import star_levels, types_of

SOLVERS = (Matching, MatchingLocal, MatchingTextbook)


def problem_of(rows, *, weights=None, mask=None, outliers="forbid"):
    types = types_of(rows)
    names = tuple(f"c{j}" for j in range(types.m))
    patterns = (mask or Mask()).compile(names, [1] * types.m)
    return Problem(types, star_levels(types, weights), patterns, 2, outliers, 1, (), columns=names)


def cost(solver, problem):
    solution = solver().solve(problem, Watch())
    found = recount(problem, solution.plan)
    assert solution.bound.value == found
    return found


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_row_has_no_release_unless_outliers_are_suppressed(solver):
    with pytest.raises(Infeasible) as caught:
        solver().solve(problem_of([[0, 0, 0]]), Watch())
    assert caught.value.proven == (solver is not MatchingLocal)
    assert cost(solver, problem_of([[0, 0, 0]], outliers="suppress")) == 3
    keep = Mask(keep=["c0"], full_suppression=False)
    with pytest.raises(Infeasible):
        solver().solve(problem_of([[0, 0, 0]], outliers="suppress", mask=keep), Watch())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 9])
def test_rows_that_differ_throughout_are_all_stars_and_equal_ones_stay(solver, n):
    assert cost(solver, problem_of([[i, i] for i in range(n)])) == 2 * n
    assert cost(solver, problem_of([[7, 7]] * n)) == 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_of_an_odd_number_three_rows_share_a_group(solver):
    # Two pairs that differ once; the fifth row is as far from all.
    rows = [[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [2, 2, 2]]
    assert cost(solver, problem_of(rows)) == 2 + 3 * 3
    assert cost(solver, problem_of(rows, outliers="suppress")) == 4 + 3


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_mask_that_allows_no_pair_is_infeasible_and_one_that_allows_each_once_is_not(solver):
    keep = Mask(keep=["c0"], full_suppression=False)
    for n in (2, 3, 6, 7):
        with pytest.raises(Infeasible) as caught:
            solver().solve(problem_of([[i, 0] for i in range(n)], mask=keep), Watch())
        assert caught.value.proven == (solver is not MatchingLocal)
    assert cost(solver, problem_of([[i // 2, i] for i in range(6)], mask=keep)) == 6


@pytest.mark.parametrize("solver", SOLVERS)
def test_columns_of_no_weight_are_given_away(solver):
    rows = [[i, i // 2, 5] for i in range(8)]
    assert cost(solver, problem_of(rows, weights=[0, 0, 0])) == 0
    assert cost(solver, problem_of(rows, weights=[0, 3, 0])) == 0
    assert cost(solver, problem_of(rows, weights=[3, 0, 0])) == 24


@pytest.mark.proofs
def test_two_hundred_columns_under_every_kind_of_mask_are_solved_and_rechecked():
    rng = np.random.default_rng(8)
    rows = rng.integers(0, 3, (9, 200))
    rows[1::2] = rows[:-1:2]
    rows[1::2, :9] = rng.integers(0, 3, (4, 9))
    names = [f"c{j}" for j in range(200)]
    masks = [
        Mask(max_stars=10),
        Mask(keep=names[100:150]),
        Mask(together=[names[:3], names[3:6]]),
        Mask(at_most_one=[names[:4]], max_stars=150),
        Mask(patterns=[names[:9], names[:20], names]),
    ]
    free = optimum_of(problem_of(rows))
    for mask in masks:
        assert optimum_of(problem_of(rows, mask=mask), mask) >= free


def optimum_of(problem, mask=None):
    types = problem.types
    allows = MaskReading((mask or Mask()).to_dict(), problem.columns, problem.patterns.heights)
    result = optimal_groups(types.codes, types.counts, problem.levels, problem.patterns)
    assert result.optimal
    proven = matching_bound(types, problem.levels, allows, result.certificate.as_dict())
    assert proven == result.checked <= result.cost
    return result.cost


@pytest.mark.parametrize("columns", [1, 2])
def test_a_sensitive_value_in_more_than_half_of_the_rows_has_no_release(columns):
    types = types_of([[i, 0] for i in range(7)])
    sens = np.stack([np.array([0, 0, 0, 0, 1, 2, 3]), np.arange(7)][:columns], axis=1)
    levels = star_levels(types)
    patterns = Mask().compile(("c0", "c1"), [1, 1])
    result = optimal_groups(types.codes, types.counts, levels, patterns, sens=sens)
    assert result.infeasible
    assert result.groups is None
    # One row less of it, and there is one: a triple with one of them and two pairs.
    sens[0, 0] = 4
    result = optimal_groups(types.codes, types.counts, levels, patterns, sens=sens)
    assert result.optimal
    assert result.cost == 7


def test_equal_rows_with_different_secrets_are_one_group_at_no_cost():
    types = RowTypes(np.zeros((4, 1), np.int32), np.ones(4, np.int64), (1,))
    sens = np.arange(4, dtype=np.int32)[:, None]
    patterns = Mask().compile(("c0",), [1])
    result = optimal_groups(types.codes, types.counts, star_levels(types), patterns, sens=sens)
    assert result.optimal
    assert result.cost == 0
