"""Whichever kinds of cuts are looked for, the optimum and its bound are the same."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of
from seeds import how_many


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["instance_cuts", "set_cuts", "clique_cuts", "triple_cuts", "flow_cuts"])
def test_every_kind_of_cut_can_be_left_out_of_a_proven_optimum(monkeypatch, kind):
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(**{kind: False}))
    for seed in range(how_many(10, 3)):
        rng = np.random.default_rng([43, seed])
        types = types_of(rng.integers(0, 2 if rng.random() < 0.7 else 3, (9, 5)))
        problem = Problem(types, star_levels(types), PatternList([1] * 5), int(rng.integers(2, 5)), "suppress")
        found = Exact(certificate=True).solve(problem, Watch())
        assert found.plan.cost(problem) == found.bound.value == optimum(problem)
