"""Ranges on a grid by brute force: every way to put the rows into classes, each class at the least that it may show."""

from __future__ import annotations

import itertools

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


def class_cost(problem, types):
    """Return what a class of some rows costs, row by row, at the least that it may show."""
    total = 0
    for j, level in enumerate(problem.levels):
        codes = problem.types.codes[types, j]
        ranged = problem.ranges[j]
        if ranged is not None:
            if len(set(codes)) > 1:
                cells = ranged.cell[codes]
                inside = [x for x, cell in enumerate(ranged.cell) if cells.min() <= cell <= cells.max()]
                total += len(types) * run_cost(problem, j, inside)
            continue
        for up, cost in zip(level.up, level.cost, strict=True):
            if len(set(up[codes])) == 1:
                total += int(cost[codes].sum())
                break
    return total


def masked_cost(problem, types):
    """Return what a class of some rows costs at the least that the mask allows it to show."""
    best, ways = None, []
    for j, level in enumerate(problem.levels):
        codes = problem.types.codes[types, j]
        ranged, found = problem.ranges[j], {}
        if ranged is None:
            for up in range(level.height + 1):
                if len(set(level.up[up][codes])) == 1:
                    found[up] = int(level.cost[up][codes].sum())
        else:
            cells = ranged.cell[codes]
            inside = [x for x, cell in enumerate(ranged.cell) if cells.min() <= cell <= cells.max()]
            if len(set(codes)) == 1:
                found[0] = 0
            if len(inside) < len(ranged.cell):
                found[1] = len(types) * run_cost(problem, j, inside)
            found[2] = int(level.cost[-1][codes].sum())
        ways.append(found)
    for vector in itertools.product(*ways):
        if problem.kinds.allows(vector):
            cost = sum(found[kind] for found, kind in zip(ways, vector, strict=True))
            best = cost if best is None else min(best, cost)
    return best


def drawn_mask(rng, names, ranged):
    """Return a random mask over columns; ranged ones have the levels 0, 1 and 2, the others a star at least."""

    def group(least=1):
        return [str(name) for name in rng.choice(names, int(rng.integers(least, len(names) + 1)), replace=False)]

    words = ["keep", "max_stars", "patterns", "max_level"]
    words += ["together", "at_most_one", "never_together"] if len(names) > 1 else []
    said = {}
    for word in rng.choice(words, int(rng.integers(1, 3)), replace=False):
        if word == "keep":
            said["keep"] = group()[: max(1, len(names) - 1)]
        elif word == "max_stars":
            said["max_stars"] = int(rng.integers(0, len(names)))
        elif word == "patterns":
            told = [group() for _ in range(int(rng.integers(1, 4)))]
            said["patterns"] = [
                {name: int(rng.integers(1, 3)) if name in ranged else 1 for name in one} for one in told
            ]
        elif word == "max_level":
            said["max_level"] = {str(rng.choice(names)): int(rng.integers(0, 2))}
        else:
            said[str(word)] = [group(2)]
    if rng.random() < 0.2:
        return Mask(**said) | drawn_mask(rng, names, ranged)
    return Mask(**said)


def run_cost(problem, j, inside):
    """Return what a run costs that holds some values: by their number, or by width if the column's codes say widths."""
    star, numbers = int(problem.levels[j].cost[-1].max()), NUMBERS[id(problem)][j]
    if WIDE[id(problem)]:
        held = [numbers[x] for x in inside]
        return star * (max(held) - min(held)) // (max(numbers) - min(numbers))
    return star * (len(inside) - 1) // (len(numbers) - 1)


def optimum(problem):
    """Return the least cost of a release."""
    rows = [i for i, n in enumerate(problem.types.counts) for _ in range(n)]
    star = sum(int(level.cost[-1].max()) for level in problem.levels)
    best = None
    for blocks in partitions(list(range(len(rows)))):
        total = 0
        for block in blocks:
            types = np.array([rows[x] for x in block])
            if len(block) >= problem.k:
                total += class_cost(problem, types) if problem.kinds is None else masked_cost(problem, types)
            elif problem.outliers == "suppress":
                total += star * len(block)
            else:
                break
            if best is not None and total >= best:
                break
        else:
            best = total
    return best


NUMBERS, WIDE, KEPT = {}, {}, []  # of every problem drawn; they are kept, so that no two have one id


def drawn(rng, *, most_rows=8, others=2, ranged=1, wide=False, masked=False):
    """Return a random problem with some ranged columns and up to `others` more, and the numbers of each column.

    With `wide` a run costs its width, with `masked` a mask says what may be shown.
    """
    n = int(rng.integers(2, most_rows + 1))
    m = int(rng.integers(0, others + 1)) + ranged
    columns = sorted(int(j) for j in rng.choice(m, ranged, replace=False))
    numbers = {}
    for j in columns:
        while j not in numbers or numbers[j].size < 2:
            numbers[j] = np.unique(rng.integers(0, int(rng.integers(2, 14)), n))
    rows = max(n, *(one.size for one in numbers.values()))
    data = []
    for j in range(m):
        if j in numbers:
            d = numbers[j].size
            own = np.concatenate([np.arange(d), rng.integers(0, d, rows - d)])
            data.append(own if not data else rng.permutation(own))
        else:
            data.append(np.unique(rng.integers(0, 3, rows), return_inverse=True)[1])
    codes, counts = np.unique(np.stack(data, axis=1).astype(np.int32), axis=0, return_counts=True)
    per = {j: int(np.ptp(one)) if wide else one.size - 1 for j, one in numbers.items()}
    scale = 6 * int(np.lcm.reduce(list(per.values())))
    levels, ranges = [], [None] * m
    for j in range(m):
        size = int(codes[:, j].max()) + 1
        identity, top = np.arange(size, dtype=np.int32), np.zeros(size, np.int32)
        star = scale * (int(rng.integers(1, 4)) if j in numbers else 1)
        lines, costs = [identity], [np.zeros(size, np.int64)]
        if j in numbers or (size > 2 and rng.random() < 0.6):
            lines.append((identity > 0).astype(np.int32))
            costs.append(np.where(identity > 0, star // 2, 0).astype(np.int64))
        levels.append(Levels(np.stack([*lines, top]), np.stack([*costs, np.full(size, star, np.int64)])))
        if j in numbers:
            step = int(rng.integers(1, 5))
            if masked and np.ptp(numbers[j] // step) == 0:  # a single cell is the star, and no range
                step = 1
            cell = np.unique(numbers[j] // step, return_inverse=True)[1].astype(np.int64)
            ranges[j] = RangedColumn.by_values(cell, star // per[j], (step, 1))
            if wide:
                unit, along = star // per[j], numbers[j] - numbers[j][0]
                low = np.array([along[cell == c].min() * unit for c in range(cell.max() + 1)], np.int64)
                up = np.array([along[cell == c].max() * unit for c in range(cell.max() + 1)], np.int64)
                ranges[j] = RangedColumn(cell, low, up, (step, 1))
    names = tuple(f"c{j}" for j in range(m))
    mask = drawn_mask(rng, names, {names[j] for j in numbers}) if masked else Mask()
    problem = Problem(
        types=RowTypes(codes, counts.astype(np.int64), tuple(int(c) + 1 for c in codes.max(axis=0))),
        levels=tuple(levels),
        patterns=mask.compile(names, [level.height for level in levels]),
        k=int(rng.integers(1, min(4, rows) + 1)),
        outliers=str(rng.choice(["forbid", "suppress"])),
        scale=scale,
        columns=names,
        ranges=tuple(ranges),
        kinds=mask.compile(names, [level.height for level in levels]) if masked else None,
    )
    found = {j: tuple(int(x) for x in one) for j, one in numbers.items()}
    NUMBERS[id(problem)], WIDE[id(problem)] = found, wide
    KEPT.append(problem)
    return problem, found
