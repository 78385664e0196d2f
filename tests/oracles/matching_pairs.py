"""Drawn matching problems with the cost of every pair, for the kernels of the matching."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from incrowd.tables.solve.matching.metric import metric
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR, group_cost


def pairs_of(drawn):
    """h of every pair, FAR on the diagonal."""
    t = drawn.types.t
    h = np.full((t, t), FAR, np.int64)
    for i, j in combinations(range(t), 2):
        h[i, j] = h[j, i] = group_cost(drawn, [i, j])
    return h


def cases(count, rows=(4, 8)):
    for seed in range(count):
        drawn = draw(FAMILIES[seed % len(FAMILIES)], 2000 + seed, rows)
        me = metric(drawn.types.codes, drawn.levels, drawn.patterns, drawn.sens, dense=seed % 3 > 0)
        h = pairs_of(drawn)
        yield np.random.default_rng(seed), drawn, me, np.where(h == FAR, FAR, h // me.divisor)


def fractional(rng, n):
    groups = [g for size in (1, 2, 3) for g in combinations(range(n), size)]
    chosen = rng.choice(len(groups), min(len(groups), int(rng.integers(3, 2 * n))), replace=False)
    lines = np.array([[*groups[c], *[-1] * (3 - len(groups[c]))] for c in chosen], np.int64)
    return lines, rng.integers(1, 4, len(lines)) / 8
