"""What `exact`, `ilp` and `two_phase` promise beside the optimum: refusals, statuses, real tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.compress import compress
from incrowd.tables.mask import Mask
from incrowd.tables.solve.bounds.column_generation import improve_bound
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.solve.textbook.two_phase import TwoPhase
from incrowd.tables.values import Problem
from incrowd.tables.verify.recount import AnyMask, Table, recheck
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import scaled


def pose(table, mask, k, outliers="suppress"):
    types = compress(table).types
    names = [column.name for column in table.quasi_identifiers]
    return Problem(types, star_levels(types), mask.compile(names, [1] * types.m), k, outliers)


def rechecked(problem, solution):
    table = Table(
        codes=problem.types.codes, counts=problem.types.counts, levels=problem.levels,
        mask=AnyMask(problem.patterns.allows), k=problem.k, outliers=problem.outliers, scale=problem.scale,
    )  # fmt: skip
    return recheck(table, solution.certificate, solution.plan.cost(problem))


def user_mask():
    return Mask(
        max_stars=2,
        keep=["education", "salary-class"],
        together=[["workclass", "occupation"]],
        at_most_one=[["age", "sex", "race"]],
    )


@pytest.mark.parametrize(("k", "least"), [(10, 11462), (25, 13722), (100, 14730)])
def test_cmc_with_two_stars_has_its_known_optimum(cmc, k, least):
    problem = pose(cmc, Mask(max_stars=2), k)
    solution = Exact().solve(problem, Watch())
    assert recount(problem, solution.plan) == solution.bound.value == solution.bound.checked == least
    found = rechecked(problem, solution)
    assert found.proven and found.lower_bound == least


@pytest.mark.proofs  # of a smaller table in the test after it
def test_adult2_with_the_user_mask_has_its_known_optimum(adult2):
    problem = pose(adult2, user_mask(), 100)
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == 197421
    assert rechecked(problem, solution).proven


def test_forbidden_outliers_cost_little_more_on_cmc(cmc):
    """Suppressing is a relaxation of forbidding: its optimum is a lower bound."""
    free = Exact().solve(pose(cmc, Mask(max_stars=2), 10), Watch())
    bound = Exact().solve(pose(cmc, Mask(max_stars=2), 10, "forbid"), Watch())
    assert free.bound.value <= bound.bound.value <= 1.002 * free.bound.value


def test_nursery_is_closed_by_counting_alone():
    types = types_of(list(itertools.product(*map(range, (3, 5, 4, 4, 3, 2, 3, 3)))))
    patterns = Mask().compile([f"c{j}" for j in range(8)], [1] * 8)
    for k, stars in ((5, 1), (6, 2), (100, 4)):
        solution = Exact().solve(Problem(types, star_levels(types), patterns, k), Watch())
        assert solution.bound.method == "per row"
        assert solution.plan.cost(solution_problem := Problem(types, star_levels(types), patterns, k)) == 12960 * stars
        assert rechecked(solution_problem, solution).proven


def hard(seed=3, n=24):
    rng = np.random.default_rng(seed)
    types = types_of(rng.integers(0, 4, (n, 5)))
    return Problem(types, star_levels(types), PatternList([1] * 5), 3, "suppress")


@pytest.mark.parametrize("solver", [Exact(), Ilp()])
def test_no_time_is_the_greedy_with_its_bound(solver):
    problem = hard()
    watch = Watch()
    watch.limit(0)
    solution = solver.solve(problem, watch)
    assert solution.status == "time_limit"
    assert solution.bound.value <= recount(problem, solution.plan)


def test_an_interrupted_run_has_a_release_and_a_bound():
    problem = hard()
    watch = Watch()
    stages = []

    def stop(event):
        stages.append(event.stage)
        if "components_open" in event.facts:
            watch.interrupt()

    watch.on_event = stop
    solution = Exact().solve(problem, watch)
    assert solution.status in ("interrupted", "optimal")
    assert solution.bound.value <= recount(problem, solution.plan)
    assert "solve" in stages


def test_cost_falls_and_bound_rises_while_it_runs():
    costs, bounds = [], []

    def note(event):
        if "components_open" in event.facts:
            costs.append(event.facts["cost"])
            bounds.append(event.facts["lower_bound"])

    for seed in range(5):
        costs.clear()
        bounds.clear()
        solution = Exact().solve(hard(seed), Watch(on_event=note))
        assert costs == sorted(costs, reverse=True) and bounds == sorted(bounds)
        assert solution.bound.value == solution.plan.cost(hard(seed))


def test_a_wide_gap_is_accepted_at_once():
    problem = hard()
    solution = Exact(gap=10.0).solve(problem, Watch())
    assert solution.status in ("gap", "optimal")
    assert solution.plan.cost(problem) <= 11 * solution.bound.value


def test_without_trees_the_rest_is_a_solvers_word():
    met = 0
    for seed in range(12):
        problem = hard(seed)
        solution = Exact(leaves=0).solve(problem, Watch())
        full = Exact().solve(problem, Watch())
        assert solution.plan.cost(problem) == full.plan.cost(problem) == full.bound.checked
        found = rechecked(problem, solution)
        assert not found.violations
        assert found.lower_bound == solution.bound.checked
        met += solution.bound.proof == "solver"
        assert found.proven == (solution.bound.proof == "certificate")
    assert met


def test_the_fixed_parameter_algorithm_declines_other_requirements():
    solver = registry.load("solvers", "two_phase")()
    assert solver.name == "two_phase" and solver.summary
    problem = random_problem(np.random.default_rng(0))
    assert "no further requirement" in solver.declines(replace(problem, requirements=(object(),)))


def test_too_many_instances_are_refused_with_a_number():
    types = types_of(np.random.default_rng(1).integers(0, 50, (3000, 16)))
    problem = Problem(types, star_levels(types), Mask().compile([f"c{j}" for j in range(16)], [1] * 16), 5)
    assert "65,536 patterns" in Exact().declines(problem)
    assert "here 3000 * 65536 = 196608000, for which it takes about 393.2 GB of memory" in Ilp().declines(problem)
    assert TwoPhase().declines(problem)
    small = hard()
    assert Exact().declines(small) is None and Ilp().declines(small) is None
    assert "sets of instances" in TwoPhase().declines(small)


def test_more_pairs_than_allowed_end_with_the_greedy_and_a_note():
    problem = hard()
    solution = Exact(most_pairs=5).solve(problem, Watch())
    assert solution.plan.cost(problem) == Greedy().solve(problem, Watch()).plan.cost(problem)
    assert any("too many to list" in note for note in solution.notes)


@pytest.mark.parametrize("options", [{"gap": -1}, {"gap": float("nan")}, {"most_pairs": 0}, {"leaves": -1}])
def test_bad_options_are_refused_at_birth(options):
    with pytest.raises(PolicyError, match=next(iter(options))):
        Exact(**options)


def test_without_full_suppression_infeasible_is_said_with_the_requirement():
    types = types_of([[0, 0], [0, 0], [0, 1], [1, 0], [1, 1]])
    problem = Problem(types, star_levels(types), PatternList([1, 1], [(0, 1)]), 3)
    for solver in (Exact(), Ilp(), TwoPhase()):
        with pytest.raises(Infeasible, match="k=3"):
            solver.solve(problem, Watch())
    assert optimum(problem) is None


def test_bounds_of_relaxed_outliers_are_below_those_of_forbidden_ones():
    for seed in range(scaled(30)):
        problem = random_problem(np.random.default_rng([8, seed]), full=True, outliers="forbid", rows=6)
        loose = replace(problem, outliers="suppress")
        assert optimum(loose) <= optimum(problem)
        assert improve_bound(loose, optimum(loose), Watch()).bound.value <= optimum(loose)
