from __future__ import annotations

from dataclasses import replace

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.shared.requirement_check import broken
from oracles.plans import recount
from oracles.problems import random_problem


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
    assert solution.status == "optimal" and solution.bound.proof == (
        "solver" if solution.bound.value else "certificate"
    )
    assert recount(problem, solution.plan) == solution.bound.value
    return solution.bound.value


def test_larger_tables_agree_with_the_literal_recursion():
    for seed in range(4):
        rng = np.random.default_rng([35, seed])
        problem = replace(random_problem(rng, rows=11, full=True), k=2 + seed % 3)
        assert least(problem) == least(problem, "halves") == least(problem, "thirds")
