"""What a network is split into: connected components, and classes of twins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import count_of
from incrowd.networks.values import Graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.networks.values import Int32


def split_components(graph: Graph) -> Iterator[tuple[Int32, Graph]]:
    """Yield the connected components, the largest first: nodes, (s,) sorted, and graph without labels, in their order.

    O(n log n + m) time in all.
    """
    sizes = graph.component_sizes
    order = np.argsort(graph.component_of, kind="stable").astype(np.int32)
    whole, ends = graph.part(order), np.cumsum(sizes)
    for c in np.argsort(-sizes, kind="stable"):
        a, b = int(ends[c] - sizes[c]), int(ends[c])
        first, last = whole.indptr[a], whole.indptr[b]
        yield order[a:b], Graph(whole.indptr[a : b + 1] - first, whole.indices[first:last] - np.int32(a))


def largest_component(graph: Graph) -> Graph:
    """Keep the largest connected component, with its labels and a note that counts what was left out.

    Of several largest components it is the one with the lowest first node, and `graph` itself is returned where it is
    connected.
    """
    if graph.components == 1:
        return graph
    keep, part = next(split_components(graph))
    labels: Any = keep.astype(np.int64) if graph.labels is None else [graph.label(i) for i in keep.tolist()]
    left, others = graph.nodes - keep.size, graph.components - 1
    note = (
        f"only the largest component was kept; {count_of(left, 'node')} in {count_of(others, 'other component')} "
        f"{'were' if left > 1 else 'was'} left out"
    )
    return replace(graph, indptr=part.indptr, indices=part.indices, labels=labels, notes=(*graph.notes, note))


def twin_classes(graph: Graph) -> Int32:
    """Find the classes of twins, numbered by their first node; return the class of every node, (n,) int32.

    Twins have the same neighbours but for themselves, so that no other node can tell them apart, and swapping them is
    an automorphism. They are adjacent with equal closed neighbourhoods, or not adjacent with equal open ones; a node
    with twins of one kind has none of the other. A node without a twin has a class of its own. O(n + m) time and
    memory; rows are compared exactly.
    """
    out = np.arange(graph.nodes, dtype=np.int32)
    first: dict[tuple[bool, bytes], int] = {}
    for v in range(graph.nodes):
        row = graph.indices[graph.indptr[v] : graph.indptr[v + 1]]
        closed = np.insert(row, np.searchsorted(row, v), v)
        out[v] = min(first.setdefault((False, row.tobytes()), v), first.setdefault((True, closed.tobytes()), v))
    return np.unique(out, return_inverse=True)[1].astype(np.int32)
