from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.better import better
from incrowd.tables.values import Bound
from oracles.problems import random_problem


def test_the_cheaper_release_keeps_its_maker_and_gets_the_higher_bound_whoever_comes_first():
    for seed in range(12):
        problem = random_problem(np.random.default_rng([52, seed]), full=True, outliers="suppress")
        first = Greedy(threads=1).solve(problem, Watch())
        cost = first.plan.cost(problem)
        if not first.bound.checked:
            continue
        other = dataclasses.replace(first, bound=Bound(0, 0, "none"), solver="other", certificate=None)
        best = better(problem, other, first, Watch(), 0.0)
        assert best.solver == "other"  # at the same cost the earlier one
        assert (best.bound.value, best.bound.checked) == (first.bound.value, first.bound.checked)
        assert best.status == ("optimal" if cost <= first.bound.value else "heuristic")
        assert best.certificate["cost"] == cost
