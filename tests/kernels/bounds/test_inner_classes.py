"""The best class of every instance against every class there is."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_classes import NO_CLASS, best_of_each
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.under_requirements import layout
from oracles.inner_problems import best_class, valid_counts
from oracles.required import FAMILIES, random_required
from seeds import seeds


def looked(problem, below, prices, state):
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    lists = layout.laid_out(problem, found, below)
    values, takes = np.zeros(found.size, np.int64), np.ones(found.pairs)
    best_of_each(lists, found.costs * 60, prices, np.full(found.size, state, np.int8), values, takes)
    return found, values, takes


@seeds(640, 64)
def test_with_all_classes_listed_it_is_the_best_class_and_its_rows(seed):
    rng = np.random.default_rng([38, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(4, 8)))
    prices = rng.integers(-200, 900, problem.types.t)
    valid = valid_counts(problem, problem.types.n)
    below = problem.types.n + 1
    found, opened, rows = looked(problem, below, prices, 1)
    _, either, _ = looked(problem, below, prices, 0)
    assert (either == np.maximum(opened, 0)).all()
    assert not looked(problem, below, prices, -1)[1].any()
    for g in range(found.size):
        here = slice(found.begins[g], found.begins[g + 1])
        types, cost, need = found.members[here], int(found.costs[g]) * 60, int(found.needs[g])
        best = best_class(problem, valid, types.tolist(), cost, need, prices)
        assert opened[g] == (NO_CLASS if best is None else best)
        if best is None:
            continue
        assert (rows[here] <= problem.types.counts[types]).all() and rows[here].sum() >= need
        assert (rows[here] * (prices[types] - cost)).sum() == best
        one = np.zeros(types.size, np.int64)
        taken = rows[here].astype(np.int64)
        assert all(asked.meets(one, problem.types.kinds[types], taken, 1)[0] for asked in problem.requirements)


@seeds(320, 32)
def test_with_fewer_listed_it_is_at_least_the_best_class(seed):
    rng = np.random.default_rng([39, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(4, 8)))
    prices = rng.integers(-200, 900, problem.types.t)
    valid = valid_counts(problem, problem.types.n)
    found, opened, rows = looked(problem, (1, 3, 5)[seed % 3], prices, 1)
    for g in range(found.size):
        here = slice(found.begins[g], found.begins[g + 1])
        types, cost, need = found.members[here], int(found.costs[g]) * 60, int(found.needs[g])
        best = best_class(problem, valid, types.tolist(), cost, need, prices)
        assert best is None or opened[g] >= best
        if opened[g] > NO_CLASS:
            assert (rows[here] * (prices[types] - cost)).sum() <= opened[g]
            assert (rows[here] <= problem.types.counts[types]).all()
