from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.seeds import how_many

from incrowd.tables.solve.bounds.cuts.flow import _Search, flow_cut
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.row_assignment import assign
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of
from seeds import scaled


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


def test_any_flow_cut_holds_for_every_release():
    """Whatever rows, full instances and others it is made of."""
    made, tight, problems = 0, 0, how_many(250, 36)
    for seed in range(problems):
        problem = drawn(seed)
        instances = list_instances(problem)
        rng = np.random.default_rng([13, seed])
        some = list(releases(instances, rng))
        crowd = np.flatnonzero(instances.needs > 0)
        for _ in range(20):
            chosen = rng.permutation(crowd)[: int(rng.integers(2, 6))].tolist()
            share = int(rng.integers(1, max(len(chosen), 2)))
            types = np.flatnonzero(rng.random(instances.t) < rng.choice([0.4, 0.7, 0.9]))
            cut = flow_cut(instances, problem.k, types, chosen[share:], chosen[:share])
            if cut is None:
                continue
            made += 1
            for opened, rows in some:
                side = left_side(cut, opened, rows)
                assert side <= cut.side
                tight += side == cut.side
    assert made > 2 * problems and tight > problems / 3


def test_the_violation_of_a_flow_cut_is_its_own():
    """The search counts by parts of the sum; the cut itself says the same of the point."""
    met = 0
    for seed in range(scaled(100)):
        problem = drawn(seed)
        instances = list_instances(problem)
        rng = np.random.default_rng([14, seed])
        crowd = np.flatnonzero(instances.needs > 0)
        x, u = rng.random(instances.pairs) * instances.counts[instances.members], rng.random(instances.size)
        search = _Search(instances, problem.k, x, u)
        for _ in range(20):
            chosen = rng.permutation(crowd)[: int(rng.integers(2, 4))].tolist()
            value, types = search.value(chosen[1:], chosen[:1])
            cut = flow_cut(instances, problem.k, np.array(types, np.int64), chosen[1:], chosen[:1])
            if value > -1.0 and cut is not None:
                met += 1
                assert abs(left_side(cut, u, x) - cut.side - value) < 1e-9
    assert met > scaled(100)
