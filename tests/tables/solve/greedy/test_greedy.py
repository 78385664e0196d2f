from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.errors import Infeasible, PolicyError
from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.protocols import Solver
from incrowd.tables.solve.greedy import greedy as module
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared import pattern_scan, problem_arrays
from incrowd.tables.solve.shared.pattern_scan import Sweep, Workers
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from oracles import greedy as plain
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem, star_levels, types_of
from seeds import seeds


def swept(problem, *, bits=64, threads=1):
    encoded = encode(problem, bits=bits)
    with Workers(threads) as workers:
        sweep = Sweep(encoded, problem.k, uniform=problem.uniform, workers=workers, watch=Watch())
        sweep.run(problem.patterns.by_cost(problem.floor_costs(), problem.ties()), budget=10**9)
    return sweep


def groups_of(problem, sweep):
    groups = {}
    for i in np.flatnonzero(sweep.label >= 0):
        vector = tuple(int(x) for x in sweep.vectors[sweep.label[i]])
        nodes = tuple(int(problem.levels[j].up[v, problem.types.codes[i, j]]) for j, v in enumerate(vector))
        groups.setdefault((vector, nodes), set()).add(int(i))
    return groups, {int(i) for i in np.flatnonzero(sweep.label < 0)}


def stars(types, k, outliers="forbid", vectors=None, weights=None):
    heights = [1] * types.m
    return Problem(types, star_levels(types, weights), PatternList(heights, vectors), k, outliers)


def nursery():
    return types_of(list(itertools.product(*(range(d) for d in (3, 5, 4, 4, 3, 2, 3, 3)))))


@seeds(400)
def test_groups_are_those_of_the_plain_twin(seed):
    problem = random_problem(np.random.default_rng(seed))
    groups, left = plain.greedy_groups(problem)
    sweep = swept(problem)
    assert groups_of(problem, sweep) == (groups, left)
    assert sweep.cost == plain.cost_before_repair(problem, groups)


@seeds(150)
def test_groups_are_the_same_when_no_instance_may_wait_in_memory(seed, monkeypatch):
    monkeypatch.setattr(pattern_scan, "WAITING", 3)
    problem = random_problem(np.random.default_rng([1, seed]), uniform=False)
    assert groups_of(problem, swept(problem)) == plain.greedy_groups(problem)


@pytest.mark.parametrize("bits", [0, 1, 2, 3, 22])
@seeds(40)
def test_colliding_hashes_change_nothing(bits, seed):
    problem = random_problem(np.random.default_rng([2, seed]))
    assert groups_of(problem, swept(problem, bits=bits)) == plain.greedy_groups(problem)


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


@seeds(300)
def test_without_full_suppression_a_release_is_valid_or_the_error_is_right(seed):
    rng = np.random.default_rng([4, seed])
    problem = random_problem(rng, rows=int(rng.integers(2, 8)), full=False)
    least = optimum(problem)
    try:
        solution = Greedy(threads=1).solve(problem, Watch())
    except Infeasible as error:
        assert error.requirement == f"k={problem.k}"
        assert error.proven == (plain.least_per_row(problem) is None)
        if error.proven:
            assert least is None
        return
    assert recount(problem, solution.plan) >= least >= solution.bound.value


def test_repair_without_full_suppression_seldom_gives_up():
    feasible = found = 0
    for seed in range(300):
        rng = np.random.default_rng([5, seed])
        problem = random_problem(rng, rows=int(rng.integers(3, 8)), full=False)
        if optimum(problem) is None:
            continue
        feasible += 1
        try:
            recount(problem, Greedy(threads=1).solve(problem, Watch()).plan)
            found += 1
        except Infeasible as error:
            assert not error.proven
    assert feasible > 100
    assert found >= 0.97 * feasible


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


@pytest.mark.parametrize("k", [2, 5, 6, 10, 25, 50, 100])
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


def test_one_leftover_row_fetches_a_row_and_leaves_the_large_group_alone():
    problem = stars(types_of([[0, 0]] * 1000 + [[1, 1]]), 3)
    solution = Greedy().solve(problem, Watch())
    assert recount(problem, solution.plan) == 6


def test_mixed_repairs_beat_both_pure_ones():
    # One leftover row is close to a group, the other one to none; rows of a dear group cost little to fetch.
    rows = [[0, 0, 0]] * 3 + [[0, 1, 0]] + [[7, 8, 99]] + [[4, 4, x] for x in range(1, 51)]
    problem = stars(types_of(rows), 3, weights=[1, 1, 10])
    solution = Greedy().solve(problem, Watch())
    # The near row widens its group by one cheap star for four rows; the far one takes two of the fifty along.
    assert recount(problem, solution.plan) == 4 * 1 + 3 * 12 + 48 * 10


@seeds(20)
def test_threads_and_batches_change_nothing(seed, monkeypatch):
    rng = np.random.default_rng([6, seed])
    types = types_of(np.stack([rng.zipf(1.6, 3000) % 12 for _ in range(6)], axis=1))
    problem = stars(types, int(rng.integers(2, 30)), ("forbid", "suppress")[seed % 2])
    one = Greedy(threads=1).solve(problem, Watch())
    monkeypatch.setattr(pattern_scan, "BATCH", int(rng.integers(1, 20)) * 3000)
    two = Greedy(threads=2).solve(problem, Watch())
    for name in ("levels", "part_type", "part_group", "part_rows"):
        assert np.array_equal(getattr(one.plan, name), getattr(two.plan, name))
    assert one.bound == two.bound
    recount(problem, one.plan)


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
@pytest.mark.parametrize(("work", "front"), [(1, 1), (20_000, 16), (50_000_000, 10_000), (50_000_000, 50_000_000)])
def test_grown_patterns_finish_where_the_work_runs_out(outliers, work, front, monkeypatch):
    rng = np.random.default_rng(7)
    kind = rng.integers(0, 40, 2000)
    noise = rng.random((2000, 12)) < 0.1
    table = np.where(noise, rng.integers(0, 9, (2000, 12)), kind[:, None] * (1 + np.arange(12)) % 9)
    types = types_of(table)
    full = Greedy(threads=1).solve(stars(types, 5, outliers), Watch())
    problem = stars(types, 5, outliers)
    monkeypatch.setattr(module, "HUGE", 100)
    monkeypatch.setattr(module, "FRONT", front)
    short = Greedy(threads=1, visits=work).solve(problem, Watch())
    cost = recount(problem, short.plan)
    assert short.bound.value <= full.bound.value <= cost
    assert any("grown" in note for note in short.notes)
    if work > 20_000:
        assert cost <= 1.1 * full.plan.cost(problem)
    two = Greedy(threads=2, visits=work).solve(problem, Watch())
    assert np.array_equal(short.plan.part_group, two.plan.part_group)


def test_a_mask_of_2_to_the_40_patterns_ends_far_below_full_suppression():
    rng = np.random.default_rng(8)
    kind = rng.integers(0, 60, 1500)
    noise = rng.random((1500, 40)) < 0.1
    table = np.where(noise, rng.integers(0, 9, (1500, 40)), kind[:, None] * (1 + np.arange(40)) % 9)
    types = types_of(table)
    columns = [f"c{j}" for j in range(40)]
    problem = Problem(types, star_levels(types), Mask().compile(columns, [1] * 40), 5)
    solution = Greedy(visits=20_000_000).solve(problem, Watch())
    assert 0 < solution.bound.value <= recount(problem, solution.plan) < 0.5 * types.n * 40


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


def test_a_leftover_row_can_open_a_cheaper_group_than_full_suppression():
    types = types_of([[0, 0]] * 5 + [[1, 0]])
    solution = Greedy().solve(stars(types, 2), Watch())
    assert solution.plan.cost(stars(types, 2)) == 2


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


@pytest.mark.parametrize(
    ("k", "adult", "forbid"),
    [(2, 51041, 0), (5, 80579, 8), (10, 96382, 0), (25, 116970, 16), (100, 151227, 111)],
)
def test_adult_costs_what_was_measured_before(k, adult, forbid, adult_types):
    strict, loose = stars(adult_types, k), stars(adult_types, k, "suppress")
    cost = recount(loose, Greedy().solve(loose, Watch()).plan)
    assert cost <= adult
    assert recount(strict, Greedy().solve(strict, Watch()).plan) <= adult + forbid


@pytest.mark.parametrize(
    ("k", "adult2", "forbid"),
    [(2, 23133, 0), (5, 40010, 0), (10, 50148, 0), (25, 63249, 10), (100, 83389, 127)],
)
def test_adult_2_costs_what_was_measured_before(k, adult2, forbid, adult2_types):
    strict, loose = stars(adult2_types, k), stars(adult2_types, k, "suppress")
    assert recount(loose, Greedy().solve(loose, Watch()).plan) <= adult2
    assert recount(strict, Greedy().solve(strict, Watch()).plan) <= adult2 + forbid + (12 if k == 2 else 0)


def test_modules_agree_on_the_default_work():
    assert Greedy().visits == module.counting.WORK
    assert problem_arrays.encode is encode
