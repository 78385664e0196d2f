"""The attacker knows the distances from the nodes it controls: metric representation and its classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.kernels.networks.partition import count_classes, partition
from incrowd.networks.values import Classes, Graph

if TYPE_CHECKING:
    from incrowd.networks.values import Int32

__all__ = ["metric_classes"]


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
    label, classes = partition(graph.indptr, graph.indices, nodes)
    return Classes(graph, nodes, label, count_classes(label, classes))
