"""Prices under requirements: their bound, and candidates with their reduced costs."""

from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.bound_of_requirements import priced
from incrowd.tables.solve.improve.under_requirements import prices_of_requirements as module
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.prices_of_requirements import prices_of_requirements
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.time_limit import now
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(60, 12)
def test_the_bound_is_that_of_the_requirements_and_the_candidates_are_instances_of_the_problem(seed):
    problem = random_required(np.random.default_rng([68, seed]), FAMILIES[seed % len(FAMILIES)])
    try:
        first = Greedy().solve(problem, Watch())
    except Infeasible:
        return
    found = prices_of_requirements(problem, encode(problem), first, Watch())
    assert found.solution.bound == priced(problem, first, Watch())[0].bound
    assert found.instances is not None
    assert found.rc.shape == (found.instances.size,)
    assert found.instances.t == problem.types.t


def test_fewer_candidates_are_listed_where_there_is_room_for_fewer(monkeypatch):
    problem = random_required(np.random.default_rng([67, 0]), "frequency", rows=20, k=2)
    first = Greedy().solve(problem, Watch())
    every = prices_of_requirements(problem, encode(problem), first, Watch()).instances
    tight = dataclasses.replace(tuning.DEFAULT, candidate_pairs=max(every.pairs // 2, 1))
    monkeypatch.setattr(module.tuning, "DEFAULT", tight)
    assert prices_of_requirements(problem, encode(problem), first, Watch()).instances.pairs <= max(every.pairs // 2, 1)


def test_without_time_there_are_no_candidates():
    problem = random_required(np.random.default_rng([67, 0]), "frequency", rows=20, k=2)
    first = Greedy().solve(problem, Watch())
    found = prices_of_requirements(problem, encode(problem), first, now(Watch()))
    assert found.instances is None
    assert found.solution is first


def test_with_many_types_only_the_nearest_are_listed_where_the_first_release_is_near_the_bound(monkeypatch):
    problem = random_required(np.random.default_rng([67, 0]), "frequency", rows=20, k=2)
    first = Greedy().solve(problem, Watch())
    sizes = {}
    for types in (0, 1000):
        for near in (0.0, 1e9):
            other = dataclasses.replace(
                tuning.DEFAULT, large_types=types, near_large_from=near, near_reach=1e3, near_reach_large=-1e3
            )
            monkeypatch.setattr(module.tuning, "DEFAULT", other)
            sizes[types, near] = prices_of_requirements(problem, encode(problem), first, Watch()).instances.size
    assert sizes[0, 1e9] < sizes[0, 0.0] == sizes[1000, 0.0] == sizes[1000, 1e9]
