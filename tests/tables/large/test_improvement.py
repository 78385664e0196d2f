from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.large.improvement import improved
from incrowd.tables.large.leftovers import settled
from incrowd.tables.large.plan import counted
from incrowd.tables.large.sweep import sweep
from incrowd.tables.solve.auto import Auto
from oracles.brute_force import optimum
from oracles.large import in_engine, plan_of
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from seeds import how_many

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
