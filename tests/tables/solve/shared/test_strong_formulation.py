"""The strong program: its whole optimum is the least release, its linear one a bound, never below that of the literal."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.milp import Linear, Outcome, solve
from incrowd.progress import Watch
from incrowd.tables.solve.shared.instances import common_step, list_instances
from incrowd.tables.solve.shared.row_assignment import best_rows, cost_of, to_plan
from incrowd.tables.solve.shared.strong_formulation import strong
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from seeds import how_many


def problems(count):
    """Problems with a list that holds every row type, and their optima (None: there is no release)."""
    for seed in range(count):
        rng = np.random.default_rng([111, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 8)))
        instances = list_instances(problem)
        if np.unique(instances.members).size == instances.t:
            yield problem, instances, optimum(problem)


@pytest.mark.parametrize("literal", [False, True])
def test_the_whole_optimum_is_that_of_trying_everything(literal):
    feasible = 0
    for problem, instances, least in problems(how_many(300, 18)):
        unit = common_step([level.cost for level in problem.levels])
        model = strong(instances, unit=unit, whole=literal, big=literal)
        answer = solve(model.program, watch=Watch())
        if least is None:
            assert answer.outcome is Outcome.INFEASIBLE
            continue
        assert round(answer.objective * unit) == least
        opened = model.opened(answer.x)
        rows = best_rows(instances, opened, answer.x[: instances.pairs], Watch())
        assert cost_of(instances, rows) == recount(problem, to_plan(problem, instances, rows)) == least
        assert opened[instances.owners[rows > 0]].all()
        feasible += 1
    assert feasible > 10


def test_rows_that_find_no_crowd_together_have_no_solution():
    # either column of two rows may go, but one of (0, 0), (0, 1), (1, 0) is always left over
    problem = stars(types_of([[0, 0], [0, 1], [1, 0]]), 2, vectors=[(0, 1), (1, 0)])
    assert optimum(problem) is None
    for literal in (False, True):
        model = strong(list_instances(problem), whole=literal, big=literal)
        assert solve(model.program, watch=Watch()).outcome is Outcome.INFEASIBLE


def test_the_linear_bound_lies_between_the_literal_one_and_the_optimum_and_releases_are_points_of_it():
    better = 0
    for _, instances, least in problems(how_many(300, 30)):
        if least is None:
            continue
        tight, loose = (strong(instances, big=big) for big in (False, True))
        values = [Linear(model.program).solve().objective for model in (loose, tight)]
        assert values[0] <= values[1] + 1e-6 and values[1] <= least + 1e-6
        better += values[1] > values[0] + 1e-6
        answer = solve(tight.program, watch=Watch())
        rows = best_rows(instances, tight.opened(answer.x), answer.x[: instances.pairs], Watch())
        point = tight.point(rows)
        assert abs(tight.program.cost @ point - least) < 1e-6
        assert (tight.opened(point) | (np.bincount(instances.owners, rows, instances.size) == 0)).all()
    assert better


def test_rows_asked_of_the_hub_lie_in_it():
    met = 0
    for problem, instances, least in problems(40):
        if least is None or instances.hub < 0:
            continue
        need = min(problem.types.n, problem.k + 1)
        model = strong(instances, hub_rows=need)
        answer = solve(model.program, watch=Watch())
        x = answer.x[: instances.pairs]
        assert round(x[instances.owners == instances.hub].sum(), 6) >= need
        assert answer.objective >= least - 1e-6
        met += 1
    assert met > 5
