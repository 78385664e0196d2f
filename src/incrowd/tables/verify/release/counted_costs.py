"""Costs that look at what the table holds, as the check reads them: from a hierarchy's lines and their rows alone.

The second statement of `ncp`, `entropy` and `workload`, like those in `costs`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.column_counts import ColumnCounts
    from incrowd.tables.hierarchy import Hierarchy

__all__ = ["COUNTED", "micro_bits"]

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
