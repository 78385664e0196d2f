"""Grids of a times b nodes, a and b at least 2: closed forms for every level and every question.

The proofs are in ``papers/privacy-measures.md``, section "Grids".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import bfs
from incrowd.networks.solve.sweep import Curve
from incrowd.networks.values import NodeSet

if TYPE_CHECKING:
    from incrowd.networks.values import Int32, Int64

__all__ = ["Grid", "grid_curve", "grid_exactly", "grid_of"]


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid and the places of its nodes.

    Attributes
    ----------
    node : (a, b) int32
        The node in every row and column.
    """

    node: Int32

    @property
    def middle(self) -> int | None:
        """A node in the middle of a side of odd length, on the border: its measure is 2."""
        a, b = self.node.shape
        if a % 2:
            return int(self.node[a // 2, 0])
        return int(self.node[0, b // 2]) if b % 2 else None

    @property
    def centre(self) -> int | None:
        """The node in the middle of both sides, where both are odd."""
        a, b = self.node.shape
        return int(self.node[a // 2, b // 2]) if a % 2 and b % 2 else None

    @property
    def corners(self) -> Int32:
        """Two opposite corners."""
        return np.sort(self.node[[0, -1], [0, -1]])


def grid_of(indptr: Int64, indices: Int32) -> Grid | None:
    """Find the places of the nodes of a grid with at least two rows and columns.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph

    Returns
    -------
    Grid or None
        None where the graph is no such grid.

    Notes
    -----
    O(n) time: searches from the four corners give coordinates, and every edge is checked against them.
    """
    degree = np.diff(indptr)
    n, edges = degree.size, indices.size // 2
    if n < 4 or degree.min() != 2 or degree.max() > 4:
        return None
    corners = np.flatnonzero(degree == 2)
    sides = 2 * n - edges  # a + b
    if corners.size != 4 or not _splits(n, sides):
        return None
    dist, queue = np.empty((2, n), np.int32), np.empty(n, np.int32)
    bfs(indptr, indices, int(corners[0]), dist[0], queue)
    for corner in corners[1:].tolist():
        a = int(dist[0, corner]) + 1
        if a * (sides - a) != n:
            continue
        bfs(indptr, indices, corner, dist[1], queue)
        twice = dist[0].astype(np.int64) - dist[1] + (a - 1)
        row, column = twice // 2, dist[0] - twice // 2
        if (twice % 2).any() or row.min() < 0 or row.max() >= a or column.min() < 0 or column.max() >= sides - a:
            continue
        node = np.full((a, sides - a), -1, np.int32)
        node[row, column] = np.arange(n, dtype=np.int32)
        near = np.repeat(np.arange(n), degree)
        steps = np.abs(row[near] - row[indices]) + np.abs(column[near] - column[indices])
        if (node >= 0).all() and (steps == 1).all():
            return Grid(node)
    return None


def grid_curve(grid: Grid, first: int, last: int) -> Curve:
    """Least attackers for every level of a grid.

    Parameters
    ----------
    grid : Grid
    first, last : int
        Levels of interest, from 1 to at most the largest degree.

    Returns
    -------
    Curve
    """
    n = grid.node.size
    upper = np.full(max(last, first, 4) + 2, n, np.int64)
    sets: dict[int, NodeSet] = {}
    for k in (4, 3, 2, 1):
        found = _at_least(grid, k)
        if found is not None:
            upper[k] = found.size
            sets.setdefault(found.size, NodeSet.of(found, n))
    upper[0] = 1
    return Curve(n, first, last, upper.copy(), upper, sets)


def grid_exactly(grid: Grid, k: int) -> Int32 | None:
    """Return the least set of measure exactly `k` of a grid.

    Parameters
    ----------
    grid : Grid
    k : int
        From 1.

    Returns
    -------
    (s,) int32 or None
        None where there is none.
    """
    if k == 1:
        return grid.corners[:1]
    if k == 2:
        return grid.corners if grid.middle is None else np.array([grid.middle], np.int32)
    return _at_least(grid, k) if k == 4 else None


def _at_least(grid: Grid, k: int) -> Int32 | None:
    """Return the least set of measure at least `k`; the largest measure among those of one node comes first."""
    if k <= 4 and grid.centre is not None:
        return np.array([grid.centre], np.int32)
    return grid_exactly(grid, k) if k <= 2 else None


def _splits(product: int, total: int) -> bool:
    """Tell whether two whole numbers of at least 2 have this product and this sum."""
    square = total * total - 4 * product
    if square < 0:
        return False
    root = math.isqrt(square)
    return root * root == square and total - root >= 4
