"""Branch and cut over one component: its bound, its releases, and what it does when it is stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from incrowd.jobs.solver_choice import choose_solver
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.recoding import load_recoding
from incrowd.tables.solve.exact import component, tuning
from incrowd.tables.solve.exact.branch_and_cut import BranchAndCut
from incrowd.tables.solve.exact.component import ComponentState
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of
from seeds import how_many, scaled

PARTS = 840_000


def drawn(seed, rows=8, columns=5):
    rng = np.random.default_rng([41, seed])
    table = rng.integers(0, 2 if rng.random() < 0.7 else 3, (rows, columns))
    types = types_of(table)
    return Problem(types, star_levels(types), PatternList([1] * columns), int(rng.integers(2, 5)), "suppress")


def parts(problem):
    """The problem's components, with nothing known of them."""
    instances = list_instances(problem)
    return [ComponentState.of(part, 1, PARTS, problem.k, None) for part in split(instances, labels(instances))]


@pytest.mark.few(1)
@pytest.mark.parametrize(("room", "idle"), [(0, 0), (3, 1)])
def test_cuts_left_out_of_the_program_come_back_when_they_are_needed(monkeypatch, room, idle):
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(cut_room=room, cut_idleness=idle))
    forgotten = 0
    for seed in range(how_many(25, 6)):
        problem = drawn(seed)
        pieces = parts(problem)
        for piece in pieces:
            if not piece.closed:
                piece.price(Watch())
                piece.branch(Watch(), 10**6, 10**12)
                prover = piece.prover
                assert piece.closed and piece.checked == piece.cost
                assert len(set(prover.inside)) == len(prover.inside)
                assert len({cut.key for cut in prover.cuts}) == len(prover.cuts)
                forgotten += len(prover.cuts) - len(prover.inside)
        assert sum(piece.cost for piece in pieces) == optimum(problem)
    assert forgotten


def test_an_interrupted_tree_keeps_a_true_bound_and_goes_on_later():
    stopped = 0
    for seed in range(scaled(40)):
        problem = drawn(seed)
        for piece in parts(problem):
            if piece.closed:
                continue
            piece.price(Watch())
            if piece.closed:
                continue
            watch = Watch()
            watch.interrupt()
            growing = BranchAndCut(piece.prover)
            before = piece.prover.value()
            assert growing.grow(piece.cost, watch, most=100, work=10**9) == before
            stopped += 1
            piece.branch(Watch(), 10**6, 10**12)
            assert piece.closed
    assert stopped


def test_the_integer_program_closes_what_has_no_tree(monkeypatch):
    """Without dives and trees: limits a little above the bound first, then everything cheaper than at hand."""
    monkeypatch.setattr(component, "dive", lambda *_, **__: None)
    programs = 0
    for seed in range(how_many(20, 5)):
        problem = drawn(seed)
        least = optimum(problem)
        for near_part, tries in ((2000, 3), (2, 1), (2000, 0)):
            chosen = tuning.Tuning(program_margin=near_part, program_tries=tries)
            monkeypatch.setattr(tuning, "DEFAULT", chosen)
            solution = Exact(leaves=0).solve(problem, Watch())
            assert solution.bound.value == solution.plan.cost(problem) == least
            programs += solution.bound.proof == "solver"
    assert programs


@pytest.mark.parametrize("name", ["exact", "auto"])
def test_a_job_that_wants_a_certificate_says_so_to_the_solver(name):
    problem = drawn(0)
    levels = load_recoding("levels")
    assert not choose_solver(problem, Job(solver=name), levels).certificate
    assert choose_solver(problem, Job(solver=name, certificate=Path("proof.json")), levels).certificate
