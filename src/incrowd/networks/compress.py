"""Connected components: a network's trade-off curve from those of its parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.networks.build import components, subgraph
from incrowd.networks.values import Graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.networks.values import Int32


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """A connected part of a graph.

    `graph`: without labels; its node i is node ``nodes[i]`` of the whole. `nodes`: (s,) int32, sorted.
    """

    graph: Graph
    nodes: Int32

    def back(self, members: Int32) -> Int32:
        """Return the indices in the whole graph of nodes of the part, (s,), given by their indices in `graph`."""
        return self.nodes[members]


def smallest_component(graph: Graph) -> tuple[int, Int32]:
    """Count the connected components and find the smallest one; return the count and its nodes, (s,) int32, sorted.

    Of several smallest components it is the one with the lowest first node. O(n + m) time.
    """
    label, sizes = components(graph.indptr, graph.indices)
    return int(sizes.size), np.flatnonzero(label == sizes.argmin()).astype(np.int32)


def split_components(graph: Graph) -> Iterator[Component]:
    """Yield the connected components by falling size, each one made when it is asked for; O(n + m) time in all."""
    label, sizes = components(graph.indptr, graph.indices)
    if sizes.size == 1:
        yield Component(graph, np.arange(graph.nodes, dtype=np.int32))
        return
    order = np.argsort(label, kind="stable").astype(np.int32)
    ends = np.cumsum(sizes)
    # rows of a component, cut from the rows of all nodes in component order
    rank = np.empty(graph.nodes, np.int32)
    rank[order] = np.arange(graph.nodes, dtype=np.int32) - np.repeat(ends - sizes, sizes).astype(np.int32)
    degree = graph.degrees[order]
    starts = np.concatenate([[0], np.cumsum(degree)])
    flat = np.repeat(graph.indptr[order] - starts[:-1], degree) + np.arange(starts[-1])
    neighbours = rank[graph.indices[flat]]
    for c in np.argsort(-sizes, kind="stable"):
        a, b = int(ends[c] - sizes[c]), int(ends[c])
        part = Graph(starts[a : b + 1] - starts[a], neighbours[starts[a] : starts[b]])
        yield Component(part, order[a:b])


def largest_component(graph: Graph) -> Graph:
    """Keep the largest connected component, with its labels and a note that counts what was left out.

    Of several largest components it is the one with the lowest first node, and `graph` itself is returned where it is
    connected. O(n + m) time.
    """
    label, sizes = components(graph.indptr, graph.indices)
    if sizes.size == 1:
        return graph
    keep = np.flatnonzero(label == sizes.argmax()).astype(np.int32)
    indptr, indices = subgraph(graph.indptr, graph.indices, keep)
    labels: Any = keep.astype(np.int64) if graph.labels is None else [graph.label(i) for i in keep.tolist()]
    left = graph.nodes - keep.size
    note = (
        f"only the largest component was kept; {left} node{'s' if left > 1 else ''} in {sizes.size - 1} other "
        f"component{'s' if sizes.size > 2 else ''} {'were' if left > 1 else 'was'} left out"
    )
    return replace(graph, indptr=indptr, indices=indices, labels=labels, notes=(*graph.notes, note))


# Twins: nodes with the same neighbours, but for themselves; no other node can tell them apart.
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
