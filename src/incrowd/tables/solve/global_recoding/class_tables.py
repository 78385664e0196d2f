"""A table grouped under a level vector, rolled up from the smallest grouped table below that vector that is held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping import rollup
from incrowd.tables.solve.global_recoding.tuning import TUNING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.solve.global_recoding.tuning import Tuning
    from incrowd.tables.values import Int64, Problem

__all__ = ["ClassTables", "Grouped"]

KEYS = 1 << 62  # keys are below


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """A table under a level vector: rows by class, and by combination of sensitive values where these are judged.

    Attributes
    ----------
    types : (e,) int64
        A row type of each entry.
    rows : (e,) int64
        Rows of each entry.
    number : (e,) int64
        Class of each entry, from 0.
    size : (c,) int64
        Rows of each class.
    first : (c,) int64
        A row type of each class.
    """

    types: Int64
    rows: Int64
    number: Int64
    size: Int64
    first: Int64


class ClassTables:
    """The classes of a table under one level vector after another.

    Equal at one level means equal at every higher one, so the classes of a vector are unions of those of any vector
    below it: they are counted from the grouped table of one below instead of from all row types.

    A vector takes O(m e) expected time, e the entries of the smallest table held below it. Memory O(m t) for the nodes,
    and for the tables held as `Tuning` bounds them.
    """

    def __init__(self, problem: Problem, tuning: Tuning = TUNING) -> None:
        types = problem.types
        t = types.t
        self.problem, self.tuning = problem, tuning
        levels = problem.levels
        self.start = np.concatenate(([0], np.cumsum([level.height + 1 for level in levels]))).astype(np.int64)[:-1]
        self.nodes = np.concatenate(
            [np.zeros((0, t), np.int32), *(level.up[:, types.codes[:, j]] for j, level in enumerate(levels))]
        ).astype(np.int32)
        self.radix = [int(level.up.max(initial=0)) + 1 for level in levels]
        kinds = np.zeros(t, np.int64) if types.kinds is None else types.kinds.astype(np.int64)
        self.kinds = kinds if problem.requirements else np.zeros(t, np.int64)
        self.most_entries = tuning.entries * max(t, 1)
        self.vectors = np.zeros((1, types.m), np.int64)
        self.held: list[tuple[Int64, Int64]] = [(np.arange(t, dtype=np.int64), types.counts.astype(np.int64))]

    def under(self, vector: Sequence[int]) -> Grouped:
        """Return the table under a level vector, (m,)."""
        levels = np.asarray(vector, np.int64)
        below = np.flatnonzero((self.vectors <= levels).all(axis=1))
        base = min(below.tolist(), key=lambda i: len(self.held[i][0]))
        types, rows = self.held[base]
        number, first = self._numbered(levels, types)
        size = rollup.rows_of(number, rows, len(first))
        if self.problem.requirements:
            again, entry = rollup.alike(
                np.zeros((0, 1), np.int32), np.zeros(0, np.int64), np.zeros(0, np.int64), types,
                number * (int(self.kinds.max(initial=0)) + 1) + self.kinds[types],
            )  # fmt: skip
            kept = (types[entry], rollup.rows_of(again, rows, len(entry)))
            number_of = number[entry]
        else:
            kept, number_of = (types[first], size), np.arange(len(first), dtype=np.int64)
        if len(kept[0]) <= self.tuning.shrunk * len(types):
            self._hold(levels, kept)
        return Grouped(*kept, number_of, size, types[first])

    def whole(self, vector: Sequence[int]) -> Grouped:
        """Return the table under a level vector, (m,), with an entry for every row type, in their order."""
        types, rows = self.held[0]
        number, first = self._numbered(np.asarray(vector, np.int64), types)
        return Grouped(types, rows, number, rollup.rows_of(number, rows, len(first)), types[first])

    def _numbered(self, levels: Int64, types: Int64) -> tuple[Int64, Int64]:
        """Return the class of each entry and the first entry of each; a starred column tells nothing apart."""
        number = np.zeros(len(types), np.int64)
        first = np.zeros(min(len(types), 1), np.int64)
        lines: list[int] = []
        width: list[int] = []
        room = 1
        open_columns = [j for j, level in enumerate(levels.tolist()) if level < self.problem.levels[j].height]
        for place, j in enumerate(open_columns):
            lines.append(int(self.start[j] + levels[j]))
            width.append(self.radix[j])
            room *= self.radix[j]
            after = self.radix[open_columns[place + 1]] if place + 1 < len(open_columns) else KEYS
            if room * after >= KEYS:  # as many columns in a key as fit, the classes so far before them
                number, first = rollup.alike(self.nodes, np.array(lines), np.array(width), types, number)
                lines, width, room = [], [], len(first)
        return number, first

    def _hold(self, vector: Int64, kept: tuple[Int64, Int64]) -> None:
        """Hold a table, in place of the largest others where there are too many."""
        self.vectors = np.concatenate([self.vectors, vector[None]])
        self.held.append(kept)
        while len(self.held) - 1 > self.tuning.tables or self._entries() > self.most_entries:
            sizes = [len(types) for types, _ in self.held[1:]]
            worst = 1 + int(np.argmax(sizes))
            self.vectors = np.delete(self.vectors, worst, axis=0)
            del self.held[worst]

    def _entries(self) -> int:
        return sum(len(types) for types, _ in self.held[1:])
