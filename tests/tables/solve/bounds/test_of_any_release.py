from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.bounds.of_any_release import improve_bound
from oracles.brute_force import optimum
from oracles.problems import random_problem
from seeds import how_many


def drawn(count, seed, **given):
    for n in range(count):
        rng = np.random.default_rng([seed, n])
        problem = random_problem(rng, **given)
        highest = sum(int(level.cost.max()) for level in problem.levels) + 1
        yield problem, rng.integers(-2, 2 * highest, problem.types.t).astype(np.int64)


def test_bounds_rise_with_time_and_are_never_above_the_optimum():
    met = 0
    for problem, _ in drawn(how_many(120, 16), 7, rows=8):
        least = optimum(problem)
        if least is None:
            continue
        values = [improve_bound(problem, least, Watch(), rounds=rounds).bound.value for rounds in (0, 1, 6)]
        assert values == sorted(values)
        assert values[-1] <= least
        met += values[-1] > values[0]
    assert met > 5


def test_a_stopped_watch_leaves_the_counting_bound():
    problem, _ = next(drawn(1, 8))
    watch = Watch()
    watch.interrupt()
    assert improve_bound(problem, 10**9, watch).instances is None
