from __future__ import annotations

import numpy as np

from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.problems import random_problem


def problems(count, seed):
    return [random_problem(np.random.default_rng([seed, n])) for n in range(count)]


def test_the_first_vector_above_is_allowed_and_cheapest():
    for problem in problems(80, 8):
        encoded = encode(problem)
        closure = CanonicalPattern(problem, encoded)
        rng = np.random.default_rng(8)
        reps = rng.integers(0, problem.types.t, 6).astype(np.int32)
        common = np.array([[rng.integers(0, level.height + 1) for level in problem.levels] for _ in reps], np.int8)
        for wanted, rep, got in zip(common, reps, closure.first(common, reps), strict=True):
            above = [v for v in problem.patterns.vectors if all(a >= b for a, b in zip(v, wanted, strict=True))]
            if not above:
                assert (got == -1).all()
                continue

            def key(v, rep=rep, problem=problem):
                cost = int(problem.row_costs(v)[rep])
                return cost, sum(x == level.height for x, level in zip(v, problem.levels, strict=True)), v

            assert tuple(got.tolist()) == min(above, key=key)
