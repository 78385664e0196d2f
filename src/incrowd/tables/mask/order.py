"""The order of patterns as one integer per pattern, a sum over its cells.

Cost, then fewer stars, then the larger sum of ties, then the lexicographic order of the vector: each is a sum
of terms per cell (the last one by reading the vector as a number), so with far enough scales their order is
the order of one sum of big integers. No two vectors have the same key, and a key tells its vector and its
cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.values import Int8, Int64

__all__ = ["Keys", "Table", "lexicographic", "tables"]

Table = list[list[int]]

# Numbers of a word stay well inside int64.
WORD = 1 << 62


def tables(heights: Sequence[int], values: Sequence[Sequence[int]], what: str) -> Table:
    """Return `values` (one number per column and level) as plain lists.

    `heights` has the top level per column, and `what` is the name of the values, for messages. Raises ValueError if a
    column or level is missing or left over, and PolicyError if sums over a row do not fit into 63 bits.
    """
    if [len(levels) for levels in values] != [top + 1 for top in heights]:
        raise ValueError(f"{what} must hold one number for each of the levels 0 ... top of every column")
    table = [[int(value) for value in levels] for levels in values]
    if sum(max(map(abs, levels)) for levels in table) >= WORD:
        raise PolicyError(f"{what} of one row need more than 62 bits; give weights with fewer digits")
    return table


def words(heights: Sequence[int]) -> list[range]:
    """Return runs of columns; the levels of each run, read as one number, fit into int64."""
    runs: list[range] = []
    begin, size = 0, 1
    for j, top in enumerate(heights):
        if size * (top + 1) > WORD:
            runs.append(range(begin, j))
            begin, size = j, 1
        size *= top + 1
    return [*runs, range(begin, len(heights))]


def lexicographic(heights: Sequence[int], levels: Int8) -> list[Int64]:
    """Return numbers that sort as the vectors do.

    Of the arrays, each (v,), the first decides, then the second, and so on. `heights` has the top level per column, and
    `levels` is (v, m).
    """
    numbers = []
    for run in words(heights):
        number = np.zeros(len(levels), np.int64)
        for j in run:
            number *= heights[j] + 1
            number += levels[:, j]
        numbers.append(number)
    return numbers


@dataclass(frozen=True, eq=False)
class Keys:
    """Keys of the patterns over one set of columns.

    Attributes
    ----------
    heights : tuple of int
    cells : list of list of int
        ``cells[j][l]``: what level l in column j adds to the key.
    vectors : int
        Number of level vectors; a key modulo it is the vector read as a number.
    unit : int
        What one unit of cost adds to the key.
    """

    heights: tuple[int, ...]
    cells: Table
    vectors: int
    unit: int

    @staticmethod
    def of(heights: tuple[int, ...], costs: Table, ties: Table | None = None) -> Keys:
        """Return the keys for costs and ties.

        `heights` has the top level per column; `costs` and `ties` are per column and level. Of equal costs and numbers
        of stars the larger sum of `ties` comes first.
        """
        place = [1] * (len(heights) + 1)
        for j in reversed(range(len(heights))):
            place[j] = place[j + 1] * (heights[j] + 1)
        if ties is None:
            ties = [[0] * (top + 1) for top in heights]
        # The larger sum first: count what is missing to the largest one.
        missing = [[max(levels) - tie for tie in levels] for levels in ties]
        star = place[0] * (1 + sum(max(levels) for levels in missing))
        unit = star * (len(heights) + 1)
        cells = [
            [
                costs[j][level] * unit + (level == top > 0) * star + missing[j][level] * place[0] + level * place[j + 1]
                for level in range(top + 1)
            ]
            for j, top in enumerate(heights)
        ]
        return Keys(heights, cells, place[0], unit)

    def costs(self, keys: Sequence[int]) -> Int64:
        """Return the costs of the patterns with these keys, one for each."""
        return np.array([key // self.unit for key in keys], np.int64)

    def vector(self, key: int) -> tuple[int, ...]:
        """Return the vector with this key."""
        number = key % self.vectors
        levels = []
        for top in reversed(self.heights):
            number, level = divmod(number, top + 1)
            levels.append(level)
        return tuple(reversed(levels))

    def levels(self, keys: Sequence[int]) -> Int8:
        """Return the vectors with these keys, shape (keys, m)."""
        found = np.zeros((len(keys), len(self.heights)), np.int8)
        numbers = [key % self.vectors for key in keys]
        for run in reversed(words(self.heights)):
            size = 1
            for j in run:
                size *= self.heights[j] + 1
            low = np.array([number % size for number in numbers], np.int64)
            numbers = [number // size for number in numbers]
            for j in reversed(run):
                low, found[:, j] = np.divmod(low, self.heights[j] + 1)
        return found
