"""Auto: the greedy at once, something better in time, and the name of whoever made the release."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.registry import load, names
from incrowd.tables.solve import auto
from incrowd.tables.solve.auto import Auto
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Advice, Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import few_of, how_many


def timed(seconds):
    watch = Watch()
    watch.limit(seconds)
    return watch


def draw(seed):
    rng = np.random.default_rng([43, seed])
    return random_problem(rng, rows=int(rng.integers(2, 9)))


def larger(seed, k):
    rng = np.random.default_rng([47, seed])
    table = np.stack([(rng.random(150) ** 2 * 6).astype(int) for _ in range(4)], axis=1)
    types = types_of(table)
    return Problem(types, star_levels(types), PatternList([1] * 4), k, ("forbid", "suppress")[seed % 2])


def test_small_problems_are_solved_to_the_optimum_and_proven():
    makers, infeasible = set(), 0
    for seed in range(how_many(150, 50)):
        problem = draw(seed)
        least = optimum(problem)
        try:
            solution = Auto(work=50).solve(problem, timed(20))
        except Infeasible:
            assert least is None
            infeasible += 1
            continue
        assert recount(problem, solution.plan) == least
        assert solution.bound.checked <= solution.bound.value == least
        assert solution.status == "optimal"
        makers.add(solution.solver)
    assert infeasible
    assert makers <= set(names("solvers"))
    assert {"greedy", "exact"} <= makers


@pytest.mark.parametrize("k", [2, 3, 7])
def test_without_time_it_is_the_greedy_with_its_bound(k):
    for seed in range(how_many(4, 1)):
        problem = larger(seed, k)
        solution, greedy = Auto().solve(problem, timed(0)), Greedy().solve(problem, Watch())
        assert solution.solver == "greedy"
        assert np.array_equal(solution.plan.part_group, greedy.plan.part_group)
        assert solution.bound == greedy.bound
        assert solution.status in ("time_limit", "heuristic", "optimal")


@pytest.mark.parametrize("k", few_of([2, 3, 7], 2))
def test_with_time_the_release_is_no_dearer_and_the_bound_no_lower_than_the_greedys(k):
    better = 0
    for seed in range(how_many(4, 1)):
        problem = larger(seed, k)
        solution, greedy = Auto(work=2000).solve(problem, timed(1.5)), Greedy().solve(problem, Watch())
        cost = recount(problem, solution.plan)
        assert greedy.bound.value <= solution.bound.value <= cost <= greedy.plan.cost(problem)
        assert (solution.status == "optimal") == (cost == solution.bound.value)
        better += cost < greedy.plan.cost(problem)
        assert set(solution.seconds) == {"solve", "bound"}
    assert better


@pytest.mark.parametrize("told", ["components_open", pytest.param("moves", marks=pytest.mark.proofs)])
def test_an_interruption_ends_it_with_a_release(told):
    problem = larger(1, 5)
    watch = Watch()

    def interrupt(event):
        if told in event.facts:
            watch.interrupt()

    watch.on_event = interrupt
    solution = Auto().solve(problem, watch)
    assert solution.bound.value <= recount(problem, solution.plan)
    assert solution.status in ("interrupted", "optimal")


def test_the_registry_knows_it_by_name_though_it_is_no_solver_of_the_list():
    assert load("solvers", "auto") is Auto
    assert "auto" not in names("solvers")


def test_it_declines_nothing():
    problem = larger(0, 3)
    asking = Problem(problem.types, problem.levels, problem.patterns, 2, requirements=(object(),))
    assert Auto().declines(problem) is None
    assert Auto().declines(asking) is None


def test_a_search_is_compiled_under_a_limit_that_was_asked_for_only_where_the_gap_is_worth_it(monkeypatch):
    problem = larger(1, 3)
    monkeypatch.setattr(auto, "cold", lambda *loops: True)
    monkeypatch.setattr(auto, "_closable", lambda *_: ("", False))

    def notes(made, *, asked=True):
        watch = Watch()
        watch.limit(0.5, asked=asked)
        return [note for note in made.solve(problem, watch).notes if note == auto.NOT_COMPILED]

    assert notes(Auto()) == []  # the greedy is 5 % and more above the bound
    monkeypatch.setattr(auto, "WORTH_COMPILING", 1000.0)
    assert all(isinstance(note, Advice) for note in notes(Auto())) and len(notes(Auto())) == 1
    assert notes(Auto(), asked=False) == notes(Auto(work=10)) == []
    monkeypatch.setattr(auto, "cold", lambda *loops: False)
    assert notes(Auto()) == []
