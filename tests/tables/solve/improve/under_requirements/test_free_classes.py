"""Annealing over classes that show what their rows share: releases, sometimes the cheapest."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.column_generation import star_of
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.improve.under_requirements import search
from incrowd.tables.solve.improve.under_requirements.free_classes import FreeClasses, is_release
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.time_limit import TimeShare
from oracles.brute_force import optimum
from oracles.free_drawn import rules_of
from oracles.plans import recount
from oracles.required import FAMILIES, random_required
from seeds import how_many, scaled, seeds


def searched(problem, plan, *, seed=0, watch=None, total=1500):
    encoded = encode(problem)
    loose = FreeClasses(problem, encoded, rules_of(problem), star_of(problem, encoded))
    until = TimeShare.of(watch or Watch(), None)
    return loose.run(plan, until, total=total, seed=seed, enough=0, heard=lambda _: None)


def test_what_is_found_is_a_release_no_cheaper_than_the_optimum_and_sometimes_as_cheap():
    """All models, any mask, hierarchies, weights, both outlier rules."""
    asked = better = reached = 0
    for seed in range(how_many(640, 38)):
        problem = random_required(np.random.default_rng([67, seed]), FAMILIES[seed % len(FAMILIES)])
        try:
            first = Greedy().solve(problem, Watch()).plan
        except Infeasible:
            continue
        found = searched(problem, first, seed=seed)
        if found is None:
            continue
        least, cost = optimum(problem), recount(problem, found)
        assert is_release(problem, found)
        assert least <= cost
        greedy = first.cost(problem)
        asked += greedy > least
        better += cost < greedy
        reached += greedy > least == cost
    assert asked >= better >= reached > asked // 3


@seeds(16, 4)
def test_the_same_seed_and_work_find_the_same(seed):
    problem = random_required(np.random.default_rng([68, seed]), FAMILIES[seed], rows=60)
    try:
        first = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return
    one, two = (searched(problem, first, seed=seed, total=800) for _ in range(2))
    assert (one is None) == (two is None)
    if one is not None:
        assert np.array_equal(one.levels, two.levels)
        assert np.array_equal(one.part_rows, two.part_rows)


def test_an_interrupted_search_ends_at_once():
    problem = random_required(np.random.default_rng(3), "frequency", rows=60)
    first = Greedy().solve(problem, Watch()).plan
    watch = Watch()
    watch.interrupted = True
    assert searched(problem, first, watch=watch, total=10**12) is None


def test_it_is_asked_where_instances_are_too_many_to_list(monkeypatch):
    monkeypatch.setattr(search, "listable", lambda _: False)
    better = 0
    for seed in range(scaled(24)):
        problem = random_required(np.random.default_rng([69, seed]), FAMILIES[seed % len(FAMILIES)], rows=24)
        try:
            greedy = Greedy().solve(problem, Watch())
        except Infeasible:
            continue
        found = Improve(work=800, seed=seed).solve(problem, Watch())
        assert is_release(problem, found.plan)
        assert found.bound.value <= found.plan.cost(problem) <= greedy.plan.cost(problem)
        better += found.plan.cost(problem) < greedy.plan.cost(problem)
    assert better > 0
