"""A small network with its attackers: nodes pushed apart, neighbours drawn together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.web.drawings.svg import drawing, element

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from markupsafe import Markup

__all__ = ["MOST_NODES", "graph", "places"]

MOST_NODES = 80
SIZE, EDGE = 560.0, 24.0
ROUNDS = 300


def graph(nodes: int, edges: Sequence[tuple[int, int]], chosen: Collection[int]) -> Markup:
    """Return a drawing of a network of at most 80 nodes.

    Each edge is there once, and `chosen` are nodes that stand out.
    """
    at = places(nodes, edges)
    parts = [
        element("line", x1=at[u][0], y1=at[u][1], x2=at[v][0], y2=at[v][1], class_="edge") for u, v in edges
    ]  # fmt: skip
    for node in range(nodes):
        kind = "node chosen" if node in chosen else "node"
        parts.append(element("circle", cx=at[node][0], cy=at[node][1], r=9 if node in chosen else 6, class_=kind))
    said = f"A network of {nodes} nodes and {len(edges)} edges; {len(chosen)} of the nodes, the attackers, stand out."
    return drawing(SIZE, SIZE, said, parts)


def places(nodes: int, edges: Sequence[tuple[int, int]]) -> list[tuple[float, float]]:
    """Return a place for every node inside the drawing; the same for the same network.

    References
    ----------
    T. M. J. Fruchterman, E. M. Reingold, "Graph drawing by force-directed placement", Software: Practice and
    Experience 21(11), 1991: every two nodes push one another away, neighbours pull, and steps become smaller.
    """
    if not nodes:
        return []
    turn = 2 * np.pi * np.arange(nodes) / nodes
    at = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (1 + 0.01 * np.arange(nodes)[:, None] / nodes)
    ends = np.array(edges, np.int64).reshape(-1, 2)
    ideal = np.sqrt(4 / nodes)
    for number in range(ROUNDS):
        apart = at[:, None] - at[None]
        far = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        move = (apart * (ideal**2 / far**2)[:, :, None]).sum(axis=1)
        if len(ends):
            along = at[ends[:, 0]] - at[ends[:, 1]]
            pull = along * (np.linalg.norm(along, axis=1, keepdims=True) / ideal)
            np.add.at(move, ends[:, 0], -pull)
            np.add.at(move, ends[:, 1], pull)
        move -= 0.05 * at  # what hangs together with nothing stays near
        long = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        at = at + move / long * np.minimum(long, 0.2 * (1 - number / ROUNDS))
    low, high = at.min(axis=0), at.max(axis=0)
    scaled = (at - low) / np.maximum(high - low, 1e-9)
    return [(float(x), float(y)) for x, y in EDGE + scaled * (SIZE - 2 * EDGE)]
