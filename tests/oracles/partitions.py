"""The least cost of a release by trying every partition of the rows, straight from the definitions.

Groups of every size are tried, not only pairs and triples; nothing of the solvers is used.
"""

from __future__ import annotations

from itertools import product

import numpy as np

INFINITE = np.iinfo(np.int64).max // 4


def rows_of(codes, counts):
    return np.repeat(np.arange(len(counts)), counts)


def class_costs(codes, levels, vectors, rows):
    """Cost per row of every set of rows (a bit mask) that some allowed vector makes look alike."""
    n = len(rows)
    cost = np.full(1 << n, INFINITE, np.int64)
    sets = np.arange(1 << n)
    if vectors is None:
        vectors = list(product(*(range(level.up.shape[0]) for level in levels)))
    # Per column, level and row: the node and its cost.
    node = [level.up[:, codes[rows, j]].tolist() for j, level in enumerate(levels)]
    worth = [level.cost[:, codes[rows, j]].tolist() for j, level in enumerate(levels)]
    columns = range(len(levels))
    for vector in vectors:
        shown = {}
        for bit in range(n):
            nodes = tuple([node[j][vector[j]][bit] for j in columns])
            price = sum([worth[j][vector[j]][bit] for j in columns])
            mask, _ = shown.get(nodes, (0, price))
            shown[nodes] = (mask | 1 << bit, price)
        for mask, price in shown.values():
            inside = (sets & ~mask) == 0
            cost[inside] = np.minimum(cost[inside], price)
    return cost


def diverse(values, rows, members):
    """Whether in each sensitive column no value is in more than half of the members."""
    for column in range(values.shape[1]):
        seen = [values[rows[b], column] for b in members]
        if max(seen.count(v) for v in seen) * 2 > len(seen):
            return False
    return True


def least(codes, counts, levels, vectors=None, outliers="forbid", sens=None):
    """The cost of the cheapest release with groups of at least two rows; None if there is none."""
    rows = rows_of(codes, counts)
    n = len(rows)
    per_row = class_costs(codes, levels, vectors, rows)
    top = tuple(level.up.shape[0] - 1 for level in levels)
    alone = outliers == "suppress" and sens is None and (vectors is None or top in set(map(tuple, vectors)))
    price = np.full(1 << n, INFINITE, np.int64)
    for group in range(1, 1 << n):
        size = group.bit_count()
        if size == 1:
            if alone:
                price[group] = sum(int(level.cost[-1].max()) for level in levels)
            continue
        if per_row[group] >= INFINITE:
            continue
        if sens is not None and not diverse(sens, rows, [b for b in range(n) if group >> b & 1]):
            continue
        price[group] = size * per_row[group]
    best = [0] + [INFINITE] * ((1 << n) - 1)
    price = price.tolist()
    for have in range(1, 1 << n):
        low = have & -have
        rest = have ^ low
        part = rest
        found = INFINITE
        while True:
            whole = price[part | low] + best[rest ^ part]
            if whole < found:
                found = whole
            if part == 0:
                break
            part = (part - 1) & rest
        best[have] = min(found, INFINITE)
    return None if best[-1] >= INFINITE else best[-1]
