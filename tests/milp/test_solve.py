from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.milp import Linear, Outcome, Program, rows_of, solve
from incrowd.progress import Watch
from seeds import scaled


def knapsack(rng, n=7):
    """Whole x in {0, 1}: least -value within a weight."""
    value, weight = rng.integers(1, 20, n), rng.integers(1, 12, n)
    limit = int(weight.sum() // 2)
    rows = rows_of([(np.zeros(n, int), np.arange(n), weight)], [(np.array([-np.inf]), np.array([limit]))])
    program = Program(-value.astype(float), np.zeros(n), np.ones(n), np.ones(n, bool), rows)
    best = min(
        -int(value[list(chosen)].sum())
        for size in range(n + 1)
        for chosen in itertools.combinations(range(n), size)
        if weight[list(chosen)].sum() <= limit
    )
    return program, best


def test_small_programs_are_solved_to_the_optimum():
    for seed in range(scaled(40)):
        program, best = knapsack(np.random.default_rng(seed))
        answer = solve(program, watch=Watch())
        assert answer.outcome is Outcome.OPTIMAL
        assert answer.objective == pytest.approx(best)
        assert answer.bound == pytest.approx(best)
        assert Linear(program).solve().bound <= best + 1e-9


def test_nothing_below_a_cutoff_is_said_so():
    program, best = knapsack(np.random.default_rng(1))
    answer = solve(program, cutoff=best - 0.5)
    assert answer.outcome is Outcome.CUTOFF
    assert solve(program, cutoff=best + 0.5).objective == pytest.approx(best)


def test_an_infeasible_program_has_a_ray_and_no_solution():
    rows = rows_of([(np.zeros(1, int), np.zeros(1, int), np.ones(1))], [(np.array([2.0]), np.array([np.inf]))])
    program = Program(np.ones(1), np.zeros(1), np.ones(1), np.zeros(1, bool), rows)
    assert solve(program).outcome is Outcome.INFEASIBLE
    linear = Linear(program)
    answer = linear.solve()
    assert answer.outcome is Outcome.INFEASIBLE and answer.x is None


def test_a_start_is_taken_and_time_ends_a_run():
    program, best = knapsack(np.random.default_rng(3))
    assert solve(program, start=np.zeros(7)).objective == pytest.approx(best)
    watch = Watch()
    watch.limit(0)
    assert solve(program, watch=watch).outcome in (Outcome.TIME_LIMIT, Outcome.OPTIMAL)
