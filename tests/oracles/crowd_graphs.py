"""Random classes, keys and edges, in the arrays that the kernels take."""

from __future__ import annotations

import numpy as np

__all__ = ["drawn_graph"]


def by_class(classes, count):
    start = np.concatenate(([0], np.cumsum(np.bincount(classes, minlength=count)))).astype(np.int64)
    return start, np.argsort(classes, kind="stable").astype(np.int32)


def side(rng, classes, keys):
    """Edges of one side: every class at some keys, sorted by key."""
    edges = sorted(
        (int(x), c)
        for c in range(classes)
        for x in rng.choice(keys, size=int(rng.integers(0, keys + 1)), replace=False)
    )
    key = np.array([x for x, _ in edges], np.int32)
    cls = np.array([c for _, c in edges], np.int32)
    start = np.concatenate(([0], np.cumsum(np.bincount(key, minlength=keys)))).astype(np.int64)
    return start, cls, key


def drawn_graph(seed):
    """Return the arrays of a graph, and the rows of the classes of both sides."""
    rng = np.random.default_rng(seed)
    a, b, keys = (int(rng.integers(1, 6)) for _ in range(3))
    key_a, a_class, a_keys = side(rng, a, keys)
    key_b, b_class, b_keys = side(rng, b, keys)
    of_a, a_edges = by_class(a_class, a)
    of_b, b_edges = by_class(b_class, b)
    graph = (key_a, a_class, key_b, b_class, of_a, a_edges, a_keys, of_b, b_edges, b_keys)
    return graph, rng.integers(1, 5, a).astype(np.int64), rng.integers(1, 5, b).astype(np.int64)
