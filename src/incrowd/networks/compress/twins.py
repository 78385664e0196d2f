"""Twins: nodes with the same neighbours, but for themselves; no other node can tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.networks.values import Graph, Int32

__all__ = ["twin_classes"]


def twin_classes(graph: Graph) -> Int32:
    """Find the classes of twins, numbered by their first node; return the class of every node, (n,) int32.

    Twins are adjacent with equal closed neighbourhoods, or not adjacent with equal open ones; a node with twins of one
    kind has none of the other. Swapping twins is an automorphism. A node without a twin has a class of its own. O(n +
    m) time and memory; rows are compared exactly.
    """
    n = graph.nodes
    out = np.full(n, -1, np.int32)
    rows = [graph.indices[graph.indptr[v] : graph.indptr[v + 1]] for v in range(n)]
    members: dict[tuple[bool, bytes], list[int]] = {}
    for v, row in enumerate(rows):
        members.setdefault((False, row.tobytes()), []).append(v)
        closed = np.insert(row, np.searchsorted(row, v), v)
        members.setdefault((True, closed.tobytes()), []).append(v)
    for group in members.values():
        if len(group) > 1:
            out[group] = group[0]
    alone = out < 0
    out[alone] = np.flatnonzero(alone)
    return np.unique(out, return_inverse=True)[1].astype(np.int32)
