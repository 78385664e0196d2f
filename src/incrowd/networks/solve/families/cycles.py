"""Cycles: closed forms for every level and every question.

The proofs are in ``papers/privacy-measures.md``, section "Cycles".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.networks.solve.sweep import Curve
from incrowd.networks.values import NodeSet

if TYPE_CHECKING:
    from incrowd.networks.values import Int32, Int64

__all__ = ["cycle_curve", "cycle_exactly", "cycle_of"]


def cycle_of(indptr: Int64, indices: Int32) -> Int32 | None:
    """Return the nodes of a cycle in their order around it.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph

    Returns
    -------
    (n,) int32 or None
        None where some node has not two neighbours.

    Notes
    -----
    O(n) time: nodes by their place left of node 0, then right of it.
    """
    degree = np.diff(indptr)
    if degree.min() != 2 or degree.max() != 2:
        return None
    order = [0]
    before, at = 0, int(indices[0])
    while at != 0:
        order.append(at)
        one, other = int(indices[2 * at]), int(indices[2 * at + 1])
        before, at = at, other if one == before else one
    return np.array(order, np.int32)


def cycle_curve(around: Int32, first: int, last: int) -> Curve:
    """Least attackers for every level of a cycle.

    Parameters
    ----------
    around : (n,) int32
        As `cycle_of` returns them; n is 3 or more.
    first, last : int
        Levels of interest, 1 or 2.

    Returns
    -------
    Curve

    Notes
    -----
    One node is in the middle of an odd cycle wherever it is; in an even one two opposite nodes are.
    """
    n = around.size
    upper = np.full(max(last, first, 2) + 2, n, np.int64)
    upper[:3] = 1
    sets = {1: NodeSet.of(around[:1], n)}
    if n % 2 == 0:
        upper[2] = 2
        sets[2] = NodeSet.of(_opposite(around), n)
    return Curve(n, first, last, upper.copy(), upper, sets)


def cycle_exactly(around: Int32, k: int) -> Int32 | None:
    """Return the least set of measure exactly `k` of a cycle.

    Parameters
    ----------
    around : (n,) int32
        As `cycle_of` returns them; n is 3 or more.
    k : int
        From 1.

    Returns
    -------
    (s,) int32 or None
        None where there is none.
    """
    even = around.size % 2 == 0
    if k == 1:
        return around[:1] if even else np.sort(around[[0, 2]])
    if k == 2:
        return _opposite(around) if even else around[:1]
    return None


def _opposite(around: Int32) -> Int32:
    """Return two opposite nodes of an even cycle."""
    return np.sort(around[[0, around.size // 2]])
