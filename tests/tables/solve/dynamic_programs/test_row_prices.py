from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.dynamic_programs import subset_dp
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.shared.requirement_check import broken
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import random_problem
from oracles.required import FAMILIES, random_required
from seeds import scaled


def least(problem, recursion="first_group"):
    """The cost of what the solver finds, recounted; None if it proves that there is nothing."""
    solver = SubsetDp(recursion=recursion)
    assert solver.declines(problem) is None
    try:
        solution = solver.solve(problem, Watch())
    except Infeasible as error:
        assert error.proven
        return None
    assert broken(problem, solution.plan) is None
    # under requirements prices may prove it, and a bound of 0 needs no proof
    proven = ("certificate",) if not solution.bound.value else ("solver", "certificate")
    assert solution.status == "optimal" and solution.bound.proof in proven[: 2 if problem.requirements else 1]
    assert recount(problem, solution.plan) == solution.bound.value
    return solution.bound.value


def test_without_prices_the_same_optimum_is_found(monkeypatch):
    monkeypatch.setattr(subset_dp, "ROOM", 0)  # no group may be listed: all are looked at
    for seed in range(scaled(60)):
        rng = np.random.default_rng([34, seed])
        problem = random_problem(rng, rows=1 + seed % 8) if seed % 2 else random_required(rng, FAMILIES[seed % 16])
        assert least(problem) == optimum(problem)
