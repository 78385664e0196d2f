"""Trees: every set of measure k > k1 holds the closure of a centre, which one pass gives at all levels.

References
----------
R. Trujillo-Rasua, I. G. Yero, Characterizing 1-metric antidimensional trees and unicyclic graphs, The Computer
Journal 59, 2016, decide where the largest measure of a tree is 1. The curve and its proof here are in
``papers/privacy-measures.md``, section "Trees".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import bfs, walk_back
from incrowd.kernels.networks.build import relabel
from incrowd.kernels.networks.trees import entry_levels, far_bounds, heights, rooted
from incrowd.networks.solve.families.hubs import best_hub
from incrowd.networks.solve.sweep import Curve
from incrowd.networks.values import NodeSet

if TYPE_CHECKING:
    from incrowd.networks.solve.families.hubs import Hub
    from incrowd.networks.values import Int32, Int64
    from incrowd.progress import Watch

__all__ = ["centre_of", "curve_of_entries", "tree_curve"]


def tree_curve(indptr: Int64, indices: Int32, first: int, last: int, watch: Watch) -> Curve:
    """Least attackers for every level of a tree.

    Parameters
    ----------
    indptr, indices : CSR arrays of a tree of at least two nodes
    first, last : int
        Levels of interest, from 1 to at most the largest degree.
    watch : Watch
        When it stops the run, the levels that a single node may reach are an interval.

    Returns
    -------
    Curve

    Notes
    -----
    O(n) time and memory for every level above k1, the largest measure of a single node; k1 by the searches of
    `best_hub`, from the nodes that neither their degree nor the layers beyond the centre rule out.
    """
    centre = centre_of(indptr, indices)
    order, parent = rooted(indptr, indices, centre)
    height = heights(parent)
    indptr, indices = relabel(indptr, indices, order)
    hub = best_hub(indptr, indices, far_bounds(parent, height, np.diff(indptr)), watch, first - 1)
    return curve_of_entries(entry_levels(parent, height), order, hub, first, last)


def centre_of(indptr: Int64, indices: Int32) -> int:
    """Return a node in the middle of a longest path of a tree.

    Parameters
    ----------
    indptr, indices : CSR arrays of a tree

    Notes
    -----
    Two searches: O(n) time.
    """
    n = indptr.size - 1
    dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
    end = int(queue[bfs(indptr, indices, 0, dist, queue) - 1])
    other = int(queue[bfs(indptr, indices, end, dist, queue) - 1])
    path = walk_back(indptr, indices, dist, other, 0)
    return int(path[path.size // 2])


def curve_of_entries(entry: Int32, order: Int32, hub: Hub, first: int, last: int) -> Curve:
    """Put together a curve from the best single node and one chain of closures.

    Parameters
    ----------
    entry : (n,) int32
        The first level at which the least set of measure at least that level holds each node, above `hub.possible`.
    order : (n,) int32
        The node that each place of `entry`, and `hub.node`, stands for.
    hub : Hub
    first, last : int
        Levels of interest.

    Returns
    -------
    Curve

    Notes
    -----
    O(n log n) time, and O(n) bits for every step of the curve.
    """
    n = entry.size
    rank = np.argsort(entry, kind="stable")
    upper = np.searchsorted(entry[rank], np.arange(max(last, first) + 2), side="right").astype(np.int64)
    lower = upper.copy()
    lower[: max(hub.possible, first - 1) + 1] = 1
    upper[: max(hub.measure, first - 1) + 1] = 1
    sets = {}
    if hub.node >= 0:
        sets[1] = NodeSet.of(order[[hub.node]], n)
    flags, taken = np.zeros(n, np.bool_), 0
    for size in np.unique(upper[first : last + 1]).tolist():
        if size < n and size not in sets:
            flags[order[rank[taken:size]]] = True
            taken = size
            sets[size] = NodeSet.of_flags(flags, size)
    return Curve(n, first, last, lower, upper, sets, hub.searches)
