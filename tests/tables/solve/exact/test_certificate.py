from __future__ import annotations

import numpy as np
from tests.seeds import how_many

from incrowd.progress import Watch
from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of


def drawn(seed, rows=8, columns=5):
    rng = np.random.default_rng([41, seed])
    table = rng.integers(0, 2 if rng.random() < 0.7 else 3, (rows, columns))
    types = types_of(table)
    return Problem(types, star_levels(types), PatternList([1] * columns), int(rng.integers(2, 5)), "suppress")


def test_a_wanted_certificate_covers_what_a_program_said(monkeypatch):
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(tree_programs=0))
    weaker = 0
    for seed in range(how_many(25, 3)):
        problem = drawn(seed, rows=14)
        short, full = Exact().solve(problem, Watch()), Exact(certificate=True).solve(problem, Watch())
        assert short.plan.cost(problem) == full.plan.cost(problem) == short.bound.value
        assert full.bound.checked == full.bound.value
        weaker += short.bound.proof == "solver"
    assert weaker
