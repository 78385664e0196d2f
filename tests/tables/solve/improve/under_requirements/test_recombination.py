"""Releases that meet under requirements give one that meets everything, is never dearer, and at times the cheapest."""

from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.annealing import ClassAnnealing
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from incrowd.tables.solve.improve.under_requirements.class_programs import ClassPrograms, can_be_stated
from incrowd.tables.solve.improve.under_requirements.recombination import Recombination
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of, to_plan
from incrowd.tables.solve.shared.time_limit import now
from incrowd.tables.solve.shared.time_share import TimeShare
from oracles.brute_force import optimum
from oracles.classes_drawn import rules_of, started
from seeds import how_many


def drawn(seed, rows):
    """A problem that programs can state, candidates, and whether rows per pair are a release."""
    made = started(seed, rows=rows)
    if made is None or not can_be_stated(made[0]):
        return None
    problem, found, *_ = made

    def released(some):
        return is_release(problem, to_plan(problem, found.instances, some))

    return (problem, found, released) if released(found.rows) else None


def other(problem, found, seed):
    annealing = ClassAnnealing(found, kinds_of(problem), rules_of(problem), problem.k, 1.0)
    quiet = TimeShare(Watch(), None)
    return annealing.run(found.rows, quiet, total=60, seed=seed, enough=0, heard=lambda cost: None)


def test_where_every_instance_is_open_to_it_a_meeting_reaches_the_optimum(monkeypatch):
    monkeypatch.setattr(tuning, "DEFAULT", dataclasses.replace(tuning.DEFAULT, met_parts=10_000, program_nodes=10_000))
    reached = gained = 0
    for seed in range(how_many(160, 25)):
        made = drawn(seed, 7)
        if made is None:
            continue
        problem, found, _ = made
        J = found.instances
        best = ClassPrograms(problem, J, found.rows, seed)
        crowds = np.unique(J.owners[(found.rows > 0) & (J.needs[J.owners] > 0)])
        ended = Recombination(best, seed).meet([np.ones(J.pairs, np.int64)], Watch(), None)
        if not ended or crowds.size < 2:
            continue
        least = optimum(problem)
        assert best.cost >= least
        reached += best.cost == least
        gained += cost_of(J, found.rows) > best.cost == least
    assert reached > 3
    assert gained


def test_meetings_end_in_releases_that_are_never_dearer():
    cheaper = 0
    for seed in range(how_many(80, 60)):
        made = drawn(seed, 24)
        if made is None:
            continue
        problem, found, released = made
        J = found.instances
        others = [rows for rows in (other(problem, found, turn) for turn in range(3)) if released(rows)]
        if not others:
            continue
        first = min(others, key=lambda rows: cost_of(J, rows))
        best = ClassPrograms(problem, J, first, seed)
        meetings, last = Recombination(best, seed), best.cost
        for _ in range(2):
            meetings.meet(others, Watch(), None)
            assert released(best.rows)
            assert cost_of(J, best.rows) == best.cost <= last
            last = best.cost
        cheaper += last < cost_of(J, first)
    assert cheaper


def test_without_time_nothing_meets():
    problem, found, _ = next(made for made in (drawn(seed, 24) for seed in range(60)) if made is not None)
    best = ClassPrograms(problem, found.instances, found.rows, 0)
    Recombination(best, 0).meet([np.ones(found.instances.pairs, np.int64)], now(Watch()), None)
    assert best.programs == 0
