"""Groups in the making under requirements, for the steps that change them.

Every step is judged anew by every requirement and by k; none of them rests on what a requirement is.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.requirement_check import kinds_of, meets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.greedy.with_requirements.scan import Crowd
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int32, Int64, Plan, Problem

__all__ = ["GroupState"]


class GroupState:
    """Groups with their parts; changed in place.

    `crowds` are the groups to begin with, each its vector, its types and its rows.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays, watch: Watch, crowds: list[Crowd]) -> None:
        self.problem, self.encoded, self.watch = problem, encoded, watch
        self.closure = CanonicalPattern(problem, encoded)
        self.kind = kinds_of(problem)
        self.top = np.array(problem.top, np.int8)
        self.table = self.histogram(np.arange(encoded.t), encoded.counts)
        sizes = [types.size for _, types, _ in crowds]
        self.vectors: Int8 = np.array([v for v, _, _ in crowds], np.int8).reshape(len(crowds), len(problem.levels))
        self.type: Int32 = np.concatenate([np.zeros(0, np.int32), *(types for _, types, _ in crowds)])
        self.group: Int64 = np.repeat(np.arange(len(crowds)), sizes)
        self.rows: Int64 = np.concatenate([np.zeros(0, np.int64), *(rows for _, _, rows in crowds)])

    # --- what is asked of groups ------------------------------------------------------------------------------------

    def histogram(self, types: NDArray[np.integer], rows: Int64) -> Int64:
        """Return the rows of each combination of sensitive values, shape (kinds,)."""
        found = np.zeros(int(self.kind.max(initial=0)) + 1, np.int64)
        np.add.at(found, self.kind[types], rows)
        return found

    def least(self, vector: Int8) -> int:
        """Return how many rows a group under a level vector needs."""
        free = self.problem.outliers == "suppress" and bool((vector == self.top).all())
        return 1 if free else self.problem.k

    def good(self, vector: Int8, types: NDArray[np.integer], rows: Int64) -> bool:
        """Return whether rows are a group that meets everything."""
        if int(rows.sum()) < self.least(vector):
            return False
        return bool(meets(self.problem, np.zeros(types.size, np.int64), types, rows, 1)[0])

    def sizes(self) -> Int64:
        """Return the rows of each group, shape (g,)."""
        sizes = np.zeros(len(self.vectors), np.int64)
        np.add.at(sizes, self.group, self.rows)
        return sizes

    def first(self) -> Int32:
        """Return a row type of each group that has rows, shape (g,)."""
        first = np.zeros(len(self.vectors), np.int32)
        have = self.rows > 0
        first[self.group[have][::-1]] = self.type[have][::-1]
        return first

    def prices(self, vectors: Int8, types: Int32) -> Int64:
        """Return the cost of a row of each type under the vector beside it."""
        total: Int64 = np.zeros(types.size, np.int64)
        for j, start in enumerate(self.encoded.start):
            total += self.encoded.costs[start + vectors[:, j], types]
        return total

    def cost(self) -> int:
        """Return the scaled cost of all groups."""
        return int((self.prices(self.vectors[self.group], self.type) * self.rows).sum())

    def plan(self) -> Plan:
        """Return the plan; groups that show the same become one."""
        order = np.argsort(self.group, kind="stable")
        begins = np.searchsorted(self.group[order], np.arange(len(self.vectors) + 1))
        groups = [
            (self.vectors[g], self.type[order[a:b]], self.rows[order[a:b]])
            for g, (a, b) in enumerate(itertools.pairwise(begins))
            if b > a
        ]
        return as_plan(self.problem, groups)

    def tidy(self) -> None:
        """Make one part of all rows of a type in a group, and drop parts without rows."""
        key, place = np.unique(self.group * self.encoded.t + self.type, return_inverse=True)
        rows = np.zeros(key.size, np.int64)
        np.add.at(rows, place.reshape(-1), self.rows)
        key, self.rows = key[rows > 0], rows[rows > 0]
        self.group = key // self.encoded.t
        self.type = (key % self.encoded.t).astype(np.int32)

    # --- steps ------------------------------------------------------------------------------------------------------

    def alone(self, row: int, rows: int) -> int:
        """Open a group of some rows of one type under its cheapest allowed pattern; return its number (-1: none)."""
        rep = np.array([row], np.int32)
        vector = self.closure.first(np.zeros((1, len(self.top)), np.int8), rep)[0]
        return -1 if (vector < 0).any() else self.open(vector, rep, np.array([rows], np.int64))

    def open(self, vector: Int8, types: Int32, rows: Int64) -> int:
        """Add a group of rows that are in none, and return its number."""
        self.vectors = np.concatenate((self.vectors, np.asarray(vector, np.int8)[None, :]))
        group = len(self.vectors) - 1
        self.type = np.concatenate((self.type, types.astype(np.int32)))
        self.group = np.concatenate((self.group, np.full(types.size, group, np.int64)))
        self.rows = np.concatenate((self.rows, rows))
        return group

    def take(self, vector: Int8, types: Int32, rows: Int64, taken: Int64) -> int:
        """Open a group of rows that are in none and of rows taken from parts; return its number."""
        lent = np.flatnonzero(taken)
        self.rows = self.rows - taken
        return self.open(
            vector, np.concatenate((types, self.type[lent])), np.concatenate((rows, taken[lent]))
        )  # fmt: skip
