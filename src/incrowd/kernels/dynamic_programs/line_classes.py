"""Classes along the sorted rows of one column: a dynamic program over how many rows are placed."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["NONE", "labels", "place"]


NONE = np.int64(1) << 62  # no way to place so many rows


@njit(cache=True, nogil=True)
def place(first, cell, low, up, k, star, stride, most_skipped, begin, end, best, came, kind, value):  # type: ignore[no-untyped-def]
    """Go on from some numbers of placed rows to greater ones.

    A class is a run of the sorted rows, or a run that steps over whole values of at least k rows each, which show
    themselves. Classes have fewer than 2k rows, for a longer run can be cut in two.

    `first`, (v + 1,) int64, counts the rows before each distinct value, in sorted order, and `cell`, (v,) int64, is the
    cell of each value. With `low` and `up`, (G,) int64, a row in a run from cell a to cell b costs ``up[b] - low[a]``.
    `k` is at most the rows. `star` is the cost of a row without a class; -1: every row needs one. `stride` is the step
    between the sizes of classes that are tried; 1: all. A class may step over `most_skipped` values. `begin` and `end`
    are the numbers of placed rows to go on from. `value`, (n,) int32, is the value of each row.

    Read and changed are three arrays of length n + 1. `best`, int64, is the least cost of so many rows, at first 0 for
    none and `NONE`; `came`, int64, the rows placed before the last class, at first -1; and `kind`, int8, that of the
    last class. A kind is 0 for a run, 1 for a run that steps over values, and 2 for a row without a class.

    It takes O((end - begin) k / stride) time.
    """
    n = value.size
    none = NONE
    for i in range(begin, end):
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
                wide = up[cell[last]] - low[a]
            cost = best[i] + size * wide
            if cost < best[i + size]:
                best[i + size] = cost
                came[i + size] = i
                kind[i + size] = 0
            size += 1 if near else stride
        if not most_skipped:
            continue
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
                    cost = best[i] + k * (up[cell[v]] - low[a])
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
                    cost = best[i] + (taken + more) * (up[cell[v]] - low[a])
                    if cost < best[x + more]:
                        best[x + more] = cost
                        came[x + more] = i
                        kind[x + more] = 1
            taken += use
            x += use


@njit(cache=True, nogil=True)
def labels(first, k, came, kind, value, label):  # type: ignore[no-untyped-def]
    """Give each row its class along the best way.

    The number of each row's class is written into `label`, (n,) int64; -1: none. The other arguments are as in `place`,
    when it has come to the end.
    """
    n = value.size
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
