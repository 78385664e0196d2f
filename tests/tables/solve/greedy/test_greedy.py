from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.protocols import Solver
from incrowd.tables.solve.greedy import greedy as module
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared import problem_arrays
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from oracles import greedy as plain
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from seeds import few_of, how_many, seeds


def nursery():
    return types_of(list(itertools.product(*(range(d) for d in (3, 5, 4, 4, 3, 2, 3, 3)))))


@seeds(400)
def test_releases_are_valid_and_lie_between_bound_and_plain_repairs(seed):
    problem = random_problem(np.random.default_rng([3, seed]), full=True)
    solution = Greedy(threads=1).solve(problem, Watch())
    cost = recount(problem, solution.plan)
    assert cost == solution.plan.cost(problem)
    assert solution.bound.value == solution.bound.checked <= cost
    assert (solution.status == "optimal") == (cost == solution.bound.value)
    groups, left = plain.greedy_groups(problem)
    before = plain.cost_before_repair(problem, groups)
    if not left:
        assert cost == before
    elif problem.outliers == "suppress":
        top = [level.cost[-1, 0] for level in problem.levels]
        assert cost == before + sum(top) * problem.types.counts[sorted(left)].sum()
    else:
        assert cost <= before + plain.plain_top_repair(problem, groups, left)
        if len(left) == 1:
            sizes = {name: sum(problem.types.counts[i] for i in members) for name, members in groups.items()}
            widening = plain.plain_widening(problem, groups, sizes, min(left))
            either = min(x for x in (widening, plain.plain_top_repair(problem, groups, left)) if x is not None)
            assert cost <= before + either


@pytest.mark.parametrize("m", [3, 4, 5, 6])
def test_theorem_4_is_tight_on_its_family(m):
    rows = [[1] * m] * m
    symbol = 2
    for j in range(m):
        for _ in range(m - 1):
            rows.append([1] * m)
            rows[-1] = [*rows[-1][:j], symbol, *rows[-1][j + 1 :]]
            symbol += 1
    single = [tuple(int(i == j) for i in range(m)) for j in range(m)]
    problem = stars(types_of(rows), m, "suppress", [(0,) * m, (1,) * m, *single])
    solution = Greedy().solve(problem, Watch())
    assert recount(problem, solution.plan) == (m - 1) * m * m
    # One of the all-1 rows joins each column's rows: m^2 rows with one star each, and no row can be cheaper.
    if m == 3:
        assert optimum(problem) == m * m


@pytest.mark.few(2)
@pytest.mark.parametrize("k", few_of([2, 100, 5, 6, 10, 25, 50], 2))
@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_nursery_is_solved_to_proven_optimality(k, outliers):
    problem = stars(nursery(), k, outliers)
    solution = Greedy().solve(problem, Watch())
    domains = (3, 5, 4, 4, 3, 2, 3, 3)
    fewest = min(
        len(chosen)
        for size in range(9)
        for chosen in itertools.combinations(range(8), size)
        if np.prod([domains[j] for j in chosen]) >= k
    )
    assert recount(problem, solution.plan) == solution.bound.value == 12960 * fewest
    assert solution.status == "optimal"


def test_small_cases_at_the_edge():
    same = types_of([[3, 1]] * 6)
    different = types_of([[i, 10 - i] for i in range(6)])
    for k in (1, 6):
        solution = Greedy().solve(stars(same, k), Watch())
        assert (recount(stars(same, k), solution.plan), solution.status) == (0, "optimal")
    assert Greedy().solve(stars(different, 1), Watch()).plan.cost(stars(different, 1)) == 0
    assert Greedy().solve(stars(different, 6), Watch()).plan.cost(stars(different, 6)) == 12
    column = types_of([[0]] * 3 + [[1]] * 2 + [[2]])
    # One row is left over: it takes the spare row of the threes, or swallows the twos.
    assert recount(stars(column, 2), Greedy().solve(stars(column, 2), Watch()).plan) == 2
    assert recount(stars(column, 2, "suppress"), Greedy().solve(stars(column, 2, "suppress"), Watch()).plan) == 1


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
@pytest.mark.parametrize("after", [0, 4])
def test_an_interrupted_run_ends_with_a_valid_release(outliers, after):
    rng = np.random.default_rng(9)
    problem = stars(types_of(rng.integers(0, 7, (800, 6))), 5, outliers)
    watch = Watch()
    heard = []

    def stop(event):
        heard.append(event)
        if len(heard) == after:
            watch.interrupt()

    watch.on_event = stop
    if after == 0:
        watch.interrupt()
    solution = Greedy(threads=1).solve(problem, watch)
    assert solution.status == "interrupted"
    assert solution.bound.value <= recount(problem, solution.plan)
    full = Greedy(threads=1).solve(problem, Watch())
    assert full.plan.cost(problem) < solution.plan.cost(problem)


def test_a_time_limit_does_not_cut_it_short():
    problem = stars(types_of(np.random.default_rng(9).integers(0, 7, (800, 6))), 5, "forbid")
    watch = Watch()
    watch.limit(0.0)
    short, full = (Greedy(threads=1).solve(problem, w) for w in (watch, Watch()))
    assert short.plan.cost(problem) == full.plan.cost(problem)
    assert short.bound == full.bound
    assert short.status == "heuristic"


def test_errors_say_whether_it_is_proven_and_how_to_mend():
    types = types_of([[0, 0], [0, 0], [1, 1], [2, 1]])
    hopeless = stars(types, 2, vectors=[(0, 0), (0, 1)])
    with pytest.raises(Infeasible, match=r"^no release can meet k=2: .* 2 rows .* allow full suppression"):
        Greedy().solve(hopeless, Watch())
    # The first column of any two rows may go, or the second, but (0,0) (0,1) (1,0) with k=2 has no partition.
    stuck = stars(types_of([[0, 0], [0, 1], [1, 0]]), 2, vectors=[(0, 1), (1, 0)])
    assert optimum(stuck) is None
    with pytest.raises(Infeasible, match="no release was found, though one may exist") as caught:
        Greedy().solve(stuck, Watch())
    assert not caught.value.proven
    with pytest.raises(PolicyError, match="threads must be at least 1"):
        Greedy(threads=0)
    with pytest.raises(PolicyError, match="visits must be at least 1"):
        Greedy(visits=0)


def test_it_is_a_solver_and_takes_further_requirements():
    problem = stars(types_of([[0], [0]]), 2)
    assert isinstance(Greedy(), Solver)
    assert Greedy().declines(problem) is None
    further = Problem(problem.types, problem.levels, problem.patterns, 2, requirements=(object(),))
    assert Greedy().declines(further) is None


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("k", "adult", "forbid"),
    few_of([(5, 80579, 8), (2, 51041, 0), (10, 96382, 0), (25, 116970, 16), (100, 151227, 111)]),
)
def test_adult_costs_what_was_measured_before(k, adult, forbid, adult_types):
    strict, loose = stars(adult_types, k), stars(adult_types, k, "suppress")
    for problem, most in [(strict, adult + forbid), (loose, adult)][: how_many(2, 1)]:
        assert recount(problem, Greedy().solve(problem, Watch()).plan) <= most


@pytest.mark.parametrize(
    ("k", "adult2", "forbid"),
    few_of([(5, 40010, 0), (2, 23133, 0), (10, 50148, 0), (25, 63249, 10), (100, 83389, 127)]),
)
def test_adult_2_costs_what_was_measured_before(k, adult2, forbid, adult2_types):
    strict, loose = stars(adult2_types, k), stars(adult2_types, k, "suppress")
    assert recount(loose, Greedy().solve(loose, Watch()).plan) <= adult2
    assert recount(strict, Greedy().solve(strict, Watch()).plan) <= adult2 + forbid + (12 if k == 2 else 0)


def test_modules_agree_on_the_default_work():
    assert Greedy().visits == module.counting.WORK
    assert problem_arrays.encode is encode
