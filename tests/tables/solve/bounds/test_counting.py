from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.counting import per_row, per_row_bound
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.values import Problem
from oracles import greedy as plain
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import random_problem, star_levels
from seeds import seeds


@seeds(400)
def test_the_bound_is_that_of_plain_counting(seed):
    problem = random_problem(np.random.default_rng([10, seed]))
    expected = plain.least_per_row(problem)
    if expected is None:
        with pytest.raises(Infeasible, match="no release can meet") as caught:
            per_row_bound(problem, threads=1)
        assert caught.value.proven
        return
    bound = per_row_bound(problem, threads=1)
    assert (bound.value, bound.checked, bound.proof) == (expected, expected, "certificate")
    assert per_row_bound(problem, threads=2) == bound


@seeds(300)
def test_the_bound_never_exceeds_the_optimum_whatever_the_work_and_the_hashes(seed):
    rng = np.random.default_rng([11, seed])
    problem = random_problem(rng, rows=int(rng.integers(1, 8)))
    least = optimum(problem)
    if least is None:
        return
    full = per_row_bound(problem, threads=1).value
    assert full <= least
    values = [per_row_bound(problem, threads=1, work=w).value for w in (1, 5, 20, 100, 10**6)]
    assert values == sorted(values)
    assert values[-1] == full
    with Workers(1) as workers:
        for bits in (0, 1, 2, 30):
            weaker = per_row(problem, encode(problem, bits=bits), workers, Watch()).bound(problem)
            assert weaker.value <= full


@seeds(100)
def test_the_costs_of_a_release_as_ceiling_change_nothing(seed):
    problem = random_problem(np.random.default_rng([12, seed]), full=True)
    encoded = encode(problem)
    top = encoded.row_costs(np.array(problem.top, np.int8))
    with Workers(1) as workers:
        free = per_row(problem, encoded, workers, Watch())
        held = per_row(problem, encoded, workers, Watch(), ceiling=np.minimum(free.least + seed % 3, top))
    assert free.complete
    assert np.array_equal(free.least, held.least)


def test_costs_that_no_pattern_can_lower_are_whole_without_looking():
    problem = random_problem(np.random.default_rng(13), rows=7, full=True)
    encoded = encode(problem)
    with Workers(1) as workers:
        floor = per_row(problem, encoded, workers, Watch(), work=0)  # what the cheapest pattern costs
        found = per_row(problem, encoded, workers, Watch(), work=0, ceiling=floor.least)
    assert (floor.complete, found.complete) == (False, True)
    assert np.array_equal(found.least, floor.least)


def test_a_stopped_run_gives_the_cheapest_patterns_cost():
    problem = random_problem(np.random.default_rng(13), rows=7, full=True)
    watch = Watch()
    watch.interrupt()
    assert per_row_bound(problem, watch, threads=1).value <= per_row_bound(problem, threads=1).value


@pytest.mark.few(2)
@pytest.mark.parametrize(("k", "value"), [(2, 20212), (5, 34509), (10, 42834), (25, 53124), (100, 68587)])
def test_adult_2_has_the_bound_known_from_before(k, value, adult2_types):
    problem = Problem(adult2_types, star_levels(adult2_types), PatternList([1] * 9), k)
    assert per_row_bound(problem).value == value


SOME = [(5, 64030)]  # the others in `make proofs`


@pytest.mark.parametrize(
    ("k", "value"),
    [
        *SOME,
        *(
            pytest.param(*case, marks=pytest.mark.proofs)
            for case in [(2, 43117), (10, 74736), (25, 88773), (100, 112622)]
        ),
    ],
)
def test_adult_has_the_bound_known_from_before(k, value, adult_types):
    problem = Problem(adult_types, star_levels(adult_types), PatternList([1] * 14), k)
    assert per_row_bound(problem).value == value
