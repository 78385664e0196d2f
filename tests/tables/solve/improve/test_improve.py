"""Improve: valid releases, never dearer than the greedy's, never below the optimum; bounds never above it."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import how_many, parts


def solved(problem, watch=None, **options):
    try:
        return Improve(**{"work": 300, **options}).solve(problem, watch or Watch())
    except Infeasible:
        return None


def same(a, b):
    return (
        all(
            np.array_equal(getattr(a.plan, name), getattr(b.plan, name))
            for name in ("levels", "part_type", "part_group", "part_rows")
        )
        and a.bound == b.bound
    )


def check(problem, **options):
    """Recount a release and hold it to the greedy's; return its solution and the greedy's cost."""
    solution = solved(problem, **options)
    try:
        start = Greedy().solve(problem, Watch())
    except Infeasible:
        assert solution is None
        return None, None
    assert solution is not None
    cost = recount(problem, solution.plan)
    assert cost == solution.plan.cost(problem) <= start.plan.cost(problem)
    assert start.bound.value <= solution.bound.value <= cost
    assert solution.bound.checked == solution.bound.value
    assert (solution.status == "optimal") == (cost == solution.bound.value)
    assert solution.solver == "improve"
    return solution, start.plan.cost(problem)


def test_small_releases_lie_between_the_optimum_and_the_greedy_and_mostly_reach_it():
    """Heights 1-3, weights, masks with and without full suppression, both outlier rules."""
    better = reached = asked = 0
    for seed in range(how_many(300, 40)):
        rng = np.random.default_rng([31, seed // 75, seed % 75])
        problem = random_problem(rng, rows=int(rng.integers(2, 9)))
        solution, greedy = check(problem, seed=seed)
        if solution is None:
            continue
        least = optimum(problem)
        cost = solution.plan.cost(problem)
        assert solution.bound.value <= least <= cost
        asked += greedy > least
        better += cost < greedy
        reached += greedy > least == cost
    assert reached >= 0.7 * asked > 0, "the optimum is hardly ever found"
    assert better


def larger(seed):
    """Some hundred rows, values shared unevenly."""
    rng = np.random.default_rng([37, seed])
    n, m = int(rng.integers(60, 200)), int(rng.integers(3, 6))
    table = np.stack([(rng.random(n) ** 2 * rng.integers(2, 9)).astype(int) for _ in range(m)], axis=1)
    types = types_of(table)
    weights = [int(x) for x in rng.integers(1, 5, m)] if seed % 2 else None
    every = PatternList([1] * m).vectors
    chosen = {v for v in every if seed % 3 or rng.random() < 0.6} | {(1,) * m}
    outliers = ("forbid", "suppress")[seed // 2 % 2]
    return Problem(types, star_levels(types, weights), PatternList([1] * m, chosen), int(rng.integers(2, 12)), outliers)


@pytest.mark.parametrize("part", parts(3))
def test_larger_releases_are_valid_and_seldom_as_dear_as_the_greedys(part):
    better = 0
    for seed in range(part * 20, part * 20 + 20):
        solution, greedy = check(larger(seed), work=1500)
        better += solution.plan.cost(larger(seed)) < greedy
    assert better >= 10


def test_seed_and_work_decide_the_release():
    different = 0
    for seed in range(how_many(12, 4)):
        problem = larger(seed)
        first, again = solved(problem, seed=seed, work=700), solved(problem, seed=seed, work=700)
        assert same(first, again)
        different += not same(first, solved(problem, seed=seed + 1, work=700))
    assert different, "the seed decides nothing"


class Stops(Watch):
    """Says stop, or that the time is over, after so many questions."""

    def __init__(self, questions, interrupt):
        super().__init__()
        self.questions = questions
        self.by_hand = interrupt

    @property
    def stopped(self):
        self.questions -= 1
        if self.questions < 0:
            if self.by_hand:
                self.interrupted = True
            elif self.deadline is None:
                self.limit(0.0)
        return Watch.stopped.fget(self)


@pytest.mark.few(1)
@pytest.mark.parametrize("interrupt", [True, False])
def test_whenever_it_is_stopped_the_release_is_valid_and_no_dearer_than_the_greedys(interrupt):
    problem = larger(5)
    greedy = Greedy().solve(problem, Watch()).plan.cost(problem)
    said = set()
    for questions in range(0, 40, 40 // how_many(20, 3)):
        solution = solved(problem, Stops(questions, interrupt), work=20_000)
        cost = recount(problem, solution.plan)
        assert solution.bound.value <= cost
        if not interrupt:
            assert cost <= greedy
        said.add(solution.status)
    assert said <= {"interrupted" if interrupt else "time_limit", "optimal", "heuristic"}
    assert ("interrupted" if interrupt else "time_limit") in said


@pytest.mark.few(2)
@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.3])
def test_a_time_limit_gives_a_valid_release_no_dearer_than_the_greedys(seconds):
    for seed in (3, 4):
        problem = larger(seed)
        watch = Watch()
        watch.limit(seconds)
        solution, greedy = solved(problem, watch, work=None), Greedy().solve(problem, Watch())
        assert solution.bound.value <= recount(problem, solution.plan) <= greedy.plan.cost(problem)
        if seconds == 0:
            assert same(solution, greedy) or solution.plan.cost(problem) == greedy.plan.cost(problem)


def test_without_a_time_limit_it_ends_by_itself():
    problem = larger(2)
    solution = solved(problem, work=None)
    assert solution.status in ("heuristic", "optimal")


def test_it_stops_at_the_gap_asked_for():
    problem = larger(8)
    solution = solved(problem, gap=10.0)
    assert solution.status in ("gap", "optimal")
    assert "0 moves" in solution.notes


def test_progress_tells_cost_bound_and_gap():
    heard = []
    problem = larger(6)
    solution = Improve(work=300).solve(problem, Watch(on_event=heard.append))
    last = [event for event in heard if event.stage == "solve" and "gap" in event.facts][-1]
    assert last.facts["cost"] == solution.plan.cost(problem)
    assert last.facts["lower_bound"] == solution.bound.value


@pytest.mark.parametrize("options", [{"work": 0}, {"seed": -1}, {"gap": -0.1}, {"gap": float("nan")}])
def test_bad_options_are_refused(options):
    with pytest.raises(PolicyError, match=next(iter(options))):
        Improve(**options)


def test_it_declines_nothing():
    problem = larger(1)
    asking = Problem(problem.types, problem.levels, problem.patterns, 2, requirements=(object(),))
    assert Improve().declines(problem) is None
    assert Improve().declines(asking) is None


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(10))
def test_thousands_of_small_releases_lie_between_the_optimum_and_the_greedy(part):
    for seed in range(500):
        rng = np.random.default_rng([41, part, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 9)))
        solution, _ = check(problem, seed=seed)
        if solution is not None:
            assert solution.bound.value <= optimum(problem) <= solution.plan.cost(problem)
