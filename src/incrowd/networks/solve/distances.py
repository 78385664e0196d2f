"""All distances of a network, and the classes that a set of nodes leaves; between searches somebody may say stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.kernels.networks.bfs import SOURCES, bfs, distance_rows
from incrowd.kernels.networks.partition import split_by
from incrowd.kernels.networks.scan import scan, scan_buffers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def scans(graph: Graph, nodes: Int32, floor: int = -1) -> Iterator[tuple[Int32, Int64, Int64]]:
    """Look at single attackers, 64 at a time: nodes, the smallest class each leaves, and how many each singles out.

    All is exact with -1; else only that a measure is at most `floor`, or which it is above. One bit-parallel search for
    64 nodes, of about the cost of two plain ones.
    """
    buffers, layers = scan_buffers(graph.nodes), np.empty((SOURCES, 0), np.int32)
    for at in range(0, nodes.size, SOURCES):
        batch = nodes[at : at + SOURCES]
        mu, pointer, singles = (np.empty(batch.size, np.int64) for _ in range(3))
        scan(graph.indptr, graph.indices, batch, floor, buffers, mu, pointer, singles, layers)
        yield batch, mu, singles


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


class Diameter(NamedTuple):
    """The largest distance: `lower` and `upper` are equal when the search ended by itself."""

    lower: int
    upper: int
    searches: int


def diameter(graph: Graph, watch: Watch) -> Diameter:
    """Return the largest distance of a connected graph, or the interval reached where the watch said stop.

    A node in the middle of a long path is the root; nodes are searched from the farthest level inwards. Two nodes at
    levels of at most i are at most 2 i apart, so level i ends it once a distance of 2 i is known. A handful of searches
    on most real networks, up to n on the worst.

    References
    ----------
    P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, "On computing the diameter of real-world undirected
    graphs", Theoretical Computer Science 514, 2013.
    """
    searches = 0

    def away(source: int) -> Int32:
        nonlocal searches
        searches += 1
        dist, queue = np.empty(graph.nodes, np.int32), np.empty(graph.nodes, np.int32)
        bfs(graph.indptr, graph.indices, source, dist, queue)
        return dist

    lower, root = 0, int(graph.degrees.argmax())
    for _ in range(2):
        one = away(int(away(root).argmax()))
        other = away(int(one.argmax()))
        lower = max(lower, int(other.max()))
        root = int(np.flatnonzero((one + other == one.max()) & (one == one.max() // 2))[0])
    levels = away(root)
    for node in np.argsort(-levels, kind="stable").tolist():
        if lower >= 2 * levels[node]:
            break
        if watch.stopped:
            return Diameter(lower, 2 * int(levels[node]), searches)
        lower = max(lower, int(away(node).max()))
    return Diameter(lower, lower, searches)
