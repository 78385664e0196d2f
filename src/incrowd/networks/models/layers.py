"""How far the members of a network are from a set of nodes: the sizes of the layers around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.networks.values import Graph, Int32

__all__ = ["layers_around"]


def layers_around(graph: Graph, nodes: Int32) -> tuple[list[int], int]:
    """Count the nodes by their distance to the nearest node of a set.

    `nodes`, (s,), is the set, by index, distinct. The nodes at distance 0 (the set itself), 1, 2, ... are returned, and
    the number of nodes that no path joins with the set. One breadth-first search from the whole set: O(n + m) time and
    memory.
    """
    seen = np.zeros(graph.nodes, np.bool_)
    frontier = np.unique(np.asarray(nodes, np.int64))
    seen[frontier] = True
    sizes: list[int] = []
    while frontier.size:
        sizes.append(int(frontier.size))
        begin, degree = graph.indptr[frontier], np.diff(graph.indptr)[frontier]
        ends = np.cumsum(degree)
        place = np.arange(int(ends[-1])) - np.repeat(ends - degree, degree) + np.repeat(begin, degree)
        reached = np.unique(graph.indices[place])
        frontier = reached[~seen[reached]].astype(np.int64)
        seen[frontier] = True
    return sizes, int(graph.nodes - sum(sizes))
