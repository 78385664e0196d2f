"""Exact, the literal program, the two-phase algorithm and trying everything: the same optimum, and no bound above it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.of_any_release import improve_bound
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.solve.textbook.two_phase import TwoPhase
from incrowd.tables.verify.bound.certificate import recheck
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import as_table, hub_problem, random_problem
from seeds import how_many, parts, scaled


def solved(solver, problem):
    try:
        return solver.solve(problem, Watch())
    except Infeasible:
        return None


def check(problem, *, two_phase=True):
    """Assert that all of them agree; return the optimum and what `exact` said of it."""
    least = optimum(problem)
    solvers = [Exact(), Ilp()]
    if two_phase and TwoPhase(most_sets=3000).declines(problem) is None:
        solvers.append(TwoPhase())
    outcome = None
    for solver in solvers:
        solution = solved(solver, problem)
        if least is None:
            assert solution is None, f"{solver.name} found a release where there is none"
            continue
        assert solution is not None, f"{solver.name} found none"
        cost = recount(problem, solution.plan)
        assert cost == solution.plan.cost(problem)
        assert cost == least, f"{solver.name}: {cost} instead of {least}"
        assert solution.bound.checked <= solution.bound.value == least, solver.name
        assert solution.status == "optimal"
        outcome = outcome or solution
    if least is not None:
        certified(problem, outcome)
        bounding = improve_bound(problem, least, Watch())
        assert bounding.bound.checked == bounding.bound.value <= least
        written = by_prices(problem, least, bounding.bound, bounding.whole, bounding.parts)
        assert recheck(as_table(problem), json.loads(json.dumps(written)), least).proven
    return least, outcome


def certified(problem, solution):
    """Assert that a stranger finds in the certificate what the solver says is checked."""
    written = json.loads(json.dumps(solution.certificate))
    cost = solution.plan.cost(problem)
    found = recheck(as_table(problem), written, cost)
    assert found.violations == ()
    assert solution.bound.checked <= found.lower_bound <= cost
    assert found.proven == (found.lower_bound >= solution.bound.value)


def draw(seed):
    rng = np.random.default_rng(seed)
    return random_problem(rng, rows=int(rng.integers(1, 9)))


@pytest.mark.parametrize("part", parts(6))
def test_the_solvers_agree_with_trying_everything(part):
    infeasible = 0
    for seed in range(scaled(60)):
        least, _ = check(draw([5, part, seed]))
        infeasible += least is None
    assert infeasible


def test_few_rows_in_the_hub_are_decided_exactly():
    met = 0
    tables = how_many(120, 18)
    for seed in range(tables):
        problem = hub_problem(np.random.default_rng(seed))
        _, outcome = check(problem, two_phase=False)
        met += outcome is not None and any("fully suppressed" in note for note in outcome.notes)
    assert met >= tables / 12, "the case was hardly met"


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(20))
def test_the_solvers_agree_tens_of_thousands_of_times(part):
    for seed in range(1000):
        check(draw([6, part, seed]))
    for seed in range(200):
        check(hub_problem(np.random.default_rng([7, part, seed])), two_phase=False)
