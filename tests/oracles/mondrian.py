"""Mondrian in plain Python, on rows."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import numpy as np

from incrowd.tables.values import RowTypes
from oracles.problems import random_problem


def positions(problem, j):
    """Return the order of column j's codes, and the place of each (both as dicts by code)."""
    level = problem.levels[j]
    d = level.up.shape[1]
    given = list(range(d)) if not problem.places or problem.places[j] is None else problem.places[j].tolist()

    def key(code):
        above = []
        for up in level.up[1:-1][::-1]:
            leaves = [c for c in range(d) if up[c] == up[code]]
            above.append((min(given[c] for c in leaves), int(up[code])))
        return (*above, given[code], code)

    order = sorted(range(d), key=key)
    along = [given[c] for c in order]
    if along != sorted(along):
        along = list(range(d))
    length = along[-1] - along[0]
    place = [Fraction((x - along[0]) * (1 << 30) // length) if length else Fraction(0) for x in along]
    return {c: r for r, c in enumerate(order)}, {c: place[r] for r, c in enumerate(order)}


def mondrian_parts(problem, *, relaxed=False, median=False, allowed=None):
    """Return the parts, each a list of type numbers, one per row.

    `allowed` says of a list of rows whether it may stand by itself, beside having k rows.
    """
    lines = [positions(problem, j) for j in range(problem.types.m)]
    codes = [tuple(int(x) for x in row) for row in problem.types.codes]
    allowed = allowed or (lambda rows: True)

    def may(*sides):
        return all(len(side) >= problem.k and allowed(side) for side in sides)

    def cuts(rows):
        """Yield the pairs of sides in the order in which they are tried."""
        wide = []
        for j, (rank, place) in enumerate(lines):
            values = sorted({codes[i][j] for i in rows}, key=rank.get)
            if len(values) > 1:
                wide.append((-(place[values[-1]] - place[values[0]]), j, values))
        for _, j, values in sorted(wide):
            rank, up = lines[j][0], problem.levels[j].up
            if relaxed:
                inner = sorted(rows, key=lambda i: rank[codes[i][j]])
                yield inner[: len(rows) // 2], inner[len(rows) // 2 :]
                continue
            common = min(lv for lv in range(len(up)) if len({up[lv][v] for v in values}) == 1)
            for level in range(common - 1, -1, -1):
                best = None
                for a, b in itertools.pairwise(values):
                    if up[level][a] != up[level][b]:
                        left = [i for i in rows if rank[codes[i][j]] <= rank[a]]
                        right = [i for i in rows if rank[codes[i][j]] > rank[a]]
                        if median:
                            if 2 * len(left) >= len(rows):
                                best = left, right
                                break
                        elif best is None or min(len(left), len(right)) > min(map(len, best)):
                            best = left, right
                if best is not None:
                    yield best

    def split(rows):
        for left, right in cuts(rows):
            if may(left, right):
                return split(left) + split(right)
        return [rows]

    return split([i for i, count in enumerate(problem.types.counts) for _ in range(int(count))])


def shown(problem, vectors, rows):
    """Return the cheapest allowed vector under which all rows agree, by (cost, stars, order); None: there is none."""
    codes = [tuple(int(x) for x in problem.types.codes[i]) for i in rows]
    found = None
    for vector in vectors:
        if any(
            len({int(level.up[v, c[j]]) for c in codes}) > 1
            for j, (v, level) in enumerate(zip(vector, problem.levels, strict=True))
        ):
            continue
        cost = sum(
            int(level.cost[v, codes[0][j]]) for j, (v, level) in enumerate(zip(vector, problem.levels, strict=True))
        )
        stars = sum(v == level.height for v, level in zip(vector, problem.levels, strict=True))
        if found is None or (cost, stars, vector) < found:
            found = cost, stars, vector
    return found


def drawn(seed, **options):
    """A random problem, with numbers in some columns of it."""
    rng = np.random.default_rng([77, seed])
    problem = random_problem(rng, rows=int(rng.integers(1, 40)), **options)
    if not rng.integers(2):
        return problem
    places = tuple(rng.integers(0, 12, d) if rng.integers(2) else None for d in problem.types.sizes)
    return dataclasses.replace(problem, places=places)


def with_kinds(problem, rng):
    """The problem with its types told apart by one of four kinds."""
    parts = {}
    for i, count in enumerate(problem.types.counts):
        for kind in rng.integers(0, 4, count):
            parts[i, int(kind)] = parts.get((i, int(kind)), 0) + 1
    keys = sorted(parts)
    kinds = RowTypes(
        problem.types.codes[[i for i, _ in keys]],
        np.array([parts[key] for key in keys], np.int64),
        problem.types.sizes,
        np.array([kind for _, kind in keys], np.int32),
    )
    return dataclasses.replace(problem, types=kinds)
