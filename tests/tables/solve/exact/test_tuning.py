"""Whatever the tuning says, the optimum and its bound are the same: it decides how fast they are found."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of
from seeds import how_many

OFF = (
    {"root_rounds": 0, "node_rounds": 0},
    {"root_candidates": 1, "least_candidates": 1},
    {"tree_programs": 0},
    {"program_tries": 0},
)


def drawn(seed, rows=9, columns=5):
    rng = np.random.default_rng([43, seed])
    table = rng.integers(0, 2 if rng.random() < 0.7 else 3, (rows, columns))
    types = types_of(table)
    return Problem(types, star_levels(types), PatternList([1] * columns), int(rng.integers(2, 5)), "suppress")


def test_every_mechanism_can_be_left_out_of_a_proven_optimum(monkeypatch):
    for seed in range(how_many(10, 3)):
        problem = drawn(seed)
        least = optimum(problem)
        for off in OFF:
            monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(**off))
            found = Exact(certificate=True).solve(problem, Watch())
            assert found.plan.cost(problem) == found.bound.value == least, off
