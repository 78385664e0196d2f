"""A problem as flat arrays: what every kernel of the solvers reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping import frequent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Int8, Int32, Int64, Problem


@dataclass(frozen=True, slots=True, eq=False)
class ProblemArrays:
    """The nodes of every row type at every level, with their hashes and costs.

    Line ``start[j] + l`` belongs to column j at level l; there are L = sum of (height + 1) lines. `start`: (m,) int64.
    `heights`: (m,) int64. `nodes`: (t, L) int32, node shown. `table`: (L, t) uint64, hash of the node; the hash of an
    instance is the sum over the columns it shows (top levels add nothing). `costs`: (L, t) int64, scaled cost of the
    node. `counts`: (t,) int64, rows of each type. `weights`: (t,) int32 or int64, the same in the smallest type that
    can hold the sum.
    """

    start: Int64
    heights: Int64
    nodes: Int32
    table: NDArray[np.uint64]
    costs: Int64
    counts: Int64
    weights: NDArray[np.signedinteger]

    @property
    def t(self) -> int:
        """Number of row types."""
        return int(self.nodes.shape[0])

    def shown(self, vector: Int8) -> Int64:
        """Return the lines of the columns that the level vector does not star, shape (at most m,)."""
        lines: Int64 = (self.start + vector)[(vector < self.heights) | (vector == 0)]
        return lines

    def row_costs(self, vector: Int8, rows: Int32 | slice = slice(None)) -> Int64:
        """Return the scaled cost of one row of each of the types `rows` under the level vector."""
        lines = self.start + vector
        total: Int64 = np.zeros(self.t if isinstance(rows, slice) else rows.size, np.int64)
        for line in lines:
            total += self.costs[line, rows]
        return total

    def costs_under(self, vectors: Int8, types: Int32) -> Int64:
        """Return the scaled cost of a row of each type under the vector beside it, shape of `types`."""
        total: Int64 = np.zeros(types.size, np.int64)
        for column in (self.start + vectors).T:
            total += self.costs[column, types]
        return total

    def agree(self, vector: Int8, row: int, rows: Int32 | slice = slice(None)) -> NDArray[np.bool_]:
        """Return which of the types `rows` show the same instance as type `row` under the level vector."""
        types = np.arange(self.t, dtype=np.int32) if isinstance(rows, slice) else rows
        left = np.arange(types.size)
        for line in self.shown(vector):
            left = left[self.nodes[types[left], line] == self.nodes[row, line]]
        result = np.zeros(types.size, np.bool_)
        result[left] = True
        return result

    def join(self, vectors: Int8, rows: Int32, row: int) -> Int8:
        """Return per class the lowest level vector above its own under which its row and `row` agree.

        `vectors` is (g, m), and `rows` is (g,): a row type of each class.
        """
        joined = vectors.copy()
        for j, (first, height) in enumerate(zip(self.start, self.heights, strict=True)):
            for level in range(int(height)):
                apart = self.nodes[rows, first + level] != self.nodes[row, first + level]
                joined[apart, j] = np.maximum(joined[apart, j], level + 1)
        return joined


def encode(problem: Problem) -> ProblemArrays:
    """Lay out a problem for the kernels, in O(t L) time and memory."""
    codes = problem.types.codes
    heights = np.array([level.height for level in problem.levels], np.int64)
    start = np.concatenate(([0], np.cumsum(heights + 1)[:-1])).astype(np.int64)
    lines = int((heights + 1).sum())
    nodes = np.empty((codes.shape[0], lines), np.int32)
    costs = np.empty((lines, codes.shape[0]), np.int64)
    for j, level in enumerate(problem.levels):
        here = np.ascontiguousarray(codes[:, j])
        for line, (up, cost) in enumerate(zip(level.up, level.cost, strict=True), start=int(start[j])):
            nodes[:, line] = up[here]
            np.take(cost, here, out=costs[line], mode="clip")  # codes are in range; "raise" would copy
    small = problem.types.n < np.iinfo(np.int32).max
    counts = problem.types.counts
    return ProblemArrays(
        start=start,
        heights=heights,
        nodes=nodes,
        table=frequent.hash_nodes(nodes),
        costs=costs,
        counts=counts,
        weights=counts.astype(np.int32 if small else np.int64),
    )
