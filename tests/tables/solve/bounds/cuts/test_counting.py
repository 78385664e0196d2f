"""Every cut holds for every release: all of them, on tiny tables."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from incrowd.milp import Linear, Outcome
from incrowd.tables.solve.bounds.cuts import counting
from incrowd.tables.solve.bounds.cuts.flow import separate_flows
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.row_assignment import assign
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of
from seeds import how_many, scaled


def drawn(seed):
    rng = np.random.default_rng([11, seed])
    m = int(rng.integers(3, 6))
    n = int(rng.integers(7, 10))
    rows = np.stack([rng.integers(0, 2 if rng.random() < 0.7 else 3, n) for _ in range(m)], axis=1)
    types = types_of(rows)
    return Problem(types, star_levels(types), PatternList([1] * m), int(rng.integers(2, 5)), "suppress")


def releases(instances, rng):
    """Some releases: random costs, random opened instances, filled by flow."""
    for _ in range(6):
        opened = rng.random(instances.size) < rng.choice([0.1, 0.3])
        opened |= instances.needs == 0
        found = assign(replace(instances, costs=rng.integers(0, 9, instances.size)), opened)
        if found is not None:
            yield opened, found[0]


def left_side(cut, opened, rows):
    value = float((np.asarray(cut.opens) * opened[cut.instances]).sum())
    return value + float((np.asarray(cut.value) * rows[cut.pairs]).sum()) / cut.divisor


def test_cuts_hold_for_releases_and_cut_off_points():
    found = {"T": 0, "C": 0, "S": 0, "F": 0}
    problems = how_many(150, 75)
    for seed in range(problems):
        problem = drawn(seed)
        instances = list_instances(problem)
        model = strong(instances)
        answer = Linear(model.program).solve()
        assert answer.outcome is Outcome.OPTIMAL
        u = np.ones(instances.size)
        u[model.crowd] = answer.x[instances.pairs :]
        x = answer.x[: instances.pairs]
        fresh = counting.separate(instances, problem.k, x, u, least=0.01)
        fresh += separate_flows(instances, problem.k, x, u, least=0.01)
        rng = np.random.default_rng(seed)
        some = list(releases(instances, rng))
        for cut in fresh:
            found[cut.kind] += 1
            assert left_side(cut, u, x) > cut.side + 0.009, "the point is cut off"
            for opened, rows in some:
                assert left_side(cut, opened, rows) <= cut.side + 1e-9
    assert found["T"] > problems // 8 and found["C"] > problems // 30 and found["F"] > problems // 10


def test_single_row_triples_hold_for_every_release():
    """S cuts are rare on tiny tables: build them for random points instead."""
    made = 0
    for seed in range(scaled(80)):
        problem = drawn(seed)
        instances = list_instances(problem)
        rng = np.random.default_rng([12, seed])
        x, u = rng.random(instances.pairs), rng.random(instances.size) * 0.5
        single = np.flatnonzero(problem.types.counts == 1)
        some = list(releases(instances, rng))
        for types in itertools.islice(itertools.combinations(single.tolist(), 3), 6):
            cut = counting.triple_cut(instances, x, u, np.array(types))
            made += 1
            for opened, rows in some:
                assert left_side(cut, opened, rows) <= cut.side
    assert made > scaled(100)
