"""Whole multipliers never take anything off a valid class, and their numbers say so."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.under_requirements import layout
from incrowd.tables.solve.bounds.under_requirements.multipliers import whole_multiplier
from oracles.count_rules import keeps
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(600, 36)
def test_y_is_in_the_polar_cone_whatever_was_found(seed):
    rng = np.random.default_rng([47, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=7)
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    lists = layout.laid_out(problem, found, 1)
    for r, (_, rule) in enumerate(layout.rules_of(problem)):
        if rule.family == Family.DISTINCT or rule.values > 4:
            continue
        size = int(rng.integers(1, rule.values + 1))
        held = np.sort(rng.choice(rule.values, size, replace=False)).astype(np.int64)
        raw, extra = 1000 * rng.random(size), 1000 * rng.random(size)
        weight = float(1000 * rng.random())
        whole = whole_multiplier(rule, float(lists.level[r]), held, raw, extra, weight)
        if whole is None:
            continue
        y, numbers = whole
        for counts in itertools.product(range(5), repeat=size):
            full = np.zeros(rule.values, np.int64)
            full[held] = counts
            if sum(counts) and keeps(rule, full.tolist()):
                assert int(y @ np.array(counts)) <= 0
        assert all(isinstance(number, int) for number in numbers)
        if rule.family in layout.CLOSE:
            high = np.array(numbers[1:])
            apart = np.abs(high[:, None] - high[None])
            assert (apart <= numbers[0] * layout.distances(rule) * (1 + 1e-12) + 1e-9).all()
        if rule.family == Family.RECURSIVE:
            step = rule.least + 1
            terms = [numbers[x : x + step] for x in range(0, len(numbers), step)]
            assert all(term[0] > 0 and len(set(term[2:])) == rule.least - 1 for term in terms)
