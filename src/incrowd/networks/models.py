"""The attacker knows the distances from the nodes it controls: metric representation and its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.solve.distances import class_sizes, classes_left
from incrowd.networks.values import Classes, Graph

if TYPE_CHECKING:
    from incrowd.networks.values import Int32


def metric_classes(graph: Graph, nodes: Int32) -> Classes:
    """Group the nodes outside a set by their distances to its members.

    Two nodes are in one class when every member sees both at the same distance; the distance to another component is
    infinity, a value of its own. `nodes`, (s,), are the indices of the set, distinct; InputError is raised if they are
    none or every node. O(s (n + m)) time, O(n) memory; exact.

    References
    ----------
    T. Chatterjee et al., On the computational complexities of three privacy measures for large networks under
    active attack, section 2.1.
    """
    nodes = np.unique(np.asarray(nodes, np.int32))
    if nodes.size == 0:
        raise InputError("the set of attackers is empty; give at least one node")
    if nodes.size >= graph.nodes:
        raise InputError("the set of attackers is the whole network; leave out at least one node")
    label, _ = classes_left(graph, nodes)
    return Classes(graph, nodes, label, class_sizes(label))


# How far the members of a network are from a set of nodes: the sizes of the layers around it.
def layers_around(graph: Graph, nodes: Int32) -> tuple[list[int], int]:
    """Count the nodes by their distance to the nearest node of a set.

    `nodes`, (s,), is the set, by index, distinct. The nodes at distance 0 (the set itself), 1, 2, ... are returned, and
    the number of nodes that no path joins with the set. One search from the whole set: O(m log n) time.
    """
    from scipy.sparse.csgraph import dijkstra

    away = dijkstra(graph.matrix(), indices=nodes, unweighted=True, min_only=True)
    reached = away[np.isfinite(away)].astype(np.int64)
    return np.bincount(reached).tolist(), int(graph.nodes - reached.size)
