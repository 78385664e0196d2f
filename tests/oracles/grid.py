"""Ranges on a grid by brute force: every way to put the rows into classes, each class at the least that it may show."""

from __future__ import annotations

import numpy as np

from incrowd.tables.mask import Mask
from incrowd.tables.range_columns import RangedColumn
from incrowd.tables.values import Levels, Problem, RowTypes


def partitions(rows):
    """Yield every partition of a list into blocks."""
    if not rows:
        yield []
        return
    first, rest = rows[0], rows[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for i, block in enumerate(smaller):
            yield [*smaller[:i], [first, *block], *smaller[i + 1 :]]


def class_cost(problem, column, types):
    """Return what a class of some rows costs, row by row, at the least that it may show."""
    total = 0
    for j, level in enumerate(problem.levels):
        codes = problem.types.codes[types, j]
        if j == column:
            ranged = problem.ranges[j]
            if len(set(codes)) > 1:
                cells = ranged.cell[codes]
                inside = sum(cells.min() <= cell <= cells.max() for cell in ranged.cell)
                total += len(types) * (inside - 1) * ranged.unit
            continue
        for up, cost in zip(level.up, level.cost, strict=True):
            if len(set(up[codes])) == 1:
                total += int(cost[codes].sum())
                break
    return total


def optimum(problem):
    """Return the least cost of a release."""
    column = next(j for j, one in enumerate(problem.ranges) if one is not None)
    rows = [i for i, n in enumerate(problem.types.counts) for _ in range(n)]
    star = sum(int(level.cost[-1].max()) for level in problem.levels)
    best = None
    for blocks in partitions(list(range(len(rows)))):
        total = 0
        for block in blocks:
            types = np.array([rows[x] for x in block])
            if len(block) >= problem.k:
                total += class_cost(problem, column, types)
            elif problem.outliers == "suppress":
                total += star * len(block)
            else:
                break
            if best is not None and total >= best:
                break
        else:
            best = total
    return best


def drawn(rng, *, most_rows=8, others=2):
    """Return a random problem with one ranged column and up to `others` more."""
    n = int(rng.integers(2, most_rows + 1))
    while True:
        numbers = np.unique(rng.integers(0, int(rng.integers(2, 14)), n))
        if numbers.size > 1:
            break
    d = numbers.size
    step = int(rng.integers(1, 5))
    places = numbers // step
    cell = np.unique(places, return_inverse=True)[1].astype(np.int64)
    m = int(rng.integers(0, others + 1))
    column = int(rng.integers(0, m + 1))
    value = np.concatenate([np.arange(d), rng.integers(0, d, max(n - d, 0))])
    data = [rng.integers(0, 3, len(value)) for _ in range(m)]
    data = [np.unique(one, return_inverse=True)[1] for one in data]
    data.insert(column, value)
    codes, counts = np.unique(np.stack(data, axis=1).astype(np.int32), axis=0, return_counts=True)
    weight = int(rng.integers(1, 4))
    scale = 6 * (d - 1)
    levels = []
    for j in range(m + 1):
        size = int(codes[:, j].max()) + 1
        identity, top = np.arange(size, dtype=np.int32), np.zeros(size, np.int32)
        star = scale * (weight if j == column else 1)
        rows, costs = [identity], [np.zeros(size, np.int64)]
        if j == column or (size > 2 and rng.random() < 0.6):
            rows.append((identity > 0).astype(np.int32))
            costs.append(np.where(identity > 0, star // 2, 0).astype(np.int64))
        levels.append(Levels(np.stack([*rows, top]), np.stack([*costs, np.full(size, star, np.int64)])))
    below = np.concatenate(([0], np.cumsum(np.bincount(cell)))).astype(np.int64)
    ranges = [None] * (m + 1)
    ranges[column] = RangedColumn(cell, below, 6 * weight, (step, 1))
    names = tuple(f"c{j}" for j in range(m + 1))
    return Problem(
        types=RowTypes(codes, counts.astype(np.int64), tuple(int(c) + 1 for c in codes.max(axis=0))),
        levels=tuple(levels),
        patterns=Mask().compile(names, [level.height for level in levels]),
        k=int(rng.integers(1, min(4, len(value)) + 1)),
        outliers=str(rng.choice(["forbid", "suppress"])),
        scale=scale,
        columns=names,
        ranges=tuple(ranges),
    ), tuple(int(x) for x in numbers)
