"""The kernels of the matching, slow and plain."""

from __future__ import annotations

from itertools import product

import numpy as np

FAR = 1 << 30


def group_cost(drawn, types):
    """Cost per row of a group of row types by the definition, FAR if no pattern allows it."""
    if drawn.sens is not None:
        for column in drawn.sens.T:
            if len({int(column[t]) for t in types}) < len(types):
                return FAR
    best = FAR
    vectors = drawn.vectors or product(*(range(level.height + 1) for level in drawn.levels))
    for vector in vectors:
        shown = {
            tuple(
                int(level.up[x, drawn.types.codes[t, j]])
                for j, (level, x) in enumerate(zip(drawn.levels, vector, strict=True))
            )
            for t in types
        }
        if len(shown) == 1:
            row = drawn.types.codes[types[0]]
            cost = sum(
                int(level.cost[x, row[j]]) for j, (level, x) in enumerate(zip(drawn.levels, vector, strict=True))
            )
            best = min(best, cost)
    return best


def reduced(group, cost, y, sets, z):
    """C - y - z of the sets that hold an odd number of the group."""
    rows = [v for v in group if v >= 0]
    return (
        cost
        - sum(y[v] for v in rows)
        - sum(price for s, price in zip(sets, z, strict=True) if sum(v in s for v in rows) % 2)
    )


def odd_value(groups, x, chosen):
    """The x of the groups with an odd number of rows in the set."""
    return sum(w for g, w in zip(groups, x, strict=True) if sum(v in chosen for v in g if v >= 0) % 2)


def random_sets(rng, n, count):
    """Odd sets of rows with prices that are multiples of 1/4."""
    sets = []
    for _ in range(count):
        size = min(int(rng.choice([3, 3, 5])), n if n % 2 else n - 1)
        sets.append(sorted(map(int, rng.choice(n, size, replace=False))))
    return sets, rng.integers(0, 8, count) / 4


def flat_sets(sets):
    starts = np.concatenate(([0], np.cumsum([len(s) for s in sets]))).astype(np.int64)
    return starts, np.array([v for s in sets for v in s], np.int64)
