"""Small random problems."""

from __future__ import annotations

import numpy as np

from incrowd.tables.values import Levels, Problem, RowTypes
from incrowd.tables.verify.recount import AnyMask, Table
from oracles.pattern_lists import PatternList


def types_of(rows):
    """Row types of integer rows; codes are ranks of the values."""
    rows = np.asarray(rows, np.int64)
    columns = [np.unique(rows[:, j], return_inverse=True) for j in range(rows.shape[1])]
    codes = np.stack([inverse for _, inverse in columns], axis=1)
    distinct, counts = np.unique(codes, axis=0, return_counts=True)
    return RowTypes(distinct.astype(np.int32), counts.astype(np.int64), tuple(len(v) for v, _ in columns))


def star_levels(types, weights=None):
    """Height 1 everywhere; a star in column j costs ``weights[j]`` (default 1)."""
    weights = [1] * types.m if weights is None else weights
    return tuple(
        Levels(
            np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
            np.stack([np.zeros(d), np.full(d, w)]).astype(np.int64),
        )
        for d, w in zip(types.sizes, weights, strict=True)
    )


def stars(types, k, outliers="forbid", vectors=None, weights=None):
    """Suppression alone, under all patterns or those given."""
    return Problem(types, star_levels(types, weights), PatternList([1] * types.m, vectors), k, outliers)


def random_levels(rng, d, height, *, uniform):
    """A random hierarchy over d values with random costs that do not fall."""
    up, cost = [np.arange(d)], [np.zeros(d, np.int64)]
    for level in range(1, height + 1):
        below = up[-1]
        names = np.unique(below)
        parents = np.zeros(len(names), int) if level == height else rng.integers(0, max(len(names) // 2, 1), len(names))
        merged = np.unique(parents, return_inverse=True)[1]
        up.append(merged[np.searchsorted(names, below)])
        least = np.array([cost[-1][up[-1] == node].max() for node in range(up[-1].max() + 1)])
        extra = rng.integers(0, 4, 1 if uniform else len(least))
        if uniform:
            least = np.full(len(least), least.max())
        cost.append((least + extra)[up[-1]])
    return Levels(np.array(up, np.int32), np.array(cost, np.int64))


def random_problem(rng, *, rows=None, full=None, outliers=None, uniform=None):
    """A problem of up to 14 rows (or `rows`) and 1-4 columns, heights 1-3, any mask."""
    n = int(rng.integers(1, 15)) if rows is None else rows
    m = int(rng.integers(1, 5))
    table = np.stack([rng.integers(0, rng.integers(1, 6), n) for _ in range(m)], axis=1)
    types = types_of(table)
    uniform = bool(rng.integers(2)) if uniform is None else uniform
    tallest = int(rng.integers(1, 4))
    heights = [int(rng.integers(1, tallest + 1)) for _ in range(m)]
    levels = tuple(random_levels(rng, d, h, uniform=uniform) for d, h in zip(types.sizes, heights, strict=True))
    every = PatternList(heights).vectors
    keep = rng.random(len(every)) < rng.choice([0.2, 0.5, 1.0])
    chosen = {v for v, k in zip(every, keep, strict=True) if k}
    full = bool(rng.integers(3)) if full is None else full
    chosen = chosen | {tuple(heights)} if full else chosen - {tuple(heights)}
    return Problem(
        types,
        levels,
        PatternList(heights, chosen, block=int(rng.integers(1, 9))),
        int(rng.integers(1, min(5, n) + 1)),
        outliers=outliers or ("forbid", "suppress")[int(rng.integers(2))],
    )


def alike_problem(rng, outliers):
    """Few values in many columns, stars alone, all patterns: prices alone leave a gap."""
    n, m = int(rng.integers(6, 10)), int(rng.integers(3, 6))
    types = types_of(np.stack([rng.integers(0, 2 if rng.random() < 0.7 else 3, n) for _ in range(m)], axis=1))
    return Problem(types, star_levels(types), PatternList([1] * m), int(rng.integers(2, 5)), outliers)


def as_table(problem):
    """The problem as the check of certificates sees it."""
    return Table(
        codes=problem.types.codes, counts=problem.types.counts, levels=problem.levels,
        mask=AnyMask(problem.patterns.allows), k=problem.k, outliers=problem.outliers, scale=problem.scale,
    )  # fmt: skip
