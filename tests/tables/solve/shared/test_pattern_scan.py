"""Cheapest patterns first: the crowds that close are those of Algorithm 1, whatever the memory, the hashes and the threads."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared import pattern_scan
from incrowd.tables.solve.shared.pattern_scan import PatternScan, Workers
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles import greedy as plain
from oracles.plans import recount
from oracles.problems import random_problem, stars, types_of
from seeds import seeds


def swept(problem, *, bits=64, threads=1):
    encoded = encode(problem, bits=bits)
    with Workers(threads) as workers:
        sweep = PatternScan(encoded, problem.k, uniform=problem.uniform, workers=workers, watch=Watch())
        sweep.run(problem.patterns.by_cost(problem.floor_costs(), problem.ties()), budget=10**9)
    return sweep


def classes_of(problem, sweep):
    groups = {}
    for i in np.flatnonzero(sweep.label >= 0):
        vector = tuple(int(x) for x in sweep.vectors[sweep.label[i]])
        nodes = tuple(int(problem.levels[j].up[v, problem.types.codes[i, j]]) for j, v in enumerate(vector))
        groups.setdefault((vector, nodes), set()).add(int(i))
    return groups, {int(i) for i in np.flatnonzero(sweep.label < 0)}


@seeds(400)
def test_groups_are_those_of_the_plain_twin(seed):
    problem = random_problem(np.random.default_rng(seed))
    groups, left = plain.greedy_groups(problem)
    sweep = swept(problem)
    assert classes_of(problem, sweep) == (groups, left)
    assert sweep.cost == plain.cost_before_repair(problem, groups)


@seeds(150)
def test_groups_are_the_same_when_no_instance_may_wait_in_memory(seed, monkeypatch):
    monkeypatch.setattr(pattern_scan, "WAITING", 3)
    problem = random_problem(np.random.default_rng([1, seed]), uniform=False)
    assert classes_of(problem, swept(problem)) == plain.greedy_groups(problem)


@pytest.mark.parametrize("bits", [0, 1, 2, 3, 22])
@seeds(40)
def test_colliding_hashes_change_nothing(bits, seed):
    problem = random_problem(np.random.default_rng([2, seed]))
    assert classes_of(problem, swept(problem, bits=bits)) == plain.greedy_groups(problem)


@seeds(20)
def test_threads_and_batches_change_nothing(seed, monkeypatch):
    rng = np.random.default_rng([6, seed])
    types = types_of(np.stack([rng.zipf(1.6, 3000) % 12 for _ in range(6)], axis=1))
    problem = stars(types, int(rng.integers(2, 30)), ("forbid", "suppress")[seed % 2])
    one = Greedy(threads=1).solve(problem, Watch())
    monkeypatch.setattr(pattern_scan, "BATCH", int(rng.integers(1, 20)) * 3000)
    two = Greedy(threads=2).solve(problem, Watch())
    for name in ("levels", "part_type", "part_class", "part_rows"):
        assert np.array_equal(getattr(one.plan, name), getattr(two.plan, name))
    assert one.bound == two.bound
    recount(problem, one.plan)
