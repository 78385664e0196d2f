"""Blunting: what it may cost, what it must keep, and how much of what was excluded comes back."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.mask import Patterns
from incrowd.tables.solve.blunt.draw import BUDGETS, blunted, classes_above
from incrowd.tables.solve.blunt.randomness import SystemRandomness
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Bound, Levels, Plan, Problem, RowTypes, Solution
from seeds import how_many, seeds

CHAIN = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
CHAIN_COST = np.array([[0] * 4, [1] * 4, [3] * 4], np.int64)


def star(values: int, weight: int = 1) -> Levels:
    return Levels(
        np.array([range(values), [0] * values], np.int32), np.array([[0] * values, [weight] * values], np.int64)
    )


def problem_of(rows: list[tuple[int, ...]], levels: tuple[Levels, ...], k: int, **more) -> Problem:
    codes, counts = np.unique(np.array(rows, np.int32), axis=0, return_counts=True)
    types = RowTypes(codes, counts.astype(np.int64), tuple(level.up.shape[1] for level in levels))
    names = tuple("abcdef"[: len(levels)])
    patterns = Patterns.of({}, names, tuple(level.height for level in levels))
    return Problem(types, levels, patterns, k, columns=names, **more)


def drawn(seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    levels = (star(3), Levels(CHAIN, CHAIN_COST), star(4, 2))
    rows = [tuple(int(min(rng.geometric(0.5) - 1, lv.up.shape[1] - 1)) for lv in levels) for _ in range(60)]
    return problem_of(rows, levels, int(rng.integers(2, 4)), outliers=["forbid", "suppress"][seed % 2])


def excluded(problem: Problem, plan: Plan) -> dict[tuple[int, int], set[tuple[int, int]]]:
    """By class and column, the nodes (level, node) that an existing class shows there at less cost, one by one."""
    nodes, sizes, found = plan.nodes(problem), plan.sizes(), {}
    for h in range(plan.groups):
        free = problem.outliers == "suppress" and tuple(plan.levels[h].tolist()) == problem.top
        for g in range(plan.groups):
            apart = [j for j in range(problem.types.m) if plan.levels[g, j] != plan.levels[h, j]]
            if len(apart) != 1 or plan.levels[g, apart[0]] > plan.levels[h, apart[0]]:
                continue
            if not (sizes[h] > problem.k or free):
                continue
            one = plan.part_type[plan.part_group == g][0]
            shows = [
                problem.levels[j].up[plan.levels[h, j], problem.types.codes[one, j]] for j in range(problem.types.m)
            ]
            if shows == nodes[h].tolist():
                j = apart[0]
                found.setdefault((h, j), set()).add((int(plan.levels[g, j]), int(nodes[g, j])))
    return found


@seeds(300)
def test_a_blunted_release_is_one_of_the_same_rows_within_its_budget(seed):
    problem = drawn(seed)
    best = Greedy().solve(problem, Watch())
    level = 1 + seed % 3
    made = blunted(problem, best, level, Watch())
    rows = np.zeros(problem.types.t, np.int64)
    np.add.at(rows, made.plan.part_type, made.plan.part_rows)
    assert (rows == problem.types.counts).all()
    need = made.plan.sizes() >= problem.k
    if problem.outliers == "suppress":
        need |= (made.plan.levels == np.array(problem.top)).all(axis=1)
    assert need.all()
    cost, before = made.plan.cost(problem), best.plan.cost(problem)
    assert before <= cost <= (1 + BUDGETS[level]) * before
    assert made.bound == best.bound
    assert (made.status == "optimal") == (cost <= best.bound.value)
    # every part shows its class's nodes, and no instance stands twice
    nodes = made.plan.nodes(problem)
    for one, g in zip(made.plan.part_type.tolist(), made.plan.part_group.tolist(), strict=True):
        for j, lv in enumerate(problem.levels):
            assert lv.up[made.plan.levels[g, j], problem.types.codes[one, j]] == nodes[g, j]
    shown = {(*made.plan.levels[g].tolist(), *nodes[g].tolist()) for g in range(made.plan.groups)}
    assert len(shown) == made.plan.groups


@seeds(100)
def test_pairs_of_classes_are_those_that_differ_in_a_few_columns(seed):
    problem = drawn(seed)
    plan = Greedy().solve(problem, Watch()).plan
    most = 1 + seed % 3
    low, high = classes_above(problem, plan, most)
    nodes, expected = plan.nodes(problem), set()
    for g in range(plan.groups):
        for h in range(plan.groups):
            above = plan.levels[h] - plan.levels[g]
            if (above >= 0).all() and 1 <= (above > 0).sum() <= most:
                one = problem.types.codes[plan.part_type[plan.part_group == g][0]]
                ups = [lv.up[plan.levels[h, j], one[j]] for j, lv in enumerate(problem.levels)]
                if ups == nodes[h].tolist():
                    expected.add((g, h))
    assert set(zip(low.tolist(), high.tolist(), strict=True)) == expected
    assert len(low) == len(expected)


def one_claim() -> tuple[Problem, Solution]:
    """Thirty rows of a value shown, thirty others starred: a cheapest release of two values has no such class."""
    rows = [(0, 0)] * 30 + [(v, 0) for v in range(1, 31)]
    problem = problem_of(rows, (star(31), star(1)), 2)
    part_type = np.arange(31, dtype=np.int32)
    part_group = np.array([0] + [1] * 30, np.int32)
    plan = Plan(np.array([[0, 0], [1, 0]], np.int8), part_type, part_group, np.array([30] + [1] * 30, np.int64))
    return problem, Solution(plan, Bound(30, 30, "test"), "optimal", "test")


def test_the_excluded_value_comes_back_as_often_as_the_budget_allows_in_the_mean():
    problem, best = one_claim()
    runs = how_many(400, 100)
    for level, most in ((1, 0), (2, 0), (3, 3)):  # of a cost of 30
        moved = [blunted(problem, best, level, Watch()).plan.cost(problem) - 30 for _ in range(runs)]
        assert max(moved) == most
    assert {1: Fraction(1, 100), 2: Fraction(3, 100), 3: Fraction(1, 10)} == BUDGETS


def four_claims() -> tuple[Problem, Solution]:
    """Four values shown ten times each beside 200 rows whose values are starred, and 1000 rows elsewhere."""
    rows = [(v, 0) for v in range(4) for _ in range(10)] + [(4 + v, 0) for v in range(200)] + [(204, 1)] * 1000
    problem = problem_of(rows, (star(205), star(2)), 2)
    part_group = np.array([0, 1, 2, 3] + [4] * 200 + [5], np.int32)
    levels = np.array([[0, 0]] * 4 + [[1, 0], [0, 0]], np.int8)
    plan = Plan(levels, np.arange(205, dtype=np.int32), part_group, problem.types.counts.copy())
    return problem, Solution(plan, Bound(200, 200, "test"), "optimal", "test")


def test_where_the_budget_lasts_an_excluded_value_has_its_rows_and_half_as_many_again_in_the_mean():
    problem, best = four_claims()
    assert excluded(problem, best.plan) == {(4, 0): {(0, v) for v in range(4)}}
    hits, runs = np.zeros(4), how_many(1000, 300)
    for run in range(runs):
        plan = blunted(problem, best, 3, Watch(), SystemRandomness(run.to_bytes(16, "big"))).plan
        np.add.at(hits, plan.part_type[(plan.part_group == 4) & (plan.part_type < 4)],
                  plan.part_rows[(plan.part_group == 4) & (plan.part_type < 4)])  # fmt: skip
    share = 10 / problem.types.n
    assert (np.abs(hits / runs / (1.5 * share * 207) - 1) < 0.1).all()


def test_two_draws_differ_and_the_same_bits_give_the_same():
    rng = np.random.default_rng(5)
    rows = [(int(rng.integers(4)), int(rng.integers(40)), int(rng.integers(3))) for _ in range(600)]
    problem = problem_of(rows, (star(4), star(40), star(3)), 2)
    best = Greedy().solve(problem, Watch())

    def parts(randomness: SystemRandomness | None) -> list[tuple[int, ...]]:
        plan = blunted(problem, best, 3, Watch(), randomness).plan
        return list(zip(plan.part_type.tolist(), plan.part_rows.tolist(), plan.part_group.tolist(), strict=True))

    assert parts(SystemRandomness(b"a" * 16)) == parts(SystemRandomness(b"a" * 16))
    assert parts(None) != parts(None)


def test_a_stopped_watch_leaves_the_release_as_it_was():
    problem, best = one_claim()
    watch = Watch()
    watch.interrupt()
    assert blunted(problem, best, 3, watch).plan.cost(problem) == 30
