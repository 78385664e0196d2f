"""Blocks solved anew: always a release, never dearer than before, never below the optimum."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.block_dives import dives_over
from incrowd.tables.solve.improve.candidates import tidy
from incrowd.tables.solve.improve.improve import Improve, Search
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import holds
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_levels, random_problem, types_of
from seeds import how_many, parts


def dived(problem, seconds=0.5, *, whole=False):
    """A greedy release and what dives make of it; None where there is no release."""
    try:
        first = Greedy().solve(problem, Watch())
    except Infeasible:
        return None
    encoded = encode(problem)
    plan = tidy(problem, encoded, first.plan)
    listed = list_instances(problem, encoded)
    rc = np.zeros(listed.size)
    assert rc.size == lagrangian.reduced_costs(listed, np.zeros(encoded.t)).size
    dives = dives_over(problem, encoded, plan, listed, rc, float(problem.scale), 0)
    watch = Watch()
    watch.limit(seconds)
    if whole:
        dives.exchange(np.arange(encoded.t), watch, thorough=True)
    else:
        dives.run(watch, lambda _: None)
    assert holds(dives.best.instances, dives.rows)
    return plan, dives.plan(), dives


@pytest.mark.parametrize("part", parts(3))
@pytest.mark.parametrize("whole", [False, True])
def test_dives_end_in_releases_between_the_optimum_and_the_first_and_often_reach_it(part, whole):
    better = reached = asked = 0
    for seed in range(how_many(60, 30)):
        rng = np.random.default_rng([109, part, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 9)))
        made = dived(problem, whole=whole)
        if made is None:
            continue
        plan, found, dives = made
        least, cost = optimum(problem), recount(problem, found)
        assert least <= cost <= plan.cost(problem)
        assert cost <= dives.cost
        asked += plan.cost(problem) > least
        better += cost < plan.cost(problem)
        reached += plan.cost(problem) > least == cost
    assert asked == 0 or better
    assert reached >= asked / 2


def test_a_dive_that_has_no_time_changes_nothing():
    problem = random_problem(np.random.default_rng([113, 4]), rows=8)
    made = dived(problem, 0.0)
    assert made is not None
    assert made[1].cost(problem) <= made[0].cost(problem)
    assert made[2].programs == 0


def test_a_small_table_is_dived_as_a_whole_before_it_is_annealed(monkeypatch):
    """With nothing else left to do: no annealing, no pairing, no time for blocks, no last assignment of rows."""
    off = {"polished_parts": 0, "dive_end": 1e-9}
    monkeypatch.setattr(tuning, "DEFAULT", dataclasses.replace(tuning.DEFAULT, **off))
    for step in ("anneal", "regroup"):
        monkeypatch.setattr(Search, step, lambda *_: None)
    better = 0
    for seed in range(6):
        problem = leveled_problem(np.random.default_rng([127, seed]))
        first = Greedy().solve(problem, Watch())
        watch = Watch()
        watch.limit(5.0)
        found = Improve().go_on(problem, watch, first)
        cost, before = recount(problem, found.plan), first.plan.cost(problem)
        assert found.bound.value <= cost <= before
        better += cost < before
    assert better >= 3


def leveled_problem(rng):
    """Forty rows, three columns with hierarchies of height 2."""
    types = types_of(rng.integers(0, 6, (40, 3)))
    levels = tuple(random_levels(rng, d, 2, uniform=False) for d in types.sizes)
    return Problem(types, levels, PatternList([2] * types.m, None), 3, "suppress")
