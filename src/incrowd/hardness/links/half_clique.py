"""Clique -> a clique of half the nodes, as in the proof of Theorem 5 (Liang, Yuan)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.graphs import Graph

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["backward", "forward"]


def forward(source: Graph, size: int) -> Graph:
    """Return a graph that has a clique of half its nodes if and only if the source has one of `size` nodes.

    The n nodes of the source stay the first ones. `size` is called q below; PolicyError is raised if it is not from 2
    to n.

    Notes
    -----
    2 q >= n: 2 q - n nodes without edges are added, so that q is half of 2 q. *Proof.* No clique of q >= 2 nodes holds
    one of them. 2 q < n: n - 2 q nodes joined with each other and with all are added, 2 (n - q) nodes in all. *Proof.*
    With them a clique of q nodes has n - q; of a clique of n - q nodes at most n - 2 q are new, so q are old.

    O(n^2) time and memory.
    """
    n = source.nodes
    if not 2 <= size <= n:
        raise PolicyError(f"the clique must have from 2 to the graph's {n} nodes, not {size}")
    if 2 * size >= n:
        return Graph(2 * size, source.edges)
    total = 2 * (n - size)
    joined = ((u, v) for v in range(n, total) for u in range(v))
    return Graph(total, (*source.edges, *sorted(joined)))


def backward(source: Graph, size: int, half: Sequence[int]) -> tuple[int, ...]:
    """Return the clique of `size` nodes that a clique of half the nodes holds: the first of its old nodes.

    `size` is as of `forward`, and `half` is a clique of half the nodes of the other graph. ValueError is raised if it
    has too few old nodes: then it is no such clique.
    """
    old = sorted(v for v in half if v < source.nodes)[:size]
    if len(old) < size:
        raise ValueError("too few nodes of the clique are the source's")
    return tuple(old)
