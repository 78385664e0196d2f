from __future__ import annotations

import numpy as np
import pytest

from engines import SPARK, spark_wanted
from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine
from incrowd.tables.large import sweep as module
from incrowd.tables.large.floor import floor
from incrowd.tables.large.leftovers import settled
from incrowd.tables.large.plan import counted
from incrowd.tables.large.sweep import sweep
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Levels, Problem
from oracles.large import groups_of, in_engine, plan_of
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, stars, types_of
from seeds import how_many


def released(engine, problem):
    """Return the engine's plan, brought into memory, and its bound; or why there is none."""
    types, instances = in_engine(engine, problem)
    try:
        swept = sweep(types, instances, problem.types.n, Watch())
        bound = floor(types, instances, swept, Watch())
        plan = settled(instances, swept, Watch())
        total = counted(engine, plan)
    except Infeasible as error:
        return str(error), error.proven
    made = plan_of(engine, types, problem, plan)
    assert recount(problem, made) == made.cost(problem) == total.cost(problem)
    told = dict(zip(*total.by_pattern()[:2], strict=True))
    sizes = {}
    for vector, rows in zip(*made.by_pattern()[:2], strict=True):
        sizes[vector] = sizes.get(vector, 0) + rows
    assert told == sizes
    return groups_of(problem, made), bound.value


def in_memory(problem):
    try:
        solution = Greedy(threads=1).solve(problem, Watch())
    except Infeasible as error:
        return str(error), error.proven
    return groups_of(problem, solution.plan), solution.bound.value


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=SPARK) for seed in range(4)])
def test_spark_makes_the_same_plan_and_bound_type_by_type(seed):
    spark_wanted()
    rng = np.random.default_rng([92, seed])
    problem = random_problem(rng, rows=int(rng.integers(10, 40)), uniform=bool(seed % 2), full=bool(seed % 3))
    with open_engine("spark", None) as engine:
        there = released(engine, problem)
    assert there == in_memory(problem)


@pytest.mark.few(1)
@pytest.mark.parametrize("uniform", [True, False])
def test_plan_and_bound_are_those_of_the_greedy_in_memory_type_by_type(uniform):
    met = {"rest": 0, "none": 0}
    with Engine() as engine:
        for seed in range(how_many(300, 2)):
            rng = np.random.default_rng([92, uniform, seed])
            rows = int(rng.integers(4, 40))
            problem = random_problem(rng, rows=rows, uniform=uniform, full=bool(seed % 3))
            ours, theirs = released(engine, problem), in_memory(problem)
            assert ours == theirs, f"seed {seed}"
            met["none"] += isinstance(ours[0], str)
    assert met["none"] < 150


def uneven(rng):
    """Values in threes whose labels cost 1, 2, 3 or 4, beside a column that makes crowds of them uneven."""
    types = types_of(np.stack([rng.integers(0, 12, 40), rng.integers(0, 3, 40)], axis=1))
    up = np.array([np.arange(12), np.arange(12) // 3, np.zeros(12)], np.int32)[:, : types.sizes[0]]
    cost = np.array([np.zeros(12), 1 + np.arange(12) // 3, np.full(12, 6)], np.int64)[:, : types.sizes[0]]
    levels = (Levels(up, cost), star_levels(types)[1])
    return Problem(types, levels, PatternList([2, 1]), 3)


def test_more_costs_than_turns_are_closed_band_by_band_and_the_plan_still_holds(monkeypatch):
    monkeypatch.setattr(module, "TURNS", 1)
    problem = uneven(np.random.default_rng(93))
    with Engine() as engine:
        types, instances = in_engine(engine, problem)
        swept = sweep(types, instances, problem.types.n, Watch())
        plan = plan_of(engine, types, problem, settled(instances, swept, Watch()))
        bound = floor(types, instances, swept, Watch())
    assert bound.value == in_memory(problem)[1] <= recount(problem, plan)
    assert swept.notes == ("costs within a pattern told apart by 1 steps",)


def test_a_stop_leaves_what_was_closed_and_the_rest_is_suppressed():
    problem = stars(types_of([[i % 2, i % 3, i] for i in range(12)]), 3)
    watch = Watch()
    watch.on_event = lambda event: watch.interrupt()
    with Engine() as engine:
        types, instances = in_engine(engine, problem)
        swept = sweep(types, instances, 12, watch)
        assert swept.cut_short
        assert 0 < swept.left <= 12
        plan = plan_of(engine, types, problem, settled(instances, swept, Watch()))
        assert recount(problem, plan) <= 12 * 3
        bound = floor(types, instances, swept, watch)  # the bound of nothing looked at
        assert (bound.value, bound.complete) == (0, False)


def test_a_mask_beyond_the_patterns_that_are_walked_through_says_so(monkeypatch):
    monkeypatch.setattr(module, "PATTERNS", 2)
    problem = stars(types_of([[i % 2, i % 3, i] for i in range(12)]), 3)
    with Engine() as engine:
        types, instances = in_engine(engine, problem)
        swept = sweep(types, instances, 12, Watch())
        assert swept.notes == ("the 2 cheapest patterns of the mask",)
        plan = plan_of(engine, types, problem, settled(instances, swept, Watch()))
    assert recount(problem, plan) == plan.cost(problem)
