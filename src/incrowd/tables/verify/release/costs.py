"""What a change costs, as the check reads it: from a hierarchy's lines alone, in exact fractions.

The second statement of every cost, written down from its definition: nothing here is taken from those that the solvers
use. A release whose cost has no reading here is refused. `READINGS` is the list,
and `counted_costs` has those that look at the table.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError, count_of
from incrowd.tables.column_counts import ColumnCounts
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.values import Levels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.hierarchy import Fitted

STAR = "*"
FLAT = Hierarchy(lines=(("a value",),))
FLAT_COUNTS = ColumnCounts(rows=(1,))
NOTHING = ColumnCounts(rows=())
MOST = 2**62  # half of what 64 bits hold, so that sums of two costs fit too

Costs = list[list[Fraction]]
"""Of every line (a leaf) of a hierarchy at level 0, 1, ... h: lists of h + 1 fractions, one list a line."""


def leaves(hierarchy: Hierarchy) -> Costs:
    """Return (leaves below - 1) / (leaves - 1) for every node, and what the hierarchy says itself where it does.

    The star of a hierarchy with one leaf costs 1.
    """
    lines, height = hierarchy.lines, hierarchy.height
    if hierarchy.level_costs is not None:
        return [[Fraction(0), *hierarchy.level_costs]] * len(lines)
    below = [Counter(line[level] for line in lines) for level in range(1, height)]
    own = dict(hierarchy.node_costs or ())
    share = {n: Fraction(n - 1, max(len(lines) - 1, 1)) for counted in below for n in set(counted.values())}
    nothing, star = Fraction(0), own.get(STAR, Fraction(1))
    return [
        [
            nothing,
            *(own.get(label, share[counted[label]]) for label, counted in zip(line[1:], below, strict=True)),
            star,
        ]
        for line in lines
    ]


def cells(hierarchy: Hierarchy) -> Costs:
    """Return 1 for every level above the values themselves."""
    return [[Fraction(0), *[Fraction(1)] * hierarchy.height]] * len(hierarchy.lines)


def levels(hierarchy: Hierarchy) -> Costs:
    """Return level / height."""
    height = hierarchy.height
    return [[Fraction(level, height) for level in range(height + 1)]] * len(hierarchy.lines)


READINGS: dict[str, Callable[[Hierarchy], Costs]] = {"leaves": leaves, "cells": cells, "levels": levels}


def reading_of(cost: str) -> Callable[[Hierarchy, ColumnCounts], Costs]:
    """Return how a cost, named as a policy names it, is read. Raise `PolicyError` if the check has no reading of it."""
    name = cost.partition(":")[0]
    if name in COUNTED:
        return COUNTED[name]
    if name not in READINGS:
        known = ", ".join([*READINGS, *COUNTED])
        raise PolicyError(f"cost {name!r} cannot be verified: the check has no reading of it, only of {known}")
    return lambda hierarchy, _: READINGS[name](hierarchy)


def read_costs(
    cost: str, hierarchy: Hierarchy, weight: Fraction = Fraction(1), counts: ColumnCounts = NOTHING
) -> Costs:
    """Return what showing each leaf of a hierarchy at each level costs, (L, h + 1) as lists, times a weight.

    The cost is named as a policy has it. The hierarchy has L leaves and height h, and the column's weight is at least
    0. `counts` is what the table holds of the hierarchy's lines, for costs that look at it. Takes O(L h) time and
    memory.
    """
    found = reading_of(cost)(hierarchy, counts)
    if weight == 1:
        return found
    # told apart by identity, which is quick: few objects stand for many nodes
    weighed = {key: value * weight for key, value in {id(value): value for line in found for value in line}.items()}
    return [[weighed[id(value)] for value in line] for line in found]


def star_cost(cost: str, weight: Fraction = Fraction(1)) -> Fraction:
    """Return what a star costs in a column without a hierarchy, which is one where nothing lies below the star.

    The cost is named as a policy has it, and the column's weight is at least 0.
    """
    return read_costs(cost, FLAT, weight, FLAT_COUNTS)[0][1]


def read_levels(
    cost: str,
    columns: Sequence[str],
    sizes: Sequence[int],
    hierarchies: Mapping[str, tuple[Fitted, NDArray[np.int64]]],
    weights: Mapping[str, Fraction],
    *,
    rows: int,
    counts: Mapping[str, ColumnCounts] = MappingProxyType({}),
) -> tuple[tuple[Levels, ...], int]:
    """Return every column's levels with whole costs, and how many of them one unit of the user's cost is.

    `columns` and `sizes`, the distinct values of each column, have length m. `hierarchies` has, per column with one,
    the hierarchy and (d,) int64, the line of each of its values. `counts` are by column, for costs that look at the
    table. Takes O(L h + d h) time and memory per column. Raise `PolicyError` if the check has no reading of the cost,
    or its numbers do not fit in 64 bits over all rows.
    """
    told: list[Costs] = []
    for column in columns:
        weight = weights.get(column, Fraction(1))
        plain = [[Fraction(0), star_cost(cost, weight)]]
        held = counts.get(column, NOTHING)
        tree = hierarchies.get(column)
        told.append(plain if tree is None else read_costs(cost, tree[0].hierarchy, weight, held))
    distinct = {id(value): value for column in told for line in column for value in line}
    scale = math.lcm(1, *(value.denominator for value in distinct.values()))
    largest = max(distinct.values(), default=Fraction(0))
    if max(Fraction(scale), rows * len(columns) * largest * scale) >= MOST:
        raise PolicyError(
            "the weights have too many digits or lie too far apart to be added up exactly over "
            f"{count_of(rows, 'row')}; round them"
        )
    whole = {key: int(value * scale) for key, value in distinct.items()}
    out = []
    for column, size, costs in zip(columns, sizes, told, strict=True):
        scaled = np.array([[whole[id(value)] for value in line] for line in costs], np.int64)
        if column in hierarchies:
            fitted, lines = hierarchies[column]
            out.append(Levels(_nodes(fitted.hierarchy, lines), np.ascontiguousarray(scaled[lines].T)))
        else:
            up = np.stack([np.arange(size, dtype=np.int32), np.zeros(size, np.int32)])
            out.append(Levels(up, np.ascontiguousarray(np.repeat(scaled.T, size, axis=1))))
    return tuple(out), scale


def _nodes(hierarchy: Hierarchy, lines: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return which values share a label at each level, (h + 1, d): equal numbers, equal labels; the star is 0."""
    up = np.zeros((hierarchy.height + 1, len(lines)), np.int32)
    up[0] = np.arange(len(lines))
    for level in range(1, hierarchy.height):
        first: dict[str, int] = {}
        for line in hierarchy.lines:
            first.setdefault(line[level], len(first))
        numbers = [first[hierarchy.lines[line][level]] for line in lines]
        up[level] = np.unique(np.array(numbers, np.int64), return_inverse=True)[1].reshape(-1)
    return up


# Costs that look at what the table holds, as the check reads them: from a hierarchy's lines and their rows alone.
#
# The second statement of `ncp`, `entropy` and `workload`, like those in `costs`.
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
MISSING = "NULL"
PARTS = 10**6  # of a bit, and of a query's error
ONES = 1 << 512


def ncp(hierarchy: Hierarchy, counts: ColumnCounts) -> list[list[Fraction]]:
    """Return each label's share of the values of the table; of a column declared numeric its share of their width."""
    lines, height = hierarchy.lines, hierarchy.height
    held = [i for i, rows in enumerate(counts.rows) if rows]
    numbers = {i: _number(lines[i][0]) for i in held} if counts.numeric else {}
    told = [number for number in numbers.values() if number is not None]
    width = max(told) - min(told) if told else Fraction(0)
    levels = [[Fraction(0)] * len(lines)]
    for level in range(1, height):
        shares: dict[str, Fraction] = defaultdict(Fraction)
        for label, members in _members(hierarchy, level, held).items():
            inside = [numbers[i] for i in members if numbers[i] is not None] if counts.numeric else []
            if not counts.numeric:
                shares[label] = Fraction(len(members) if len(members) > 1 else 0, len(held))
            elif inside and len(inside) < len(members):
                shares[label] = Fraction(1)
            elif inside and width:
                shares[label] = (max(inside) - min(inside)) / width  # type: ignore[type-var, operator]
        levels.append([shares[line[level]] for line in lines])
    levels.append([Fraction(1)] * len(lines))
    return _by_line(levels)


def entropy(hierarchy: Hierarchy, counts: ColumnCounts) -> list[list[Fraction]]:
    """Return log2 of the rows below each node, also at level 0; what the rows cost as they are is taken off later."""
    lines, rows = hierarchy.lines, counts.rows
    levels = [[_bits(n) for n in rows]]
    for level in range(1, hierarchy.height):
        below: Counter[str] = Counter()
        for line, n in zip(lines, rows, strict=True):
            below[line[level]] += n
        levels.append([_bits(below[line[level]]) for line in lines])
    levels.append([_bits(sum(rows))] * len(lines))
    return _by_line(levels)


def workload(hierarchy: Hierarchy, counts: ColumnCounts) -> list[list[Fraction]]:
    """Return what the queries lose by each label; a label never costs less than one below it."""
    lines = hierarchy.lines
    held = [i for i, rows in enumerate(counts.rows) if rows]
    levels = [[Fraction(0)] * len(lines)]
    for level in range(1, hierarchy.height + 1):
        costs: dict[str, Fraction] = defaultdict(Fraction)
        for label, members in _members(hierarchy, level, held).items():
            spread = len(members)
            lost = counts.counting * Fraction((PARTS * (spread - 1)) // spread, PARTS)
            for weight, by_line in counts.telling:
                lost += weight * _growth([dict(by_line[i]) for i in members])
            costs[label] = max([lost, *(levels[-1][i] for i in members)])
        top = level == hierarchy.height
        levels.append([costs["*" if top else line[level]] for line in lines])
    return _by_line(levels)


COUNTED: dict[str, Callable[[Hierarchy, ColumnCounts], list[list[Fraction]]]] = {
    "ncp": ncp, "entropy": entropy, "workload": workload,
}  # fmt: skip


def _members(hierarchy: Hierarchy, level: int, held: list[int]) -> dict[str, list[int]]:
    """Return by label of a level the lines below it whose values the table holds; at the top by a star."""
    found: dict[str, list[int]] = defaultdict(list)
    for i in held:
        found["*" if level == hierarchy.height else hierarchy.lines[i][level]].append(i)
    return found


def _by_line(levels: list[list[Fraction]]) -> list[list[Fraction]]:
    return [list(line) for line in zip(*levels, strict=True)]


def _number(text: str) -> Fraction | None:
    if text == MISSING:
        return None
    if len(text) > 1000 or not NUMBER.fullmatch(text):
        raise PolicyError(
            "cost ncp takes the width of a column that is declared numeric, but some of its values are no finite "
            "decimal numbers; leave it out of --numeric, or name what stands for a missing value with --na"
        )
    return Fraction(text)


def _growth(rows: list[dict[int, int]]) -> Fraction:
    """Return by how many bits a row tells less of the target where some values are one, in whole millionths."""
    joined: Counter[int] = Counter()
    for one in rows:
        joined.update(one)
    grown = (_spread(joined) - sum(_spread(one) for one in rows)) // sum(joined.values())
    return Fraction(max(grown, 0), PARTS)


def _spread(rows: dict[int, int]) -> int:
    every = sum(rows.values())
    return every * micro_bits(every) - sum(n * micro_bits(n) for n in rows.values())


def _bits(rows: int) -> Fraction:
    return _fraction(micro_bits(rows)) if rows else _fraction(0)


@lru_cache(maxsize=1 << 16)
def _fraction(millionths: int) -> Fraction:
    return Fraction(millionths, PARTS)


@lru_cache(maxsize=1 << 16)
def micro_bits(number: int) -> int:
    """Return the whole part of 10^6 log2 of a number of at least 1, by squaring it between two whole numbers."""
    whole = number.bit_length() - 1
    if number == 1 << whole:
        return PARTS * whole
    # number = 2^whole x with low / ONES <= x <= high / ONES; log2 x = digits / 2^squared + what is left
    low, high = number * ONES >> whole, -(-number * ONES >> whole)
    digits = squared = 0
    while True:
        low, high = low * low // ONES, -(-high * high // ONES)
        squared, digits = squared + 1, 2 * digits
        if low >= 2 * ONES:
            low, high, digits = low // 2, -(-high // 2), digits + 1
        elif high >= 2 * ONES:
            raise PolicyError("a logarithm of the cost is not decided")
        if PARTS * digits >> squared == PARTS * (digits + 1) - 1 >> squared:
            return PARTS * whole + (PARTS * digits >> squared)
