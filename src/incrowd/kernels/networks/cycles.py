"""Cycles of a functional graph."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["pointer_cycles"]


@njit(cache=True, nogil=True)
def pointer_cycles(pointer):  # type: ignore[no-untyped-def]
    """Find the cycle that every node leads to.

    `pointer`, (n,) int32, has one successor a node; -1 ends a walk and makes its node a cycle of its own. Returned are
    three arrays: the number of each node's cycle, (n,) int32; the nodes of all cycles, cycle by cycle, (z,) int32; and
    where each cycle ends among these, (c,) int64.
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
