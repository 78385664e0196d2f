"""Theorem 3, literally: all sets of instances are guessed, and the best of them filled is the optimum."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.textbook.two_phase import TwoPhase, count_sets, guesses
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from seeds import how_many


def test_the_best_set_of_instances_filled_is_the_optimum():
    solved = hopeless = 0
    for seed in range(how_many(200, 25)):
        rng = np.random.default_rng([81, seed])
        problem = random_problem(rng, rows=int(rng.integers(1, 7)))
        if TwoPhase(most_sets=500).declines(problem) is not None:
            continue
        least = optimum(problem)
        try:
            solution = TwoPhase().solve(problem, Watch())
        except Infeasible as error:
            assert error.proven and least is None
            hopeless += 1
            continue
        assert recount(problem, solution.plan) == solution.bound.value == least
        assert solution.status == "optimal" and solution.bound.checked == 0
        solved += 1
    assert solved > 10 and hopeless


def test_guessed_are_all_sets_that_k_rows_each_can_fill_with_the_free_instances_in_every_one():
    for seed in range(30):
        problem = random_problem(np.random.default_rng([82, seed]), rows=6)
        instances = list_instances(problem)
        free, crowd = np.flatnonzero(instances.needs == 0), np.flatnonzero(instances.needs > 0)
        if crowd.size > 12:
            continue
        found = [tuple(np.flatnonzero(opened).tolist()) for opened in guesses(instances, problem.k)]
        wanted = {
            tuple(sorted((*chosen, *free.tolist())))
            for size in range(crowd.size + 1)
            for chosen in itertools.combinations(crowd.tolist(), size)
            if size * problem.k <= problem.types.n
        }
        assert len(found) == len(set(found)) == count_sets(instances, problem.k)
        assert set(found) == wanted


def test_too_many_sets_are_declined_with_their_number_and_out_of_time_nothing_is_proven():
    problem = stars(types_of([[i // 2, i % 3, i // 4] for i in range(8)]), 2)
    assert "more than 3; take solver 'exact'" in TwoPhase(most_sets=3).declines(problem)
    with pytest.raises(PolicyError, match="most_sets"):
        TwoPhase(most_sets=0)
    watch = Watch()
    watch.interrupt()
    with pytest.raises(Infeasible, match="in time") as caught:
        TwoPhase().solve(problem, watch)
    assert not caught.value.proven
