"""The exact solver under requirements against every partition, and what it declines."""

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.exact.under_requirements.solver import Search, reason_against
from incrowd.tables.solve.shared.requirement_check import broken
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import FAMILIES, random_required
from seeds import how_many, seeds

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


@pytest.mark.few(5)
@pytest.mark.parametrize("family", STATED)
@seeds(400, 8)
def test_no_bound_is_above_the_optimum_and_no_release_breaks_a_requirement(family, seed):
    problem = random_required(np.random.default_rng([171, FAMILIES.index(family), seed]), family)
    if reason_against(problem) is None:
        check(problem)


@pytest.mark.few(5)
@pytest.mark.parametrize("family", STATED)
def test_most_small_tables_are_closed(family):
    found = []
    for seed in range(how_many(20, 10)):
        problem = random_required(np.random.default_rng([172, FAMILIES.index(family), seed]), family)
        if reason_against(problem) is None:
            found.append(check(problem))
    closed = [entry for entry in found if entry is not None]
    assert closed
    assert sum(best == cost == bound for best, cost, bound in closed) >= 0.7 * len(closed)


@seeds(400, 20)
def test_prices_on_the_hub_leave_the_optimum_between_bound_and_release(seed, monkeypatch):
    family = ("frequency", "alpha-k", "beta", "two columns")[seed % 4]
    problem = random_required(np.random.default_rng([173, FAMILIES.index(family), seed]), family)
    # the prices come first, whether or not the linear programs break a requirement in the hub together
    monkeypatch.setattr(Search, "suppression_fails", lambda self: True)
    if reason_against(problem) is None:
        check(problem)


def test_the_hub_of_some_small_tables_is_priced(monkeypatch):
    priced = []
    plain = Search.with_suppression_priced

    def seen(self, *args):
        found = plain(self, *args)
        priced.append(self.prices is not None)
        return found

    monkeypatch.setattr(Search, "with_suppression_priced", seen)
    for family, seed in (("frequency", 15), ("alpha-k", 11), ("alpha-k", 49), ("beta", 10), ("two columns", 8)):
        best, cost, bound = check(random_required(np.random.default_rng([231, FAMILIES.index(family), seed]), family))
        assert best == cost == bound
    assert sum(priced) >= 3


def test_models_that_no_rows_say_exactly_are_declined_by_name():
    problem = random_required(np.random.default_rng(5), "joint")
    reason = Exact().declines(problem)
    assert reason is not None
    assert "no linear rows" in reason and "improve" in reason
