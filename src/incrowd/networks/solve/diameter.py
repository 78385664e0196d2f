"""The largest distance of a network, by a few searches instead of one from every node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import bfs

if TYPE_CHECKING:
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

__all__ = ["Diameter", "diameter"]


@dataclass(frozen=True, slots=True)
class Diameter:
    """The largest finite distance, or the interval reached.

    Attributes
    ----------
    lower, upper : int
        Equal when the search ended by itself.
    searches : int
        Breadth-first searches made.
    """

    lower: int
    upper: int
    searches: int


def diameter(graph: Graph, watch: Watch) -> Diameter:
    """Return the largest finite distance of a graph, over all its components.

    The watch is asked between searches; stopped, the interval reached is returned.

    Notes
    -----
    In each component: a node in the middle of a long path is the root; nodes are searched from the farthest level
    inwards. Two nodes at levels of at most i are at most 2 i apart, so level i ends it once a distance of 2 i
    is known. O(m) a search; a handful on most real networks, up to n on the worst.

    References
    ----------
    P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, "On computing the diameter of real-world undirected
    graphs", Theoretical Computer Science 514, 2013.
    """
    n = graph.nodes
    dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
    seen = np.zeros(n, bool)
    lower = upper = searches = 0

    def search(source: int) -> tuple[int, int]:
        nonlocal searches
        searches += 1
        reached = int(bfs(graph.indptr, graph.indices, source, dist, queue))
        last = int(queue[reached - 1])
        return last, int(dist[last])

    for first in range(n):
        if seen[first] or graph.indptr[first] == graph.indptr[first + 1]:
            continue
        if watch.stopped:  # what is not seen may be one long path
            upper = max(upper, int((~seen).sum()) - 1)
            break
        _, found = search(first)
        seen[dist >= 0] = True
        if 2 * found <= lower:
            continue
        root, best = _middle(graph, first, search, dist)
        lower = max(lower, best)
        search(root)
        levels = dist.copy()
        bound = 2 * int(levels.max())
        order = np.argsort(-levels, kind="stable")
        for node in order[: int((levels >= 0).sum())]:
            bound = 2 * int(levels[node])
            if lower >= bound or watch.stopped:
                break
            lower = max(lower, search(int(node))[1])
        else:
            bound = lower
        upper = max(upper, bound, lower)
    return Diameter(lower, max(lower, upper) if watch.stopped else lower, searches)


def _middle(graph: Graph, first: int, search, dist) -> tuple[int, int]:  # type: ignore[no-untyped-def]
    """Return a node halfway along a long shortest path through two double sweeps, and the path's length."""
    start, best = first, 0
    for _ in range(2):
        one, _ = search(start)
        other, length = search(one)
        best = max(best, length)
        from_one = dist.copy()
        start = other
        for _ in range(length // 2):  # walk back half of the way
            around = graph.indices[graph.indptr[start] : graph.indptr[start + 1]]
            start = int(around[from_one[around] == from_one[start] - 1][0])
    return start, best
