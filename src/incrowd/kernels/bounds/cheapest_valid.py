"""The cheapest instance that may hold a valid class, for every row type: one walk over patterns."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_classes import rows_allowed
from incrowd.kernels.hash_table import room, slot
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def cheapest_valid(  # type: ignore[no-untyped-def]
    table, start, heights, vectors, lines_cost, counts, k, values, first, family, least, equal, share, best
):  # fmt: skip
    """Lower `best`, (t,) int64, to the scaled cost of a row in the cheapest instance that may hold a valid class.

    `table`, `start`, `heights`, `vectors`, `lines_cost` and `counts` are as for `prices.scan_block`, and `family`,
    `least` and `equal` as in `inner_classes.Lists`. `values`, (R, t) int64, is the value of each type by each rule, and
    `share`, from `first`, (R + 1,) int64, on, that of each value as there. Instances are told apart by hashes; joined
    ones only seem to hold more. O(b t) time, and the values for every instance with a row that it is cheaper for.
    """
    b, m = vectors.shape
    t, rules, width = counts.size, family.size, first[family.size]
    size = room(t)
    sums = np.zeros((m + 1, t), np.uint64)
    paid = np.zeros((m + 1, t), np.int64)
    keys, stamp, entry = np.empty(size, np.uint64), np.full(size, -1, np.int32), np.empty(size, np.int32)
    of, held = np.empty(t, np.int32), np.empty(t, np.int64)
    rows = np.empty((t, max(width, 1)), np.int64)
    fits = np.empty(t, np.int8)
    for p in range(b):
        begin = 0
        while p > 0 and begin < m and vectors[p, begin] == vectors[p - 1, begin]:
            begin += 1
        for j in range(begin, m):
            level = vectors[p, j]
            line = start[j] + level
            hide = level == heights[j] and level > 0
            for i in range(t):
                sums[j + 1, i] = sums[j, i] if hide else sums[j, i] + table[line, i]
                paid[j + 1, i] = paid[j, i] + lines_cost[line, i]
        total, cost = sums[m], paid[m]
        entries = 0
        for i in range(t):
            s = slot(keys, stamp, p, total[i], total[i] >> np.uint64(20))
            if stamp[s] != p:
                stamp[s], keys[s], entry[s] = p, total[i], entries
                held[entries], fits[entries] = 0, -1
                rows[entries] = 0
                entries += 1
            e = entry[s]
            of[i] = e
            held[e] += counts[i]
            for r in range(rules):
                rows[e, first[r] + values[r, i]] += counts[i]
        for i in range(t):
            e = of[i]
            if cost[i] >= best[i] or held[e] < k or fits[e] == 0:
                continue
            if fits[e] < 0:
                most = held[e]
                for r in range(rules):
                    here = rows[e, first[r] : first[r + 1]]
                    most = rows_allowed(family[r], least[r], equal[r], share[first[r] : first[r + 1]], here, most)
                fits[e] = 1 if most >= k else 0
            if fits[e] == 1:
                best[i] = cost[i]
