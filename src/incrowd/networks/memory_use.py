"""What a question about a network takes, as measured: bytes of a node and of an edge beside the graph itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.networks.values import Graph

__all__ = ["graph_bytes", "least_bytes"]

# Of the sweep and of what single nodes and groups are searched with; of counting and joining components.
NODE, EDGE = 360, 8
PART_NODE, PART_EDGE = 40, 40
# Python objects of a node where twins are looked for, which only small networks are.
TWIN_NODE, TWIN_EDGE, TWINS = 500, 24, 200_000


def graph_bytes(graph: Graph) -> int:
    """Return what a graph itself takes, its labels but for integers not counted."""
    return int(graph.indptr.nbytes + graph.indices.nbytes)


def least_bytes(graph: Graph) -> int:
    """Return about how many bytes any question takes beside the graph, within a factor of two.

    Distances between all nodes, pairs and the search for "exactly k" take more; without room they are left out.
    """
    nodes, edges = graph.nodes, graph.edges
    least = max(NODE * nodes + EDGE * edges, PART_NODE * nodes + PART_EDGE * edges)
    return max(least, TWIN_NODE * nodes + TWIN_EDGE * edges) if nodes <= TWINS else least
