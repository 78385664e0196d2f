"""The least release under one level vector, against every vector tried."""

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.solve.global_recoding.lattice import Lattice
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from oracles.required import FAMILIES, random_required
from oracles.single_recoding import least_release
from seeds import seeds


def drawn(seed):
    """A problem with any mask, hierarchies, outlier rule and limit; every other one under requirements."""
    rng = np.random.default_rng([20, seed])
    family = FAMILIES[seed // 2 % len(FAMILIES)]
    problem = random_problem(rng) if seed % 2 else random_required(rng, family)
    n = problem.types.n
    limit = [None, 0, n // 4, n // 2, n][int(rng.integers(5))]
    return dataclasses.replace(problem, most_suppressed=limit)


def in_one_recoding(problem, plan, vector, suppressed):
    top = np.array(problem.top)
    full = (plan.levels == top).all(axis=1) & top.any()
    assert (plan.levels[~full] == np.array(vector)).all()
    assert plan.sizes()[full].sum() == suppressed


@seeds(5000, 400)
def test_no_vector_has_a_cheaper_release_and_the_first_of_equals_is_taken(seed):
    problem = drawn(seed)
    expected, fewest = least_release(problem)
    if expected is None:
        with pytest.raises(Infeasible) as error:
            Lattice(single=True).solve(problem, Watch())
        assert error.value.proven
        if fewest is not None:
            assert f"{Fraction(fewest, problem.types.n)} would do" in str(error.value)
        return
    solution = Lattice(single=True).solve(problem, Watch())
    cost, suppressed, vector = expected
    assert recount(problem, solution.plan) == solution.bound.value == solution.bound.checked == cost
    assert solution.status == "optimal"
    assert tuple(solution.certificate["levels"]) == vector
    assert solution.certificate["suppressed_rows"] == suppressed
    in_one_recoding(problem, solution.plan, vector, suppressed)


class Turns(Watch):
    """A watch that says stop after some questions."""

    def __init__(self, turns):
        super().__init__()
        self.turns = turns

    @property
    def stopped(self):
        self.turns -= 1
        return self.turns < 0


@seeds(300)
def test_stopped_early_it_has_a_release_and_a_bound_below_the_least(seed):
    problem = drawn(seed)
    expected, _ = least_release(problem)
    try:
        solution = Lattice(single=True).solve(problem, Turns(seed % 7))
    except Infeasible as error:
        assert expected is None or not error.proven
        return
    assert solution.bound.value <= expected[0] <= solution.plan.cost(problem)
    assert solution.status in ("optimal", "time_limit")


@seeds(300)
def test_with_a_gap_it_ends_within_it(seed):
    problem = drawn(seed)
    expected, _ = least_release(problem)
    if expected is None:
        return
    solution = Lattice(single=True, gap=0.5).solve(problem, Watch())
    bound = solution.bound.value
    assert bound <= expected[0] <= solution.plan.cost(problem) <= bound * Fraction(3, 2)
    assert solution.status in ("optimal", "gap")


def test_a_limit_that_no_vector_meets_is_refused_with_the_nearest():
    rows = [(0, 0), (0, 1), (1, 2), (2, 3)]
    problem = dataclasses.replace(stars(types_of(rows), 2, "suppress", [(0, 0), (0, 1), (1, 1)]), most_suppressed=1)
    with pytest.raises(
        Infeasible, match="at most 1 row may be suppressed.*is 2 rows .--suppression-limit 1/2 would do"
    ):
        Lattice(single=True).solve(problem, Watch())


def test_it_declines_where_one_recoding_is_not_asked_for():
    problem = stars(types_of([(0,), (0,)]), 2)
    assert "recoding=global" in Lattice().declines(problem)
    assert Lattice(single=True).declines(problem) is None


@pytest.mark.parametrize("gap", [-1.0, float("nan")])
def test_a_gap_is_at_least_0(gap):
    with pytest.raises(PolicyError, match="gap must be at least 0"):
        Lattice(gap=gap)
