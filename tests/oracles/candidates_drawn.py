"""Candidates of the search from tables drawn at random."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.candidates import gather
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of


def gathered(problem):
    """Every kept instance as a candidate, from the greedy's release; None where there is no release."""
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return None
    encoded = encode(problem)
    stored = list_instances(problem, encoded)
    return encoded, gather(problem, encoded, plan, stored, np.zeros(encoded.t), np.inf, 10**9)


def table(seed):
    """Rows enough for releases that differ, values shared evenly."""
    rng = np.random.default_rng([67, seed])
    n, m = int(rng.integers(80, 120)), 5
    types = types_of(np.stack([rng.integers(0, rng.integers(3, 7), n) for _ in range(m)], axis=1))
    every = PatternList([1] * m).vectors
    chosen = {v for v in every if seed % 3 or rng.random() < 0.6} | {(1,) * m}
    outliers = ("forbid", "suppress")[seed % 2]
    return Problem(types, star_levels(types), PatternList([1] * m, chosen), int(rng.integers(3, 6)), outliers)
