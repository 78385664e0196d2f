"""Cycles of a functional graph."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["pointer_cycles"]


@njit(cache=True, nogil=True)
def pointer_cycles(pointer):  # type: ignore[no-untyped-def]
    """Find the cycle that every node leads to.

    Parameters
    ----------
    pointer : (n,) int32
        One successor a node; -1 ends a walk and makes its node a cycle of its own.

    Returns
    -------
    basin : (n,) int32
        Number of the cycle.
    nodes : (z,) int32
        Nodes of all cycles, cycle by cycle.
    ends : (c,) int64
        Where each cycle ends in `nodes`.
    """
    n = pointer.size
    basin = np.full(n, -1, np.int32)
    nodes = np.empty(n, np.int32)
    ends = np.empty(n, np.int64)
    path = np.empty(n, np.int32)
    cycles = 0
    filled = 0
    for r in range(n):
        length = 0
        x = r
        while basin[x] == -1:
            basin[x] = -2
            path[length] = x
            length += 1
            if pointer[x] < 0:
                break
            x = pointer[x]
        found = basin[x]
        if found == -2:  # the walk met itself (or ended) at x
            found = cycles
            cycles += 1
            i = length - 1
            while path[i] != x:
                nodes[filled] = path[i]
                filled += 1
                i -= 1
            nodes[filled] = x
            filled += 1
            ends[cycles - 1] = filled
        for i in range(length):
            basin[path[i]] = found
    return basin, nodes[:filled].copy(), ends[:cycles].copy()
