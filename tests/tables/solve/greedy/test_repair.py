"""Leftover rows end in groups of at least k, mostly where a release exists, and no dearer than by the plain repairs."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.greedy.repair import Repair, suppress_rest
from incrowd.tables.solve.shared.partial_plan import PartialPlan
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles import greedy as plain
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from seeds import how_many, seeds


@seeds(300)
def test_without_full_suppression_a_release_is_valid_or_the_error_is_right(seed):
    rng = np.random.default_rng([4, seed])
    problem = random_problem(rng, rows=int(rng.integers(2, 8)), full=False)
    least = optimum(problem)
    try:
        solution = Greedy(threads=1).solve(problem, Watch())
    except Infeasible as error:
        assert error.requirement == f"k={problem.k}"
        assert error.proven == (plain.least_per_row(problem) is None)
        if error.proven:
            assert least is None
        return
    assert recount(problem, solution.plan) >= least >= solution.bound.value


def test_repair_without_full_suppression_seldom_gives_up():
    feasible = found = 0
    tables = how_many(300, 54)
    for seed in range(tables):
        rng = np.random.default_rng([5, seed])
        problem = random_problem(rng, rows=int(rng.integers(3, 8)), full=False)
        if optimum(problem) is None:
            continue
        feasible += 1
        try:
            recount(problem, Greedy(threads=1).solve(problem, Watch()).plan)
            found += 1
        except Infeasible as error:
            assert not error.proven
    assert feasible > tables / 3
    assert found >= 0.97 * feasible


def test_one_leftover_row_fetches_a_row_and_leaves_the_large_group_alone():
    problem = stars(types_of([[0, 0]] * 1000 + [[1, 1]]), 3)
    solution = Greedy().solve(problem, Watch())
    assert recount(problem, solution.plan) == 6


def test_mixed_repairs_beat_both_pure_ones():
    # One leftover row is close to a group, the other one to none; rows of a dear group cost little to fetch.
    rows = [[0, 0, 0]] * 3 + [[0, 1, 0]] + [[7, 8, 99]] + [[4, 4, x] for x in range(1, 51)]
    problem = stars(types_of(rows), 3, weights=[1, 1, 10])
    solution = Greedy().solve(problem, Watch())
    # The near row widens its group by one cheap star for four rows; the far one takes two of the fifty along.
    assert recount(problem, solution.plan) == 4 * 1 + 3 * 12 + 48 * 10


def test_a_leftover_row_can_open_a_cheaper_group_than_full_suppression():
    types = types_of([[0, 0]] * 5 + [[1, 0]])
    solution = Greedy().solve(stars(types, 2), Watch())
    assert solution.plan.cost(stars(types, 2)) == 2


@seeds(100)
def test_the_rest_that_is_starred_fetches_what_it_lacks_at_no_more_than_the_plain_repair(seed):
    rng = np.random.default_rng([7, seed])
    problem = random_problem(rng, full=True, outliers="forbid")
    groups, left = plain.greedy_groups(problem)
    if not 0 < sum(problem.types.counts[sorted(left)]) < problem.k:
        return
    encoded = encode(problem)
    label = np.full(encoded.t, -1, np.int32)
    for g, members in enumerate(groups.values()):
        label[list(members)] = g
    draft = PartialPlan.of(encoded, label, [np.array(vector, np.int8) for vector, _ in groups])
    found = Repair(problem, Watch()).with_top(draft)
    assert draft.rest_rows.size, "the draft itself stays"
    before = plain.cost_before_repair(problem, groups)
    assert recount(problem, found.plan()) <= before + plain.plain_top_repair(problem, groups, left)


def test_where_outliers_may_stand_alone_the_whole_rest_is_starred():
    problem = stars(types_of([[0, 0]] * 3 + [[1, 1], [2, 1]]), 3, "suppress")
    draft = PartialPlan.of(encode(problem), np.array([0, -1, -1], np.int32), [np.zeros(2, np.int8)])
    suppress_rest(problem, draft)
    assert recount(problem, draft.plan()) == 2 * 2
