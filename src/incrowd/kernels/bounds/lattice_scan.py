"""Lagrangian prices over all instances of some patterns, without a list of them."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.prices import cheapest_rest
from incrowd.kernels.hash_table import room, slot
from incrowd.loops import njit

__all__ = ["same_nodes", "scan_block"]


@njit(cache=True, nogil=True)
def scan_block(table, start, heights, vectors, lines_cost, uniform, counts, k, scaled, prices, tau, most):  # type: ignore[no-untyped-def]
    """Price all instances of some patterns without listing them.

    `table`, (L, t) uint64, has a hash per line and type; `start` and `heights` are (m,) int64. `vectors`, (b, m) int8,
    are quickest in lexicographic order. `lines_cost`, (L, t) int64, is the scaled cost of the node of each type, and
    `uniform` says whether the cost depends on the line alone. `counts` and `prices` are (t,) int64; costs are
    multiplied with `scaled` before prices are subtracted.

    Instances up to the reduced cost `tau`, at least 0, are returned. After `most` pairs only instances with rc < 0 are
    still returned; those always are.

    Returned of the f instances found are four arrays: the place of each one's vector, (f,) int32; `begins`, (f + 1,)
    int64, and `members`, int32, where ``members[begins[x]:begins[x + 1]]`` are the types that agree with it,
    increasing; and its reduced cost, exact, (f,) int64.

    Notes
    -----
    An instance with rc <= tau has a row with cost - price <= tau / k, else its k rows came to more. So only the
    types with such a row open an entry; the others only add to entries there are. O(b t).

    Two instances with the same hash are taken for one. That can only lower the sum: what they use apart they can
    use together, and rows are needed once instead of twice.
    """
    b, m = vectors.shape
    t = counts.size
    size = room(t)
    low = np.uint64(size - 1)
    bits = np.zeros(size, np.uint8)
    sums = np.zeros((m + 1, t), np.uint64)
    paid = np.zeros((m + 1, t), np.int64)
    keys = np.empty(size, np.uint64)
    stamp = np.full(size, -1, np.int32)
    entry = np.empty(size, np.int32)
    held = np.empty(t, np.int64)
    negative = np.empty(t, np.int64)
    negative_rows = np.empty(t, np.int64)
    least = np.empty(t, np.int64)
    belongs = np.empty(t, np.int32)
    member = np.empty(t + 1, np.int32)
    chosen = np.empty(t, np.int32)
    lead = np.empty(t, np.int32)
    chain = np.empty(t, np.int32)
    terms = np.empty(t, np.int64)
    rows = np.empty(t, np.int64)
    buffer = np.empty(t + 1, np.int64)
    buffer_rows = np.empty(t + 1, np.int64)
    pattern = np.empty(64, np.int32)
    rcs = np.empty(64, np.int64)
    begins = np.zeros(65, np.int64)
    members = np.empty(1024, np.int32)
    listed = 0
    found = 0
    highest = prices.max()
    edge = tau // k  # k * term <= tau in whole numbers
    last = -1
    for p in range(b):
        flat = np.int64(0)
        for j in range(m):
            flat += lines_cost[start[j] + vectors[p, j], 0]
        if uniform and scaled * flat - highest > edge:
            continue
        begin = 0
        if last >= 0:
            while begin < m and vectors[p, begin] == vectors[last, begin]:
                begin += 1
        last = p
        for j in range(begin, m):
            level = vectors[p, j]
            line = start[j] + level
            hide = level == heights[j] and level > 0
            for i in range(t):
                sums[j + 1, i] = sums[j, i] if hide else sums[j, i] + table[line, i]
            if not uniform:
                for i in range(t):
                    paid[j + 1, i] = paid[j, i] + lines_cost[line, i]
        total = sums[m]
        cost = paid[m]
        entries = 0
        bits[:] = 0
        for i in range(t):
            w = flat if uniform else cost[i]
            if scaled * w - prices[i] > edge:
                continue
            s = slot(keys, stamp, p, total[i], total[i] >> np.uint64(20))
            if stamp[s] != p:
                stamp[s] = p
                keys[s] = total[i]
                entry[s] = entries
                held[entries] = 0
                negative[entries] = 0
                negative_rows[entries] = 0
                least[entries] = -1
                entries += 1
                bits[total[i] & low] = 1
        if entries == 0:
            continue
        filled = 0
        for i in range(t):
            member[filled] = i
            filled += int(bits[total[i] & low])  # of eight bits, which NumPy adds up in eight
        kept = 0
        for x in range(filled):
            i = member[x]
            s = slot(keys, stamp, p, total[i], total[i] >> np.uint64(20))
            if stamp[s] != p:
                continue
            e = entry[s]
            w = flat if uniform else cost[i]
            term = scaled * w - prices[i]
            held[e] += counts[i]
            if term < 0:
                negative[e] += term * counts[i]
                negative_rows[e] += counts[i]
            elif least[e] < 0 or term < least[e]:
                least[e] = term
            belongs[kept] = e
            chosen[kept] = i
            kept += 1
        # Which entries may have rc <= tau, and the lists of their members.
        wanted = 0
        for e in range(entries):
            lead[e] = -2
            if held[e] < k:
                continue
            missing = k - negative_rows[e]
            value = negative[e]
            if missing > 0:
                value += missing * least[e]
            if value <= tau:
                lead[e] = -1
                wanted += 1
        if wanted == 0:
            continue
        for x in range(kept):
            e = belongs[x]
            if lead[e] != -2:
                chain[x] = lead[e]
                lead[e] = x
        for e in range(entries):
            if lead[e] == -2:
                continue
            missing = k - negative_rows[e]
            value = negative[e]
            if missing > 0:
                c = 0
                x = lead[e]
                while x >= 0:
                    i = chosen[x]
                    w = flat if uniform else cost[i]
                    term = scaled * w - prices[i]
                    if term >= 0:
                        terms[c] = term
                        rows[c] = counts[i]
                        c += 1
                    x = chain[x]
                value += cheapest_rest(terms, rows, c, missing, buffer, buffer_rows)
            if value > tau or (value >= 0 and listed >= most):
                continue
            if found == rcs.size:
                pattern = np.concatenate((pattern, np.empty(found, np.int32)))
                rcs = np.concatenate((rcs, np.empty(found, np.int64)))
                begins = np.concatenate((begins, np.empty(found, np.int64)))
            pattern[found] = p
            rcs[found] = value
            found += 1
            length = 0
            x = lead[e]
            while x >= 0:
                length += 1
                x = chain[x]
            while members.size < listed + length:
                members = np.concatenate((members, np.empty(members.size, np.int32)))
            listed += length
            begins[found] = listed
            x = lead[e]
            while x >= 0:
                length -= 1
                members[begins[found - 1] + length] = chosen[x]
                x = chain[x]
    return pattern[:found].copy(), begins[: found + 1].copy(), members[:listed].copy(), rcs[:found].copy()


@njit(cache=True, nogil=True)
def same_nodes(nodes, start, heights, vectors, begins, members):  # type: ignore[no-untyped-def]
    """Return which groups really show the same nodes under their vectors, shape (g,).

    `nodes`, (t, lines) int, is the node of each type at each level of each column. `start`, (m,) int, is the first line
    of each column, and `heights`, (m,) int, are those of the hierarchies. `vectors`, (g, m) int8, has the levels of
    each group. `begins`, (g + 1,) int64, says where the members of each group begin in `members`, (p,) int32: row
    types, group by group.
    """
    groups, m = vectors.shape
    same = np.ones(groups, np.bool_)
    for g in range(groups):
        first = members[begins[g]]
        for x in range(begins[g] + 1, begins[g + 1]):
            for j in range(m):
                line = start[j] + vectors[g, j]
                if nodes[members[x], line] != nodes[first, line]:
                    same[g] = False
    return same
