"""For each row the cheapest pattern under which at least k rows look like it."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.grouping.frequent import add_columns
from incrowd.kernels.hash_table import room, slot
from incrowd.loops import njit

__all__ = ["cheapest_crowds"]


@njit(cache=True, nogil=True)
def cheapest_crowds(table, start, heights, vectors, floors, costs, uniform, weights, k, best):  # type: ignore[no-untyped-def]
    """Return `best`, lowered to the cost of every pattern of the list that shows a row in a crowd, as a new array.

    `table`, (L, t) uint64, has a hash per line and row. `start` and `heights`, (m,) int64, are the first line and top
    level of each column. `vectors`, (b, m) int8, are level vectors, quickest in lexicographic order, and `floors`, (b,)
    int64, the least cost of a row under each; the cost itself where `uniform`. `costs`, (L, t) int64, is the cost per
    line and row, and `weights` is (t,) int32 or int64. Rows are looked up under patterns that cost them less than
    `best`, (t,) int64.

    Notes
    -----
    Rows are counted by hash, so a crowd is never missed; a collision can only make a crowd seem larger and
    `best` smaller. O(b t) steps of 1-2 nanoseconds, more while many rows are looked up. Memory O(m t).
    """
    b, m = vectors.shape
    t = table.shape[1]
    size = room(t) // 2
    low = np.uint64(size - 1)
    buckets = np.zeros(size, weights.dtype)
    marked = np.zeros(size, np.uint8)
    sums = np.zeros((m + 1, t), np.uint64)
    at = np.zeros(m + 1, np.int64)
    kept = np.empty(t + 1, np.int32)
    asked = np.empty(t, np.int32)
    price = np.empty(t, np.int64)
    keys = np.empty(2 * size, np.uint64)
    tally = np.zeros(2 * size, weights.dtype)
    stamp = np.full(2 * size, -1, np.int32)
    best = best.copy()
    least = floors.min() if b else 0
    still = np.empty(t, np.int32)
    waiting = 0
    for i in range(t):
        if best[i] > least:
            still[waiting] = i
            waiting += 1
    last = -1
    ordered = np.empty((2, m), np.int8)
    for p in range(b):
        # Who could gain.
        c = 0
        w = 0
        for x in range(waiting):
            i = still[x]
            if best[i] <= least:
                continue
            still[w] = i
            w += 1
            if best[i] <= floors[p]:
                continue
            cost = floors[p]
            if not uniform:
                cost = 0
                for j in range(m):
                    cost += costs[start[j] + vectors[p, j], i]
                if best[i] <= cost:
                    continue
            asked[c] = i
            price[c] = cost
            c += 1
        waiting = w
        if c == 0:
            continue
        ordered[1] = vectors[p]
        if last >= 0:
            ordered[0] = vectors[last]
            total = sums[add_columns(table, start, heights, ordered, 1, sums, at)]
        else:
            total = sums[add_columns(table, start, heights, ordered[1:], 0, sums, at)]
        last = p
        # Rows that share a bucket with somebody who asks.
        marked[:] = 0
        for x in range(c):
            marked[total[asked[x]] & low] = 1
        h = 0
        for i in range(t):
            kept[h] = i
            h += int(marked[total[i] & low])  # of eight bits, which NumPy adds up in eight
        buckets[:] = 0
        for x in range(h):
            buckets[total[kept[x]] & low] += weights[kept[x]]
        hopeful = 0
        for x in range(c):
            if buckets[total[asked[x]] & low] >= k:
                asked[hopeful] = asked[x]
                price[hopeful] = price[x]
                hopeful += 1
        if hopeful == 0:
            continue
        # Count by the whole hash.
        for x in range(hopeful):
            key = total[asked[x]]
            s = slot(keys, stamp, p, key, key >> np.uint64(20))
            stamp[s] = p
            keys[s] = key
            tally[s] = 0
        for x in range(h):
            key = total[kept[x]]
            if buckets[key & low] < k:
                continue
            s = slot(keys, stamp, p, key, key >> np.uint64(20))
            if stamp[s] == p:
                tally[s] += weights[kept[x]]
        for x in range(hopeful):
            key = total[asked[x]]
            s = slot(keys, stamp, p, key, key >> np.uint64(20))
            if tally[s] >= k:
                best[asked[x]] = price[x]
    return best
