"""Regrouping: never dearer, always a release, whatever k, mask and hierarchies; and what it rests on."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.kernels.matching.metric import FAR
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import improve
from incrowd.tables.solve.improve.pairing_moves import State, regroup
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Levels, Plan, Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import cost_of, node, recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import few_of, how_many, parts


def started(rng, **options):
    problem = random_problem(rng, **options)
    try:
        return problem, Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return problem, None


def uneven(seed, k):
    """Some hundred rows, values shared unevenly, stars with weights or short trees."""
    rng = np.random.default_rng([61, seed])
    n, m = int(rng.integers(100, 240)), int(rng.integers(4, 7))
    table = np.stack([(rng.random(n) ** 2 * rng.integers(3, 7)).astype(int) for _ in range(m)], axis=1)
    types = types_of(table)
    levels = star_levels(types, [int(x) for x in rng.integers(1, 5, m)])
    if seed % 2:
        levels = tuple(_halved(d, 1 + j) for j, d in enumerate(types.sizes))
    heights = [level.height for level in levels]
    every = list(product(*(range(h + 1) for h in heights)))
    chosen = {v for v in every if seed % 3 or rng.random() < 0.6} | {tuple(heights)}
    outliers = ("forbid", "suppress")[seed // 2 % 2]
    return Problem(types, levels, PatternList(heights, chosen), k, outliers)


def _halved(d, weight):
    up = np.stack([np.arange(d), np.arange(d) // 2, np.zeros(d)]).astype(np.int32)
    return Levels(up, np.stack([np.zeros(d), np.full(d, weight), np.full(d, 3 * weight)]).astype(np.int64))


def least_cost(problem, types):
    """The cheapest allowed vector under which types look alike, by trying all; FAR if there is none."""
    rows = [tuple(int(x) for x in problem.types.codes[i]) for i in types]
    best = FAR
    for vector in product(*(range(level.height + 1) for level in problem.levels)):
        if problem.patterns.allows(vector):
            shown = {tuple(node(problem, j, v, row[j]) for j, v in enumerate(vector)) for row in rows}
            if len(shown) == 1:
                best = min(best, cost_of(problem, vector, rows[0]))
    return best


@pytest.mark.parametrize("part", parts(3))
def test_small_releases_stay_releases_and_get_no_dearer(part):
    better = 0
    for seed in range(part * 60, part * 60 + 60):
        rng = np.random.default_rng([62, seed])
        problem, plan = started(rng, rows=int(rng.integers(4, 30)))
        if plan is None:
            continue
        found, rounds = regroup(problem, plan, Watch(), seed=seed)
        assert recount(problem, found) <= recount(problem, plan)
        assert rounds >= 1
        better += recount(problem, found) < recount(problem, plan)
    assert better


def test_no_release_is_cheaper_than_the_optimum_and_some_reach_it():
    reached = asked = 0
    for seed in range(80):
        rng = np.random.default_rng([63, seed])
        problem, plan = started(rng, rows=int(rng.integers(2, 9)))
        if plan is None:
            continue
        least = optimum(problem)
        found, _ = regroup(problem, plan, Watch(), seed=seed)
        cost = recount(problem, found)
        assert least <= cost <= plan.cost(problem)
        asked += plan.cost(problem) > least
        reached += plan.cost(problem) > least == cost
    assert asked > reached > 0.3 * asked


@pytest.mark.few(1)
@pytest.mark.parametrize("k", few_of([2, 5, 3, 4, 7], 2))
def test_larger_releases_get_cheaper_under_masks_trees_and_both_outlier_rules(k):
    better = 0
    for seed in range(8):
        problem = uneven(seed, k)
        plan = Greedy().solve(problem, Watch()).plan
        found, _ = regroup(problem, plan, Watch(), seed=seed)
        assert recount(problem, found) <= recount(problem, plan)
        better += found.cost(problem) < plan.cost(problem)
    assert better >= 2


def test_more_rounds_are_never_dearer_and_the_seed_decides():
    costs = set()
    for seed in range(8):
        problem = uneven(8, 3)
        plan = Greedy().solve(problem, Watch()).plan
        before = plan.cost(problem)
        for rounds in (1, 2, 5, 20):
            found, made = regroup(problem, plan, Watch(), seed=seed, rounds=rounds)
            again, _ = regroup(problem, plan, Watch(), seed=seed, rounds=rounds)
            assert made <= rounds
            assert np.array_equal(found.part_group, again.part_group)
            assert np.array_equal(found.part_rows, again.part_rows)
            assert found.cost(problem) <= before
            before = found.cost(problem)
        costs.add(before)
    assert len(costs) > 1


def test_told_to_stop_it_changes_nothing():
    problem = uneven(8, 3)
    plan = Greedy().solve(problem, Watch()).plan
    watch = Watch()
    watch.interrupt()
    assert regroup(problem, plan, watch) == (plan, 0)


def test_costs_beyond_what_kernels_add_up_leave_the_plan_as_it_is():
    types = types_of([[0, 0], [0, 1], [1, 0], [1, 1]])
    problem = Problem(types, star_levels(types, [1, 2**40]), PatternList([1, 1]), 2)
    plan = Greedy().solve(problem, Watch()).plan
    assert regroup(problem, plan, Watch()) == (plan, 0)


def test_two_halves_that_fit_crosswise_are_exchanged():
    # Two groups of four; two rows of each belong to the other.
    types = types_of([[0, 0, 0], [0, 0, 1], [5, 5, 5], [5, 5, 6], [0, 0, 2], [0, 0, 3], [5, 5, 7], [5, 5, 8]])
    problem = Problem(types, star_levels(types), PatternList([1] * 3), 4)
    near = types.codes[:, 0] == 0
    crossed = np.where(near, np.arange(8) % 2, (np.arange(8) + 1) % 2).astype(np.int32)
    levels = np.ones((2, 3), np.int8)
    # Both groups show stars alone: told apart by nothing, they are one group of eight.
    plan = Plan(levels[:1], np.arange(8, dtype=np.int32), crossed * 0, np.ones(8, np.int64))
    found, _ = regroup(problem, plan, Watch())
    assert plan.cost(problem) == 24
    assert recount(problem, found) == 8


def test_blocks_cost_what_their_rows_cost_together_and_meet_the_simplex_condition():
    met = 0
    for seed in range(150):
        rng = np.random.default_rng([64, seed])
        problem = random_problem(rng, rows=int(rng.integers(4, 12)))
        t = problem.types.t
        if t < 3:
            continue
        block = np.sort(rng.integers(0, 3, t)).astype(np.int32)
        if np.unique(block).size < 3:
            continue
        order = rng.permutation(t).astype(np.int32)
        mine = [order[block == b] for b in range(3)]
        me = metric(problem.types.codes, problem.levels, problem.patterns)
        none = np.zeros(0, np.int32)
        empty = Plan(np.zeros((1, problem.types.m), np.int8), none, none, none.astype(np.int64))
        state = State(problem, encode(problem), me, empty)
        first = np.array([m[0] for m in mine], np.int32)
        blocks, twins = state.blocks(order, block, first, 3)
        found = blocks.costs(np.array([[0, 1, -1], [0, 2, -1], [1, 2, -1], [0, 1, 2]]))
        together = ((0, 1), (0, 2), (1, 2), (0, 1, 2))
        for cost, some in zip(found, together, strict=True):
            wanted = least_cost(problem, np.concatenate([mine[b] for b in some]))
            assert cost == (FAR if wanted == FAR else wanted // me.divisor)
        own = twins.costs(np.array([[b, b + 3, -1] for b in range(3)]))
        for b in range(3):
            wanted = least_cost(problem, mine[b])
            assert own[b] == (FAR if wanted == FAR else wanted // me.divisor)
        size = rng.integers(1, 9, 3)
        if found[3] < FAR:
            met += 1
            pairs = [(size[u] + size[v]) * cost for cost, (u, v) in zip(found[:3], together[:3], strict=True)]
            assert 2 * size.sum() * found[3] >= sum(pairs)
    assert met > 40


def test_improve_releases_are_cheaper_with_it_at_k_3(monkeypatch):
    problems = [uneven(seed, 3) for seed in range(how_many(6, 3))]
    solver = improve.Improve(work=400)
    with_it = [solver.solve(p, Watch()).plan.cost(p) for p in problems]
    monkeypatch.setattr(improve, "regroup", lambda problem, plan, watch, **_: (plan, 0))
    without = [solver.solve(p, Watch()).plan.cost(p) for p in problems]
    assert all(a <= b for a, b in zip(with_it, without, strict=True))
    assert sum(with_it) < sum(without)


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(10))
def test_thousands_of_releases_stay_releases_and_get_no_dearer(part):
    for seed in range(part * 2000, part * 2000 + 2000):
        rng = np.random.default_rng([65, seed])
        problem, plan = started(rng, rows=int(rng.integers(2, 24)))
        if plan is not None:
            found, _ = regroup(problem, plan, Watch(), seed=seed)
            assert recount(problem, found) <= recount(problem, plan)
