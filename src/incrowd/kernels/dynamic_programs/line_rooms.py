"""How far prices along one line may still rise: the least that any run of cells leaves for each of its rows."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["NONE", "rooms"]

NONE = 1e300


@njit(cache=True, nogil=True)
def rooms(cell, low, up, counts, k, prices, begin, end, room):  # type: ignore[no-untyped-def]
    """Lower the rooms of types to what runs leave that begin with the cell of one of some types.

    A run leaves the least of ``sum (cost - price)`` over at least k of its rows, by k: if all prices in it rise by
    that, no k of its rows are priced above what they cost. Below 0 they are already.

    `cell`, (t,) int64, is the cell of each type, which never falls. `low` and `up`, (G,) int64, are as in
    `RangedColumn`; `counts` is (t,) int64, and `prices` (t,) float64. Runs begin with the cell of a type from `begin`
    up to, but not with, `end`, if it is the first of its cell. `room`, (t,) float64, is read and changed; it is `NONE`
    for types that no run holds yet.

    Runs end where one costs a fifth more than the dearest price in it: longer ones leave more.
    """
    t = cell.size
    ys = np.empty(t, np.float64)
    ns = np.empty(t, np.int64)
    least = np.empty(t, np.float64)
    for x in range(begin, end):
        if x and cell[x] == cell[x - 1]:
            continue
        size, rows, stop, y = 0, np.int64(0), x, x
        while y < t:
            cost = float(up[cell[y]] - low[cell[x]])
            z = y
            while z < t and cell[z] == cell[y]:
                q = size
                while q > 0 and ys[q - 1] < prices[z]:
                    ys[q] = ys[q - 1]
                    ns[q] = ns[q - 1]
                    q -= 1
                ys[q] = prices[z]
                ns[q] = counts[z]
                size += 1
                rows += counts[z]
                least[z] = NONE
                z += 1
            # costs only grow, so what k dearer rows stand before is never taken
            held, q = np.int64(0), 0
            while q < size and (held < k or ys[q] > cost):
                held += ns[q]
                q += 1
            size = q
            if rows >= k:
                worth, taken = 0.0, np.int64(0)
                for q in range(size):
                    use = ns[q] if ys[q] > cost else min(ns[q], k - taken)
                    worth += use * (cost - ys[q])
                    taken += use
                least[z - 1] = worth / k
            stop = z
            if rows >= k and cost > 1.2 * ys[0]:
                break
            y = z
        worth = NONE
        for w in range(stop - 1, x - 1, -1):
            worth = min(worth, least[w])
            room[w] = min(room[w], worth)
