"""Cubic multigraphs with nodes of two kinds, and the sets of edges that the covering theorem covers them by."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

__all__ = ["bridgeless", "claimed", "cover", "drawn", "matchings", "switchable"]


def drawn(rng, n):
    """Return the edges (e, 2) of a random cubic multigraph with n nodes, loops and parallel edges too."""
    stubs = np.repeat(np.arange(n), 3)
    return rng.permutation(stubs).reshape(-1, 2)


def switchable(edges, kinds, most=2):
    """Return the sets of edges, one a line, that can be switched and have at most so many special nodes.

    Of `kinds` an A-node (True) meets 0, 1 or 3 edges of a set, a B-node 0, 2 or 3; an A-node met at all and a B-node met
    3 times are special. A loop meets its node twice.
    """
    e, n = len(edges), len(kinds)
    sets = (np.arange(1 << e)[:, None] >> np.arange(e)) & 1
    met = np.zeros((len(sets), n), np.int64)
    for at, (u, v) in enumerate(edges):
        met[:, u] += sets[:, at]
        met[:, v] += sets[:, at]
    fine = np.where(kinds, met != 2, met != 1).all(axis=1)
    special = np.where(kinds, met > 0, met == 3).sum(axis=1)
    return sets[fine & (special <= most) & (sets.sum(axis=1) > 0)]


def cover(edges, kinds, most=2):
    """Return the least total weight of sets that cover every edge exactly once; None if none do."""
    sets = switchable(edges, kinds, most)
    if not len(sets):
        return None
    found = linprog(np.ones(len(sets)), A_eq=sets.T, b_eq=np.ones(len(edges)), bounds=(0, None), method="highs")
    return found.fun if found.status == 0 else None


def bridgeless(edges, n):
    """Whether the graph is connected, has no bridge and no loop."""
    if (edges[:, 0] == edges[:, 1]).any():
        return False
    return all(_connected(np.delete(edges, at, axis=0), n) for at in range(len(edges)))


def _connected(edges, n):
    name = list(range(n))
    for _ in range(n):
        for u, v in edges:
            name[u] = name[v] = min(name[u], name[v])
    return len(set(name)) == 1


def matchings(edges, n):
    """Return the perfect matchings, each as whether an edge is in it."""
    e = len(edges)
    sets = ((np.arange(1 << e)[:, None] >> np.arange(e)) & 1).astype(bool)
    met = np.zeros((len(sets), n), np.int64)
    for at, (u, v) in enumerate(edges):
        met[:, u] += sets[:, at]
        met[:, v] += sets[:, at]
    return sets[(met == 1).all(axis=1)]


def claimed(edges, kinds, matching):
    """Whether good sets cover what step 3.4 of the proof says of the two-factor that a perfect matching leaves.

    Edges between A-nodes are short. Every other edge of the two-factor is covered once; so is the matching's edge at an
    A-node whose three neighbours are B-nodes; short edges of the matching at most twice; no other edge.
    """
    short = kinds[edges].all(axis=1)
    near_a = {int(v) for e in edges[short] for v in e}
    asked = np.array([any(kinds[v] and v not in near_a for v in edge) for edge in edges])
    asked = np.where(matching, asked, 1) * ~short
    sets = switchable(edges, kinds)
    fixed = ~(short & matching)
    found = linprog(
        np.zeros(len(sets)),
        A_eq=sets.T[fixed],
        b_eq=asked[fixed],
        A_ub=sets.T[~fixed] if (~fixed).any() else None,
        b_ub=np.full((~fixed).sum(), 2.0) if (~fixed).any() else None,
        bounds=(0, None),
        method="highs",
    )
    return found.status == 0
