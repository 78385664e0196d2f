"""A table as the check sees it, laid out for the walk over its patterns: vectors, nodes and costs a line, key words."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.bound.strict_numbers import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels, Outliers

    Int64 = NDArray[np.int64]

__all__ = ["Layout", "Table"]

MOST_PATTERNS = 1 << 22  # [T7]
AT_ONCE = 1 << 14  # level vectors between two looks at whether to stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The problem as the check sees it.

    Attributes
    ----------
    codes : (t, m) integer
        Row types in the order of the table sorted by UTF-8 bytes, NULL first.
    counts : (t,) integer
    levels : sequence of Levels, length m
    allows : callable
        Whether the mask allows a level vector.
    k : int
    outliers : {"forbid", "suppress"}
    scale : int
    ask : callable
        Asked again and again by every recount; ends it by an exception.
    """

    codes: NDArray[np.integer]
    counts: NDArray[np.integer]
    levels: Sequence[Levels]
    allows: Callable[[tuple[int, ...]], bool]
    k: int
    outliers: Outliers
    scale: int
    ask: Callable[[], object] = lambda: None

    def facts(self) -> dict[str, int | str]:
        """Return what a certificate of this table repeats of it."""
        counts = np.asarray(self.counts, np.int64)
        return {
            # [T2]
            "rows": int(counts.sum()), "row_types": len(counts), "k": self.k, "outliers": self.outliers,
            "scale": self.scale,
        }  # fmt: skip


class Layout:
    """The table laid out for the walk over the patterns."""

    def __init__(self, table: Table) -> None:
        codes, self.ask = np.asarray(table.codes), table.ask
        _t, m = codes.shape
        tops = [level.height for level in table.levels]
        lattice_size = math.prod(top + 1 for top in tops)
        if lattice_size > MOST_PATTERNS:
            raise Unreadable(f"{lattice_size} level vectors are too many to recount")
        self.heights = np.array(tops, np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.heights + 1)[:-1])).astype(np.int64)
        every = itertools.product(*(range(top + 1) for top in tops))
        allowed = [np.zeros((0, m), np.int64)]
        while some := list(itertools.islice(every, AT_ONCE)):
            table.ask()
            allowed.append(np.array(list(filter(table.allows, some)), np.int64).reshape(-1, m))  # [T6]
        self.vectors = np.concatenate(allowed)
        table.ask()
        self.radix = np.ones(m, np.int64)
        for j in range(m - 1, 0, -1):
            self.radix[j - 1] = self.radix[j] * (tops[j] + 1)
        self.place = np.full(lattice_size, -1, np.int32)
        self.place[self.vectors @ self.radix] = np.arange(len(self.vectors))
        top = int(self.place[int(self.heights @ self.radix)])
        self.top = top
        columns = list(enumerate(table.levels))
        # [T3]
        self.nodes = np.concatenate([level.up[:, codes[:, j]] for j, level in columns]).astype(np.int64)
        # [T4]
        self.paid = np.concatenate([level.cost[:, codes[:, j]] for j, level in columns]).astype(np.int64)
        self.uniform = all(bool((level.cost == level.cost[:, :1]).all()) for level in table.levels)
        # [T5]
        self.step = max(math.gcd(*(int(np.gcd.reduce(level.cost, axis=None)) for level in table.levels)), 1)
        self.dearest = sum(int(level.cost.max()) for level in table.levels)
        # Key words: columns side by side, as many as 62 bits hold. A starred column adds 0.
        self.word = np.zeros(m, np.int64)
        self.width = np.zeros(len(self.nodes), np.int64)
        self.words, room = 1, 1
        for j, level in enumerate(table.levels):
            size = int(level.up.max()) + 1
            if room * size >= 2**62:
                self.words, room = self.words + 1, 1
            self.word[j] = self.words - 1
            self.width[self.start[j] : self.start[j] + tops[j] + 1] = room
            room *= size

    def costs(self, which: NDArray[np.integer], types: NDArray[np.integer]) -> Int64:
        """Return the scaled cost of a row per instance, given by pattern and one of its types."""
        total = np.zeros(len(which), np.int64)
        for j, first in enumerate(self.start):
            total += self.paid[first + self.vectors[which, j], types]
        return total

    def number(self, vector: Sequence[int]) -> int:
        """Return the number of an allowed level vector, -1 for any other."""
        if len(vector) != len(self.heights) or any(not 0 <= x <= h for x, h in zip(vector, self.heights, strict=True)):
            return -1
        return int(self.place[int(np.array(vector, np.int64) @ self.radix)])

    def same(self, vector: tuple[int, ...], one: int, types: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which types show under a level vector what type `one` shows."""
        lines = self.start + np.array(vector, np.int64)
        result: NDArray[np.bool_] = (self.nodes[lines][:, types] == self.nodes[lines, one][:, None]).all(axis=0)
        return result
