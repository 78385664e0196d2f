"""The prices of k under requirements: candidates with their reduced costs."""

from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.bound_of_requirements import k_prices
from incrowd.tables.solve.improve.under_requirements import prices as module
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.prices import favoured_by_k
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(60, 12)
def test_the_candidates_are_instances_of_the_problem(seed):
    problem = random_required(np.random.default_rng([67, seed]), FAMILIES[seed % len(FAMILIES)])
    try:
        first = Greedy().solve(problem, Watch())
    except Infeasible:
        return
    found = favoured_by_k(problem, first, k_prices(problem, Watch())[0], Watch())
    assert found.solution is first
    assert found.instances is not None
    assert found.rc.shape == (found.instances.size,)
    assert found.instances.t == problem.types.t


def drawn():
    return random_required(np.random.default_rng([67, 0]), "frequency", rows=20, k=2)


def test_fewer_candidates_are_listed_where_there_is_room_for_fewer(monkeypatch):
    problem = drawn()
    first = Greedy().solve(problem, Watch())
    pricing = k_prices(problem, Watch())[0]
    every = favoured_by_k(problem, first, pricing, Watch()).instances
    tight = dataclasses.replace(tuning.DEFAULT, candidate_pairs=max(every.pairs // 2, 1))
    monkeypatch.setattr(module.tuning, "DEFAULT", tight)
    assert favoured_by_k(problem, first, pricing, Watch()).instances.pairs <= every.pairs


def test_after_an_interruption_there_are_no_candidates():
    problem = drawn()
    first = Greedy().solve(problem, Watch())
    watch = Watch()
    watch.interrupted = True
    found = favoured_by_k(problem, first, k_prices(problem, Watch())[0], watch)
    assert found.instances is None
    assert found.solution is first
