"""The exact solver under requirements against every partition, and what it declines."""

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.exact.under_requirements.solver import reason_against
from incrowd.tables.solve.shared.requirement_check import broken
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import FAMILIES, random_required
from seeds import seeds

STATED = [family for family in FAMILIES if family not in ("joint", "matrix", "delta")]


def check(problem):
    """Assert that the optimum is found, and return it."""
    best = optimum(problem)
    try:
        solution = Exact().solve(problem, Watch())
    except Infeasible:
        assert best is None
        return None
    assert best is not None
    assert broken(problem, solution.plan) is None
    cost = recount(problem, solution.plan)
    assert solution.bound.checked <= solution.bound.value <= best <= cost
    assert (solution.status == "optimal") == (cost == solution.bound.value)
    return best, cost, solution.bound.value


@pytest.mark.parametrize("family", STATED)
@seeds(400, 20)
def test_no_bound_is_above_the_optimum_and_no_release_breaks_a_requirement(family, seed):
    problem = random_required(np.random.default_rng([171, FAMILIES.index(family), seed]), family)
    if reason_against(problem) is None:
        check(problem)


@pytest.mark.parametrize("family", STATED)
def test_most_small_tables_are_closed(family):
    found = []
    for seed in range(20):
        problem = random_required(np.random.default_rng([172, FAMILIES.index(family), seed]), family)
        if reason_against(problem) is None:
            found.append(check(problem))
    closed = [entry for entry in found if entry is not None]
    assert closed
    assert sum(best == cost == bound for best, cost, bound in closed) >= 0.7 * len(closed)


def test_models_that_no_rows_say_exactly_are_declined_by_name():
    problem = random_required(np.random.default_rng(5), "joint")
    reason = Exact().declines(problem)
    assert reason is not None
    assert "no linear rows" in reason and "improve" in reason
