"""Arcs and labels to a `Graph`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.kernels.networks.build import simple_csr
from incrowd.kernels.networks.text import rank_integers
from incrowd.networks.input.limits import afford, each, never
from incrowd.networks.values import Graph, Int64

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["as_weights", "check_weights", "graph_from_indices", "graph_from_integers", "graph_from_objects"]

WEIGHTS_NOTE = "edge weights were ignored: distances count edges"
LIMIT = 2**31 - 2


def graph_from_indices(
    u: NDArray[Any],
    v: NDArray[Any],
    n: int,
    labels: Sequence[Any] | None,
    notes: Iterable[str] = (),
    ask: Callable[[], None] = never,
) -> Graph:
    """Build the graph of arcs between node indices.

    The end points `u` and `v`, (e,), are in 0..n-1, the order of the sorted labels. `ask` is called between pieces of
    work and raises to stop. InputError is raised if there are fewer than two nodes, or more than 2^31 - 2.
    """
    if n == 0:
        raise InputError("the graph is empty: it has no node at all; give a file with at least one edge")
    if n == 1:
        raise InputError("the graph has one node: an attacker would have nobody to look for; give at least two nodes")
    if n > LIMIT:
        raise InputError(f"the graph has {n} nodes; at most {LIMIT} can be numbered")
    ask()
    afford(ask, 16 * u.size + 13 * n)
    indptr, indices, counts = simple_csr(u.astype(np.int32, copy=False), v.astype(np.int32, copy=False), n)
    ask()
    loops, repeated, merged = (int(c) for c in counts)
    return Graph(indptr, indices, labels, merged, loops, repeated, tuple(notes))


def graph_from_integers(u: Int64, v: Int64, notes: Iterable[str] = (), ask: Callable[[], None] = never) -> Graph:
    """Build a graph from integer node ids; its nodes are the ids that occur, sorted.

    `u` and `v`, (e,), are the ids of the end points of every edge, and `notes` say what was ignored while reading.
    `ask` is called between pieces of work and raises to stop. InputError is raised as by `graph_from_indices`: fewer
    than two nodes, or too many. O(e) time and memory; O(e log e) time where the ids spread over a range much wider than
    the number of edges.
    """
    if u.size == 0:
        return graph_from_indices(u, v, 0, None)
    low, high = int(min(u.min(), v.min())), int(max(u.max(), v.max()))
    if high - low < 8 * u.size + 1_000_000 and high - low < LIMIT:
        afford(ask, 8 * u.size + 4 * (high - low) + 8 * min(high - low, 2 * u.size))
        ids, a, b = rank_integers(u, v, low, high - low + 1)
    else:
        afford(ask, 100 * u.size)
        ids, inverse = np.unique(np.concatenate([u, v]), return_inverse=True)
        a, b = inverse[: u.size], inverse[u.size :]
    plain = ids[0] == 0 and ids[-1] == ids.size - 1
    return graph_from_indices(a, b, ids.size, None if plain else ids, notes, ask)


def graph_from_objects(
    nodes: Iterable[Hashable],
    edges: Iterable[tuple[Hashable, Hashable]],
    notes: Iterable[str] = (),
    ask: Callable[[], None] = never,
) -> Graph:
    """Build a graph from labels of any kind; isolated nodes are kept.

    Integers are sorted by value, texts by their UTF-8 bytes, other labels by themselves or, where they cannot be
    compared, by type and text. `nodes` are kept even if no edge names them, and `notes` say what was ignored while
    reading. `ask` is called between pieces of work and raises to stop.

    InputError is raised if a label is missing (None or NaN), or is of a kind that cannot name a node (a list, an
    object); also as by `graph_from_indices`.
    """
    position: dict[Hashable, int] = {}
    u, v = [], []
    try:
        for x in each(nodes, ask):
            _refuse_missing(x)
            position.setdefault(x, len(position))
        for a, b in each(edges, ask):
            for x in (a, b):
                if x not in position:
                    _refuse_missing(x)
                    position[x] = len(position)
            u.append(position[a])
            v.append(position[b])
    except TypeError:  # no hash
        raise InputError("a node id is of a kind that cannot name a node; give numbers or texts") from None
    labels = list(position)
    order = sorted_order(labels)
    rank = np.empty(len(labels), np.int64)
    rank[order] = np.arange(len(labels))
    ordered = [labels[i] for i in order]
    plain = ordered == list(range(len(ordered))) and not any(isinstance(x, bool | float) for x in ordered[:2])
    return graph_from_indices(
        rank[np.array(u, np.int64)], rank[np.array(v, np.int64)], len(labels), None if plain else ordered, notes, ask
    )


def sorted_order(labels: Sequence[Any]) -> list[int]:
    """Positions of `labels` in the order that numbers the nodes."""
    if all(isinstance(x, str) for x in labels):
        return sorted(range(len(labels)), key=lambda i: labels[i].encode("utf-8", "surrogatepass"))
    try:
        return sorted(range(len(labels)), key=lambda i: labels[i])
    except TypeError:
        return sorted(range(len(labels)), key=lambda i: (type(labels[i]).__name__, str(labels[i])))


def check_weights(weights: NDArray[Any]) -> list[str]:
    """Refuse negative and NaN weights, and say whether any weights are ignored.

    The weights, (e,), are in the order of the source; an array of anything but numbers passes. A note that weights are
    ignored is returned, or an empty list if all are 1 or there are none. InputError is raised if a weight is negative
    or NaN.
    """
    if weights.size == 0 or weights.dtype.kind not in "fiub":
        return []
    if weights.dtype.kind == "f" and np.isnan(weights).any():
        where = int(np.isnan(weights).argmax()) + 1
        raise InputError(f"edge {where} has the weight NaN; remove the weights or mend them")
    if weights.dtype.kind in "fi" and (weights < 0).any():
        where = int((weights < 0).argmax()) + 1
        raise InputError(f"edge {where} has a negative weight; remove the weights (they are not used) or mend them")
    return [] if (weights == 1).all() else [WEIGHTS_NOTE]


def as_weights(values: Sequence[Any]) -> NDArray[Any]:
    """Turn numbers into an array of floats, (e,) float64; those too large for a float become infinity.

    TypeError or ValueError is raised if one is no number.
    """
    try:
        return np.array(values, float)
    except OverflowError:
        return np.array([_as_float(x) for x in values])


def _as_float(x: Any) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _refuse_missing(x: Hashable) -> None:
    if x is None or (isinstance(x, float) and math.isnan(x)) or type(x).__name__ in ("NAType", "NaTType"):
        raise InputError("a node id is missing (None or NaN); give every end point of every edge")
