"""Cubic multigraphs with nodes of two kinds, and the sets of edges that the covering theorem covers them by."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

__all__ = ["cover", "drawn", "switchable"]


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
