"""The search where there is a time limit ends in a release, never dearer than the first."""

from __future__ import annotations

import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.improve.annealing import Annealing
from incrowd.tables.solve.improve.restarts import evolve
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.time_share import TimeShare
from oracles.candidates_drawn import gathered, table
from oracles.plans import recount


@pytest.mark.few(1)
@pytest.mark.parametrize("seconds", [0.0, 0.4])
def test_evolving_ends_with_a_release_no_dearer_than_the_first(seconds):
    for seed in range(3):
        problem = table(seed)
        encoded, candidates = gathered(problem)
        watch = Watch()
        watch.limit(seconds)
        told = []
        annealing = Annealing(candidates, problem.k, 1.0)
        rows, programs = evolve(annealing, TimeShare.of(watch, None), seed=seed, enough=0, heard=told.append)
        assert holds(candidates.reduced, rows)
        assert cost_of(candidates.reduced, rows) <= cost_of(candidates.reduced, candidates.rows)
        assert recount(problem, candidates.plan(problem, encoded, rows)) <= cost_of(candidates.reduced, rows)
        assert (programs > 0) == (seconds > 0)
