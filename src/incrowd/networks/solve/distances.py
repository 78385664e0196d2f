"""All distances of a network, and the classes that a set of nodes leaves; between searches somebody may say stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import SOURCES, bfs, distance_rows
from incrowd.kernels.networks.partition import split_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32, Int64
    from incrowd.progress import Watch


def never() -> bool:
    """Return that nobody wants to stop."""
    return False


def distance_matrix(graph: Graph, stopped: Callable[[], bool] = never) -> NDArray[np.int16] | None:
    """Return the distances between all nodes, (n, n), -1 between components; None where it was stopped.

    `stopped` is asked after every 64 nodes, and true ends it. O(n (n + m)) time, 2n^2 bytes.
    """
    n = graph.nodes
    distances = np.full((n, n), -1, np.int16)
    for base in range(0, n, SOURCES):
        if stopped():
            return None
        distance_rows(graph.indptr, graph.indices, base, distances)
    return distances


def classes_left(graph: Graph, members: Int32, stopped: Callable[[], bool] = never) -> tuple[Int32, bool]:
    """Return the classes of the nodes outside a set, and whether they are whole.

    `members`, (s,), are distinct. The class of every node is (n,), numbered by first node, -1 for the members.
    `stopped` is asked after every member but the last, and true ends it: the classes are then not whole but those that
    the first members tell apart. Whoever is alone in one of them is so in the end. One search for every member that has
    a neighbour outside: O(s (n + m)) time; exact.
    """
    label = np.zeros(graph.nodes, np.int32)
    label[members] = -1
    for i, member in enumerate(members.tolist()):
        if i and stopped():
            return label, False
        split_by(graph.indptr, graph.indices, member, label)
    return label, True


def classes_beside(graph: Graph, label: Int32, node: int) -> Int32:
    """Return the classes that a set leaves with one node more; those it leaves without it are `label`."""
    out = label.copy()
    out[node] = -1
    split_by(graph.indptr, graph.indices, node, out)
    return out


def class_sizes(label: Int32) -> Int64:
    """Count the nodes of every class."""
    return np.bincount(label[label >= 0])


# The largest distance of a network, by a few searches instead of one from every node.
@dataclass(frozen=True, slots=True)
class Diameter:
    """The largest finite distance, or the interval reached.

    `lower`, `upper`: equal when the search ended by itself. `searches`: breadth-first searches made.
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
