from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from checker.page_script import NODE
from checker.red_cases import Case
from checker.red_lines import Lined
from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.large.floor import floor
from incrowd.tables.large.improvement import improved
from incrowd.tables.large.leftovers import settled
from incrowd.tables.large.plan import counted
from incrowd.tables.large.sweep import sweep
from incrowd.tables.solve.auto import Auto
from oracles.brute_force import optimum
from oracles.large import in_engine, plan_of
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import as_table, random_problem, stars, types_of
from seeds import how_many, seeds

AUTO = Auto(work=50)
# drawn, where a portion of several comes to cost less
CHEAPER = {"forbid": (26, 38), "suppress": (13, 18)}


def plans(engine, problem, most):
    """Return types, the greedy's plan and its cost, and what improvement made of it; None where there is no plan."""
    types, instances = in_engine(engine, problem)
    try:
        plan = settled(instances, sweep(types, instances, problem.types.n, Watch()), Watch())
    except Infeasible:
        return None
    before = counted(engine, plan).cost(problem)
    return types, before, improved(instances, plan, before, most, AUTO, Watch())


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_whatever_becomes_of_the_portions_it_is_a_release_and_no_dearer(outliers):
    several = cheaper = 0
    with Engine() as engine:
        for seed in (*CHEAPER[outliers][: how_many(200, 1)], *range(how_many(200, 1) - 1)):
            rng = np.random.default_rng([98, outliers == "forbid", seed])
            problem = random_problem(rng, rows=int(rng.integers(20, 40)), full=True, outliers=outliers)
            made = plans(engine, problem, int(rng.integers(3, 12)))
            if made is None:
                continue
            types, before, found = made
            plan = plan_of(engine, types, problem, found.plan)
            cost = recount(problem, plan)
            assert cost == counted(engine, found.plan).cost(problem), seed
            assert (cost < before) == bool(found.lowered), seed
            assert cost <= before, seed
            several += found.portions > 1
            cheaper += cost < before
    assert several
    assert cheaper


def kept(rng):
    """A problem in which no pattern changes the first column."""
    rows = np.stack([rng.integers(0, 3, 12), *(rng.integers(0, 3, 12) for _ in range(3))], axis=1)
    every = [vector for vector in PatternList([1] * 4).vectors if not vector[0]] + [(1,) * 4] * int(rng.integers(2))
    return stars(types_of(rows), 2, vectors=every)


def test_where_a_column_is_kept_the_bounds_of_the_portions_add_up_to_one_of_the_table():
    bounds = tight = 0
    with Engine() as engine:
        for seed in range(how_many(60, 2)):
            problem = kept(np.random.default_rng([99, seed]))
            made = plans(engine, problem, 6)
            if made is None:
                continue
            types, before, found = made
            best = optimum(problem)
            cost = recount(problem, plan_of(engine, types, problem, found.plan))
            assert found.bound <= best <= cost <= before, seed
            bounds += found.bound > 0 and found.portions > 1
            tight += found.bound == best
    assert bounds
    assert tight


def parted(seed):
    """A problem in which no pattern but full suppression changes the first column: hierarchies and node costs too."""
    rng = np.random.default_rng([103, seed])
    if seed % 2 == 0:
        return dataclasses.replace(kept(rng), outliers=("forbid", "suppress")[seed // 2 % 2])
    while True:
        problem = random_problem(rng, rows=11, full=bool(seed % 4 == 1))
        top = tuple(problem.top)
        some = [v for v in PatternList(top).vectors if not v[0] and rng.random() < 0.8]
        if problem.types.sizes[0] > 1 and some:
            vectors = [*some, *[top] * problem.patterns.allows_full_suppression]
            return dataclasses.replace(problem, patterns=PatternList(top, vectors))


def priced(engine, problem, most, search=AUTO, watch=None):
    """Return what improvement made of the greedy's plan, the per-row bound, and all prices in the types' order."""
    types, instances = in_engine(engine, problem)
    try:
        swept = sweep(types, instances, problem.types.n, Watch())
        least = floor(types, instances, swept, Watch(), prices=True)
        plan = settled(instances, swept, Watch())
    except Infeasible:
        return None
    cost = counted(engine, plan).cost(problem)
    found = improved(instances, plan, cost, most, search, watch or Watch(), least)
    per_row = engine.fetch(types.values.join(least.prices.table(), types.words)).to_pylist()
    parts = found.prices.parts if found.prices else 1
    every = {one["type"]: one["best"] * parts for one in per_row}
    if found.prices:
        told = engine.fetch(types.values.join(found.prices.lines, types.words)).to_pylist()
        assert len({one["type"] for one in told}) == len(told)
        every |= {one["type"]: one["p"] for one in told}
    return found, least, parts, [every[i] for i in range(problem.types.t)]


@seeds(100, 3)
def test_prices_of_the_portions_are_prices_of_the_table(seed):
    """All checkers find in them what is said, no more than the optimum and no less than the per-row bound."""
    problem = parted(seed)
    with Engine() as engine:
        made = priced(engine, problem, 1 + seed % 5)
    if made is None:
        return
    found, least, parts, prices = made
    best = optimum(problem)
    proven = found.prices.value if found.prices else least.value
    assert least.value <= proven <= max(found.bound, proven) <= best
    head = {
        "certificate": "incrowd k-anonymity bound", "version": 3, "rows": problem.types.n, "row_types": problem.types.t,
        "k": problem.k, "outliers": problem.outliers, "scale": problem.scale, "cost": best, "lower_bound": proven,
        "lower_bound_checked": proven, "proof": "certificate", "parts": parts, "prices": prices,
    }  # fmt: skip
    case = Lined(Case("prices", as_table(problem), head, best, best, problem=problem), head)
    told = [case.by_check(head), case.by_engine(head), case.by_second(head)]
    assert told == [told[0]] * 3
    word, sure, _, bound = told[0]
    assert (word, sure) == ("good", True)
    assert proven <= bound <= best
    if NODE is not None:
        assert case.by_page(head) == told[0]


def test_prices_of_portions_prove_more_than_the_per_row_bound_and_often_all_that_is_claimed():
    more = all_of_it = several = 0
    with Engine() as engine:
        for seed in (0, 2, 4, 6):
            found, least, _, _ = priced(engine, parted(seed), 6)
            more += found.prices is not None and found.prices.value > least.value
            all_of_it += found.prices is not None and found.bound == found.prices.value > least.value
            several += found.portions > 1
    assert more
    assert all_of_it
    assert several


def test_portions_that_nobody_looked_at_keep_their_per_row_prices():
    rows = [[i, j // 2, j % 2 * (i + 1), j % 3] for i in range(3) for j in range(4)]
    every = [vector for vector in PatternList([1] * 4).vectors if not vector[0]] + [(1,) * 4]
    problem = stars(types_of(rows), 2, vectors=every)

    class Once(Watch):
        @property
        def stopped(self):
            return bool(self.told)

        told = 0

        def tell(self, *_, **facts):
            self.told += "portions" in facts

    with Engine() as engine:
        whole, least, _, _ = priced(engine, problem, 4)
        found, _, _, prices = priced(engine, problem, 4, watch=Once())
    assert found.seen == 1 < found.portions
    assert least.value <= found.prices.value <= found.bound <= optimum(problem)
    assert found.prices.value <= whole.prices.value
    assert len(prices) == problem.types.t


def test_portions_that_do_not_part_exactly_give_no_prices():
    rows = np.random.default_rng([100, 2]).integers(0, 4, (40, 4))
    problem = stars(types_of(rows), 4, vectors=[v for v in PatternList([1] * 4).vectors if sum(v) < 3] + [(1,) * 4])
    with Engine() as engine:
        found, least, _, _ = priced(engine, problem, 10)
    assert found.portions > 1
    assert (found.prices, found.bound) == (None, 0)
    assert least.value > 0


def test_one_group_beyond_memory_is_left_as_it_is():
    rows = [[0, j] for j in range(9)] + [[1, 0], [1, 0]]
    problem = stars(types_of(rows), 2, vectors=[(0, 0), (0, 1)])
    with Engine() as engine:
        _, before, found = plans(engine, problem, 2)
    assert (found.lowered, before) == (0, 9)
    assert found.seen < found.portions


def test_fully_suppressed_rows_of_all_portions_are_a_crowd_or_none():
    """Portions may hold fewer than k of them; none may leave the others with fewer."""
    left = 0
    with Engine() as engine:
        for seed in range(2, how_many(60, 1) + 2):
            rng = np.random.default_rng([100, seed])
            rows = rng.integers(0, 4, (40, 4))
            vectors = [v for v in PatternList([1] * 4).vectors if sum(v) < 3] + [(1, 1, 1, 1)]
            problem = stars(types_of(rows), 4, vectors=vectors)
            types, before, found = plans(engine, problem, 10)
            plan = plan_of(engine, types, problem, found.plan)
            assert recount(problem, plan) <= before
            left += int(found.lowered > 0)
    assert left
