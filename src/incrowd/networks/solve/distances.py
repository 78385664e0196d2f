"""All distances of a network, and the classes that a set of nodes leaves; between searches somebody may say stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.bfs import SOURCES, distance_rows
from incrowd.kernels.networks.partition import split_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.networks.values import Graph, Int32

__all__ = ["classes_left", "distance_matrix", "never"]


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


def classes_left(graph: Graph, members: Int32, stopped: Callable[[], bool] = never) -> tuple[Int32, int, bool]:
    """Return the classes of the nodes outside a set, their number, and whether they are whole.

    `members`, (s,), are distinct. The class of every node is (n,), -1 for the members. `stopped` is asked after every
    member but the last, and true ends it: the classes are then not whole but those that the first members tell apart.
    Whoever is alone in one of them is so in the end. One search for every member that has a neighbour outside: O(s (n +
    m)) time.
    """
    n = graph.nodes
    label = np.zeros(n, np.int32)
    label[members] = -1
    dist, queue, other = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    classes = 1
    for i, member in enumerate(members.tolist()):
        if i and stopped():
            return label, classes, False
        classes = int(split_by(graph.indptr, graph.indices, member, label, classes, dist, queue, other))
    return label, classes, True
