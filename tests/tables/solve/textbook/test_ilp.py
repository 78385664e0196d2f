"""The integer program of the paper as a solver."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import incrowd
from incrowd.errors import Infeasible, PolicyError
from incrowd.memory.size import MB
from incrowd.progress import Watch
from incrowd.tables.solve.textbook import ilp
from incrowd.tables.solve.textbook.ilp import PAIR, Ilp
from oracles.brute_force import optimum
from oracles.problems import random_problem
from seeds import seeds

# Six rows on which the engine's presolve went round for ever, given the cutoff of the greedy release.
ENDLESS = {
    "a": ["a0", "a2", "a0", "a0", "a0", "a2"],
    "b": ["b1", "b0", "b0", "b1", None, None],
    "c": ["c0", "c1", "c0", "c1", "c1", "c1"],
    "s": ["y", "z", "y", "x", "x", "x"],
}


def test_six_rows_whose_program_the_engine_could_not_presolve_are_solved():
    release = incrowd.anonymize(
        pl.DataFrame(ENDLESS), quasi_identifiers=("a", "b", "c"), sensitive=("s",), k=4, l=2, t="1/4",
        outliers="suppress", solver="ilp", time_limit=20,
    )  # fmt: skip
    facts = release.facts
    assert (facts["cost"], facts["lower_bound"], facts["status"]) == (18, 18, "optimal")


@seeds(100)
def test_without_a_release_to_start_from_the_program_finds_the_same_optimum(seed):
    problem = random_problem(np.random.default_rng([71, seed]), rows=6)
    least = optimum(problem)
    if least is None:
        with pytest.raises(Infeasible):
            Ilp(first=False).solve(problem, Watch())
        return
    found, bound = Ilp(first=False).attempt(problem, Watch())
    assert found.plan.cost(problem) == bound == least


def test_without_time_and_without_a_first_release_there_is_none_but_a_bound():
    problem = random_problem(np.random.default_rng(1), rows=6)
    watch = Watch()
    watch.limit(0)
    assert Ilp(first=False).attempt(problem, watch) == (None, 0)
    with pytest.raises(Infeasible):
        Ilp(first=False).solve(problem, watch)


def test_it_starts_where_the_memory_at_hand_does_for_its_program(monkeypatch):
    problem = random_problem(np.random.default_rng(1), rows=6)
    need = problem.types.t * problem.patterns.count() * PAIR
    for room in (None, need, 10 * need):
        monkeypatch.setattr(ilp, "at_hand", lambda room=room: room)
        declined = Ilp().declines(problem)
        assert (declined is None) == (room != need)  # a share of what is there is planned with
    assert "at hand" in Ilp(room_mb=1).declines(problem) if need > MB else Ilp(room_mb=1).declines(problem) is None
    with pytest.raises(PolicyError, match="room_mb"):
        Ilp(room_mb=0)
