"""Lagrangian prices over a list of instances: reduced costs, and steps to better prices."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import add_columns, copy, grown, room, slot
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def cheapest_rest(terms, counts, filled, missing, low, rows):  # type: ignore[no-untyped-def]
    """Return the cost of the `missing` cheapest rows among types with terms >= 0.

    `terms`, (c,) numbers, is the cost of a row, and `counts`, (c,) int64, its rows; the first `filled` entries count.
    `missing` is at most the sum of the counts. `low` and `rows` are scratch, at least `filled` long. Keeps a sorted
    buffer that holds no more types than are needed: O(filled + changes * buffer).
    """
    held = 0
    size = 0
    for x in range(filled):
        term = terms[x]
        if held >= missing and term >= low[size - 1]:
            continue
        y = size
        while y > 0 and low[y - 1] > term:
            low[y] = low[y - 1]
            rows[y] = rows[y - 1]
            y -= 1
        low[y] = term
        rows[y] = counts[x]
        held += counts[x]
        size += 1
        while held - rows[size - 1] >= missing:
            size -= 1
            held -= rows[size]
    total = low[0] * 0
    for x in range(size):
        use = min(rows[x], missing)
        total += use * low[x]
        missing -= use
    return total


@njit(cache=True, nogil=True)
def reduced_costs(begins, members, counts, costs, needs, prices, ceiling, rc, used):  # type: ignore[no-untyped-def]
    """Price every instance: the least of sum (w_g - pi_r) over multisets of at least k_g of its rows.

    `begins`, `members`, `counts`, `costs` and `needs` are as in `incrowd.tables.solve.shared.instances.Instances`.
    Costs and prices, (t,) int64 or float64, are of the same kind of number. The reduced costs are written into `rc`,
    (g,). Above `ceiling` an estimate from below is enough, and stands there. Rows of each type that the instances with
    rc < 0 use are added to `used`, (t,) int64, unless that array is empty. It takes O(pairs), and as much again for
    instances that look cheap.
    """
    longest = 0
    for g in range(costs.size):
        longest = max(longest, begins[g + 1] - begins[g])
    terms = np.empty(longest, prices.dtype)
    rows = np.empty(longest, np.int64)
    low = np.empty(longest + 1, prices.dtype)
    low_rows = np.empty(longest + 1, np.int64)
    low[0] = 0
    total = low[0]
    for g in range(costs.size):
        w = costs[g]
        negative = w * 0
        count = 0
        filled = 0
        least = w * 0
        for x in range(begins[g], begins[g + 1]):
            i = members[x]
            term = w - prices[i]
            if term < 0:
                negative += term * counts[i]
                count += counts[i]
            else:
                if filled == 0 or term < least:
                    least = term
                terms[filled] = term
                rows[filled] = counts[i]
                filled += 1
        missing = needs[g] - count
        value = negative
        if missing > 0:
            value += missing * least
            if value <= ceiling:
                value = negative + cheapest_rest(terms, rows, filled, missing, low, low_rows)
        rc[g] = value
        if value < 0:
            total += value
            if used.size:
                # The term of the last row taken, and how many rows of that term are: the buffer still has them.
                border = w * 0
                spare = missing
                if missing > 0:
                    x = 0
                    while spare > low_rows[x]:
                        spare -= low_rows[x]
                        x += 1
                    border = low[x]
                    while x > 0 and low[x - 1] == border:
                        x -= 1
                        spare += low_rows[x]
                for x in range(begins[g], begins[g + 1]):
                    i = members[x]
                    term = w - prices[i]
                    if term < 0 or (missing > 0 and term < border):
                        used[i] += counts[i]
                    elif missing > 0 and term == border and spare > 0:
                        take = min(spare, counts[i])
                        used[i] += take
                        spare -= take
    return total


@njit(cache=True, nogil=True)
def subgradient_steps(begins, members, counts, costs, needs, caps, target, steps, state, prices, best, move):  # type: ignore[no-untyped-def]
    """Take some steps of the deflected subgradient method; everything it needs to go on is in its arrays.

    `costs` is (g,) float64. Prices are cut down to `caps`, (t,) float64: the cost of a free instance that every type
    may use. `target` is the value to step towards. Read and changed are `state`, (3,) float64, with the best value, the
    step factor theta and the evaluations without gain, and `prices`, `best` and `move`, (t,) float64: the prices now,
    at the best value, and the direction.
    """
    t = counts.size
    rc = np.empty(costs.size, np.float64)
    used = np.empty(t, np.int64)
    for _ in range(steps):
        used[:] = 0
        value = 0.0
        for i in range(t):
            value += counts[i] * prices[i]
        value += reduced_costs(begins, members, counts, costs, needs, prices, 0.0, rc, used)
        if value > state[0]:
            if value > state[0] + 1e-6 * abs(target):
                state[2] = 0
            state[0] = value
            copy(prices, best, t)
        else:
            state[2] += 1
        if state[2] >= 12:
            state[2] = 0
            state[1] *= 0.7
            copy(best, prices, t)
            move[:] = 0.0
            continue
        norm = 0.0
        for i in range(t):
            move[i] = 0.5 * move[i] + 0.5 * (counts[i] - used[i]) / counts[i]
            norm += counts[i] * move[i] * move[i]
        if norm < 1e-12 or value >= target:
            return
        step = state[1] * (target - value) / norm
        for i in range(t):
            prices[i] = min(prices[i] + step * move[i], caps[i])


# What no release up to a given cost can have, by reduced costs, in integers.
@njit(cache=True, nogil=True)
def ruled_out(begins, members, counts, costs, needs, prices, extra, fixed, base, most):  # type: ignore[no-untyped-def]
    """Return which instances must be closed, which open, and which pairs empty.

    See `incrowd.tables.solve.exact.component`. The first two are (g,) bool, the last is (p,) bool; pairs of
    open or undecided instances alone are marked. `begins`, `members`, `counts` and `needs` are as in `Instances`.
    `costs`, (g,) int64, and `most` are in parts, and `prices` are (t,) int64. `extra`, (p,) int64, has the cut terms of
    a row per pair, and `fixed`, (g,) int64, those of opening an instance. `base` is what the value begins with: prices
    times counts, and the cuts' constant.
    """
    g = costs.size
    values = np.zeros(g, np.int64)  # least value of the instance when open
    filler = np.zeros(g, np.int64)  # dearest row taken to fill its crowd, 0 without any
    never = np.zeros(g, np.bool_)
    longest = 0
    for h in range(g):
        longest = max(longest, begins[h + 1] - begins[h])
    terms = np.empty(longest, np.int64)
    places = np.empty(longest, np.int64)
    total = base
    for h in range(g):
        size = 0
        value = fixed[h]
        missing = needs[h]
        for y in range(begins[h], begins[h + 1]):
            term = costs[h] - prices[members[y]] + extra[y]
            if term < 0:
                value += term * counts[members[y]]
                missing -= counts[members[y]]
            else:
                terms[size] = term
                places[size] = y
                size += 1
        if missing > 0:
            for place in np.argsort(terms[:size], kind="mergesort"):
                if missing <= 0:
                    break
                take = min(missing, counts[members[places[place]]])
                value += take * terms[place]
                filler[h] = terms[place]
                missing -= take
            never[h] = missing > 0
        values[h] = value
        if not never[h]:
            total += min(value, 0)
    closed = np.zeros(g, np.bool_)
    opened = np.zeros(g, np.bool_)
    empty = np.zeros(members.size, np.bool_)
    for h in range(g):
        rest = total if never[h] else total - min(values[h], 0)
        if never[h] or rest + values[h] > most:
            closed[h] = True
            continue
        opened[h] = needs[h] > 0 and rest > most
        for y in range(begins[h], begins[h + 1]):
            term = costs[h] - prices[members[y]] + extra[y]
            empty[y] = term > filler[h] and rest + values[h] + term - filler[h] > most
    return closed, opened, empty


# Lagrangian prices over all instances of some patterns, without a list of them.
@njit(cache=True, nogil=True)
def scan_block(table, start, heights, vectors, lines_cost, uniform, counts, k, scaled, prices, tau, most):  # type: ignore[no-untyped-def]
    """Price all instances of some patterns without listing them.

    `table`, (L, t) uint64, has a hash per line and type; `start` and `heights` are (m,) int64. `vectors`, (b, m) int8,
    are quickest in lexicographic order. `lines_cost`, (L, t) uint64, is the scaled cost of the node of each type, and
    `uniform` says whether the cost depends on the line alone. `counts` and `prices` are (t,) int64; costs are
    multiplied with `scaled` before prices are subtracted. Instances up to the reduced cost `tau`, at least 0, are
    returned. After `most` pairs only instances with rc < 0 are still returned; those always are. Returned of the f
    instances found are four arrays: the place of each one's vector, (f,) int32; `begins`, (f + 1,) int64, and
    `members`, int32, where ``members[begins[x]:begins[x + 1]]`` are the types that agree with it, increasing; and its
    reduced cost, exact, (f,) int64. An instance with rc <= tau has a row with cost - price <= tau / k, else its k rows
    came to more. So only the types with such a row open an entry; the others only add to entries there are. O(b t). Two
    instances with the same hash are taken for one. That can only lower the sum: what they use apart they can use
    together, and rows are needed once instead of twice.
    """
    b, m = vectors.shape
    t = counts.size
    size = room(t)
    low = np.uint64(size - 1)
    bits = np.zeros(size, np.uint8)
    sums = np.zeros((m + 1, t), np.uint64)
    paid = np.zeros((m + 1, t), np.uint64)
    unhidden = heights + 1
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
    at = np.zeros(m + 1, np.int64)
    places = np.zeros(m + 1, np.int64)
    members = np.empty(1024, np.int32)
    listed = 0
    found = 0
    highest = prices[0]
    for i in range(t):
        highest = max(highest, prices[i])
    edge = tau // k  # k * term <= tau in whole numbers
    last = -1
    for p in range(b):
        flat = np.int64(0)
        for j in range(m):
            flat += np.int64(lines_cost[start[j] + vectors[p, j], 0])
        if uniform and scaled * flat - highest > edge:
            continue
        total = sums[add_columns(table, start, heights, vectors, last, p, sums, at)]
        if not uniform:
            add_columns(lines_cost, start, unhidden, vectors, last, p, paid, places)
        last = p
        cost = paid[m]
        entries = 0
        bits[:] = 0
        for i in range(t):
            w = flat if uniform else np.int64(cost[i])
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
            w = flat if uniform else np.int64(cost[i])
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
                    w = flat if uniform else np.int64(cost[i])
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
                pattern, rcs, begins = grown(pattern, found), grown(rcs, found), grown(begins, found + 1)
            pattern[found] = p
            rcs[found] = value
            found += 1
            length = 0
            x = lead[e]
            while x >= 0:
                length += 1
                x = chain[x]
            while members.size < listed + length:
                members = grown(members, listed)
            listed += length
            begins[found] = listed
            x = lead[e]
            while x >= 0:
                length -= 1
                members[begins[found - 1] + length] = chosen[x]
                x = chain[x]
    return pattern[:found].copy(), begins[: found + 1].copy(), members[:listed].copy(), rcs[:found].copy()
