"""Runs that meet, within a time limit: the best release meets everything and is no dearer than the first."""

from __future__ import annotations

import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements.annealing import ClassAnnealing
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from incrowd.tables.solve.improve.under_requirements.class_programs import ClassPrograms, can_be_stated
from incrowd.tables.solve.improve.under_requirements.restarts import evolve
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of, to_plan
from incrowd.tables.solve.shared.time_share import TimeShare
from oracles.classes_drawn import rules_of, started


@pytest.mark.few(1)
@pytest.mark.parametrize("seconds", [0.0, 0.3])
def test_evolving_ends_with_a_release_no_dearer_than_the_first(seconds):
    asked = moves = 0
    for seed in range(20):
        made = started(seed, rows=25)
        if made is None or not can_be_stated(made[0]):
            continue
        problem, found, *_ = made
        J = found.instances
        if not is_release(problem, to_plan(problem, J, found.rows)):
            continue
        watch = Watch()
        watch.limit(seconds)
        told = []
        annealing = ClassAnnealing(found, kinds_of(problem), rules_of(problem), problem.k, 1.0)
        best = ClassPrograms(problem, J, found.rows, seed)
        evolve(
            annealing, best, TimeShare.of(watch, None), seed=seed, enough=0, heard=lambda cost, of, told=told: told.append(of)
        )  # fmt: skip
        assert is_release(problem, to_plan(problem, J, best.rows))
        assert best.cost == cost_of(J, best.rows) <= cost_of(J, found.rows)
        assert set(told) <= {"moves", "recombination"}
        moves += annealing.moves
        asked += 1
        if asked == 3:
            break
    assert asked
    assert (moves > 0) == (seconds > 0)
