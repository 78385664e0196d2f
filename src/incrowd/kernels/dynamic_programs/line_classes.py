"""Classes along the sorted rows of one column: a dynamic program over how many rows are placed."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["classes", "warm"]


@njit(cache=True, nogil=True)
def classes(first, cell, below, k, star, stride, most_skipped, label):  # type: ignore[no-untyped-def]
    """Place the rows in classes of at least k at the least cost that this program knows; return the cost.

    A class is a run of the sorted rows, or a run that steps over whole values of at least k rows each, which show
    themselves. Classes have fewer than 2k rows, for a longer run can be cut in two.

    Parameters
    ----------
    first : (v + 1,) int64
        Rows before each distinct value, in sorted order.
    cell : (v,) int64
        Cell of each value.
    below : (G + 1,) int64
        Distinct values below each cell.
    k : int
        At most the rows.
    star : int
        Cost of a row without a class; -1: every row needs one.
    stride : int
        Step between the sizes of classes that are tried; 1: all.
    most_skipped : int
        Values that a class may step over.
    label : (n,) int64, out
        Number of each row's class; -1: none.

    Notes
    -----
    O(n k / stride) time, 17 bytes a row.
    """
    values = first.size - 1
    n = first[values]
    value = np.empty(n, np.int32)
    for v in range(values):
        value[first[v] : first[v + 1]] = v
    none = np.int64(1) << 62
    best = np.full(n + 1, none, np.int64)
    came = np.full(n + 1, -1, np.int64)
    kind = np.zeros(n + 1, np.int8)  # 0: a run; 1: a run that steps over values; 2: without a class
    best[0] = 0
    for i in range(n):
        if best[i] == none:
            continue
        if star >= 0 and best[i] + star < best[i + 1]:
            best[i + 1] = best[i] + star
            came[i + 1] = i
            kind[i + 1] = 2
        a = cell[value[i]]
        size = k
        near = n - i < 2 * k
        while size < 2 * k and i + size <= n:
            last = value[i + size - 1]
            wide = np.int64(0)
            if last != value[i]:
                wide = below[cell[last] + 1] - below[a] - 1
            cost = best[i] + size * wide
            if cost < best[i + size]:
                best[i + size] = cost
                came[i + size] = i
                kind[i + size] = 0
            size += 1 if near else stride
        # stepping over values
        taken = np.int64(0)
        x = i
        skipped = 0
        while x < n and taken < 2 * k - 1:
            v = value[x]
            rows = first[v + 1] - x
            if x == first[v] and rows >= k and x > i:
                if skipped and taken < k:
                    # it may end among the rows of this value, of which there are enough
                    more = k - taken
                    cost = best[i] + k * (below[cell[v] + 1] - below[a] - 1)
                    if cost < best[x + more]:
                        best[x + more] = cost
                        came[x + more] = i
                        kind[x + more] = 1
                skipped += 1
                if skipped > most_skipped:
                    break
                x = first[v + 1]
                continue
            use = min(rows, 2 * k - 1 - taken)
            if skipped and taken + use >= k:
                for more in range(max(1, k - taken), use + 1):
                    cost = best[i] + (taken + more) * (below[cell[v] + 1] - below[a] - 1)
                    if cost < best[x + more]:
                        best[x + more] = cost
                        came[x + more] = i
                        kind[x + more] = 1
            taken += use
            x += use
    # back along the best way
    i = n
    number = 0
    while i > 0:
        begin = came[i]
        if kind[i] == 2:
            label[begin] = -1
        elif kind[i] == 0:
            label[begin:i] = number
            number += 1
        else:
            own = number
            number += 1
            x = begin
            while x < i:
                v = value[x]
                if x == first[v] and x > begin and first[v + 1] - x >= k and first[v + 1] < i:
                    # stepped over: the class goes on behind this value
                    label[x : first[v + 1]] = number
                    number += 1
                    x = first[v + 1]
                    continue
                stop = min(first[v + 1], i)
                label[x:stop] = own
                x = stop
        i = begin
    return best[n]


def warm() -> None:
    """Compile the kernel for the types it is called with."""
    classes(np.array([0, 1, 2]), np.array([0, 1]), np.array([0, 1, 2]), 1, -1, 1, 8, np.zeros(2, np.int64))
