"""One annealing: a release among the candidates, decided by seed and moves, that stops when it is good enough."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.annealing import Annealing
from incrowd.tables.solve.improve.candidates import gather
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from incrowd.tables.solve.shared.time_share import TimeShare
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of


def candidates_of(seed):
    rng = np.random.default_rng([103, seed])
    types = types_of(np.stack([rng.integers(0, rng.integers(3, 7), 90) for _ in range(5)], axis=1))
    problem = Problem(types, star_levels(types), PatternList([1] * 5), int(rng.integers(3, 6)), "suppress")
    encoded = encode(problem)
    plan = Greedy().solve(problem, Watch()).plan
    stored = list_instances(problem, encoded)
    return problem.k, gather(problem, encoded, plan, stored, np.zeros(encoded.t), np.inf, 10**9)


def run(candidates, k, seed=0, total=500, enough=0, heat=1.0, told=None):
    annealing = Annealing(candidates, k, 1.0)
    heard = (lambda cost: None) if told is None else told.append
    found = annealing.run(
        candidates.rows, TimeShare(Watch(), None), total=total, seed=seed, enough=enough, heard=heard, heat=heat
    )
    return *found, annealing.moves


@pytest.mark.parametrize("heat", [1.0, 0.3])
def test_it_ends_in_a_release_of_the_cost_it_says_mostly_cheaper_than_the_first(heat):
    cheaper = 0
    for seed in range(12):
        k, candidates = candidates_of(seed)
        cost, rows, moves = run(candidates, k, seed, heat=heat)
        assert holds(candidates.reduced, rows)
        assert cost == cost_of(candidates.reduced, rows)
        assert moves == 500
        cheaper += cost < cost_of(candidates.reduced, candidates.rows)
    assert cheaper >= 9


def test_seed_and_moves_decide_it():
    k, candidates = candidates_of(1)
    first = run(candidates, k, seed=5)
    assert np.array_equal(first[1], run(candidates, k, seed=5)[1])
    assert any(not np.array_equal(first[1], run(candidates, k, seed=seed)[1]) for seed in range(3))


def test_it_stops_with_the_release_that_is_good_enough():
    stopped = 0
    for seed in range(6):
        k, candidates = candidates_of(seed)
        start = cost_of(candidates.reduced, candidates.rows)
        enough = (start + run(candidates, k, seed, total=2000)[0]) // 2
        cost, rows, moves = run(candidates, k, seed, total=4000, enough=enough)
        assert holds(candidates.reduced, rows)
        assert cost == cost_of(candidates.reduced, rows)
        stopped += moves < 4000 and cost <= enough < start
    assert stopped >= 4
