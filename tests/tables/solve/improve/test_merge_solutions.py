"""Recombination: what comes of releases that meet is a release, never dearer, and the best one where all may be opened."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.improve.annealing import Annealing
from incrowd.tables.solve.improve.merge_solutions import Recombination
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.time_share import TimeShare
from oracles.brute_force import optimum
from oracles.candidates_drawn import gathered, table
from oracles.plans import recount
from oracles.problems import random_problem
from seeds import parts, scaled


def released(candidates, seed, moves):
    """Another release over the candidates."""
    annealing = Annealing(candidates, 3, 1.0)
    quiet = TimeShare(Watch(), None)
    return annealing.run(candidates.rows, quiet, total=moves, seed=seed, enough=0, heard=lambda cost: None)[1]


@pytest.mark.parametrize("part", parts(3))
def test_with_every_instance_open_to_it_one_piece_reaches_the_optimum(part):
    reached = gained = 0
    for seed in range(scaled(150)):
        rng = np.random.default_rng([71, part, seed])
        problem = random_problem(rng, rows=int(rng.integers(3, 9)))
        made = gathered(problem)
        if made is None:
            continue
        encoded, candidates = made
        best = Recombination(candidates.reduced, candidates.rows, seed)
        everything = np.ones(candidates.reduced.pairs, np.int64)
        pieces = best.pieces([everything])
        held = np.bincount(candidates.reduced.owners, weights=best.rows, minlength=candidates.reduced.size)
        crowds = int(((held > 0) & (candidates.reduced.needs > 0)).sum())
        if [len(piece) for piece in pieces] != [crowds]:
            continue
        first = best.cost
        assert best.improve(pieces[0], [everything], Watch(), 60.0)
        assert recount(problem, candidates.plan(problem, encoded, best.rows)) <= best.cost
        assert best.cost == optimum(problem)
        reached += 1
        gained += best.cost < first
    assert reached > scaled(20)
    assert gained


def test_releases_that_meet_give_a_release_that_is_never_dearer_and_at_times_cheaper_than_both():
    cheaper = 0
    for seed in range(scaled(24)):
        problem = table(seed)
        encoded, candidates = gathered(problem)
        J = candidates.reduced
        both = [released(candidates, seed + turn, 300) for turn in (0, 1000)]
        costs = sorted(cost_of(J, rows) for rows in both)
        best = Recombination(J, min(both, key=lambda rows: cost_of(J, rows)), seed)
        best._parts = (30, 100, 1000)[seed % 3]
        last = best.cost
        for _ in range(3):
            best.meet(both, Watch(), 60.0)
            assert holds(J, best.rows)
            assert best.cost == cost_of(J, best.rows) <= last
            last = best.cost
        assert recount(problem, candidates.plan(problem, encoded, best.rows)) <= last <= costs[0]
        cheaper += last < costs[0]
    assert cheaper > 3
