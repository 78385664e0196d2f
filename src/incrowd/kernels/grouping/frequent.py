"""Which instances of a pattern are shared by at least k rows."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import add_columns, copy, following, grown, probe, room, slot
from incrowd.loops import njit


def hash_nodes(nodes: np.ndarray) -> np.ndarray:
    """Return a 64-bit hash for every node, shape (L, t).

    `nodes`, (t, L) int32, has a node per row and line (a line is a column at a level). The hash is two rounds of the
    finalizer of splitmix64 over line and node: without a seed, equal on every machine.
    """
    table = np.empty(nodes.shape[::-1], np.uint64)
    for line, x in enumerate(table):
        x[:] = nodes[:, line]
        x += np.uint64(1)
        x *= np.uint64(0xD1342543DE82EF95)
        x += np.uint64((line + 1) * 0x9E3779B97F4A7C15 % 2**64)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)) * 2:
            x ^= x >> np.uint64(shift)
            x *= np.uint64(factor)
    return table


@njit(cache=True, nogil=True)
def frequent(table, start, heights, vectors, weights, k):  # type: ignore[no-untyped-def]
    """Find for each pattern the rows that share their hash with at least k rows.

    Equal instances have equal hashes, so every row of an instance with k rows is found; a collision can only add rows.
    `table`, (L, r) uint64, has a hash per line and row. `start` and `heights`, (m,) int64, are the first line and top
    level of each column. `vectors`, (b, m) int8, are level vectors, quickest in lexicographic order; `weights` is (r,)
    int32 or int64. Returned are `begins`, (b + 1,) int64, `rows`, int32, and their hashes, int64: pattern p found the
    rows ``begins[p]:begins[p + 1]``, in increasing order. O(b r) steps of a few nanoseconds: hashes are first counted
    in 2^x >= r buckets, which rules most rows out; what remains is counted by the whole hash. Memory O(m r) plus what
    was found.
    """
    b, m = vectors.shape
    r = table.shape[1]
    size = room(r) // 2
    low = np.uint64(size - 1)
    buckets = np.zeros(size, weights.dtype)
    sums = np.zeros((m + 1, r), np.uint64)
    at = np.zeros(m + 1, np.int64)
    maybe = np.empty(r + 1, np.int32)
    place = np.empty(r, np.int32)
    keys = np.empty(2 * size, np.uint64)
    tally = np.zeros(2 * size, weights.dtype)
    stamp = np.full(2 * size, -1, np.int32)
    begins = np.zeros(b + 1, np.int64)
    rows = np.empty(2 * r, np.int32)
    hashes = np.empty(2 * r, np.int64)
    filled = 0
    for p in range(b):
        begins[p] = filled
        total = sums[add_columns(table, start, heights, vectors, p - 1, p, sums, at)]
        buckets[:] = 0
        for i in range(r):
            buckets[total[i] & low] += weights[i]
        c = 0
        for i in range(r):
            maybe[c] = i
            c += buckets[total[i] & low] >= k
        if c == 0:
            continue
        for x in range(c):
            h = total[maybe[x]]
            s = slot(keys, stamp, p, h, h >> np.uint64(20))
            if stamp[s] != p:
                stamp[s] = p
                keys[s] = h
                tally[s] = 0
            tally[s] += weights[maybe[x]]
            place[x] = s
        while rows.size < filled + c:
            rows, hashes = grown(rows, filled), grown(hashes, filled)
        for x in range(c):
            if tally[place[x]] >= k:
                rows[filled] = maybe[x]
                hashes[filled] = np.int64(total[maybe[x]])
                filled += 1
    begins[b] = filled
    return begins, rows[:filled].copy(), hashes[:filled].copy()


@njit(cache=True, nogil=True)
def alike(nodes, lines, a, b):  # type: ignore[no-untyped-def]
    """Return whether two rows show the same nodes on `lines`."""
    for line in lines:  # noqa: SIM110 - compiled code knows no generators
        if nodes[a, line] != nodes[b, line]:
            return False
    return True


@njit(cache=True, nogil=True)
def crowds(nodes, lines, rows, hashes, alive, weights, k):  # type: ignore[no-untyped-def]
    """Class rows by the nodes they show on `lines` and return the classes of at least k rows.

    Exact: the hash only says where to look; rows share a class when their nodes are equal. `nodes` is (t, L) int32, and
    `lines`, (s,) int64, are the lines shown. `rows`, (c,) int32, are the rows to class, increasing, and `hashes`, (c,)
    uint64, are equal for rows that show the same nodes. Rows whose `alive`, (t,) bool, is False are passed over.
    `weights` is (t,) int32 or int64. Returned are `begins`, (g + 1,) int64, and `members`, int32: class x holds
    ``members[begins[x]:begins[x + 1]]``, increasing, and classes are sorted by their first row, increasing.
    """
    c = rows.size
    slots = np.full(room(c), -1, np.int32)
    first = np.empty(c, np.int32)
    key = np.empty(c, np.uint64)
    total = np.zeros(c, np.int64)
    length = np.zeros(c, np.int64)
    class_ = np.empty(c, np.int32)
    found = 0
    for x in range(c):
        i = rows[x]
        if not alive[i]:
            class_[x] = -1
            continue
        s = probe(slots, key, hashes[x], hashes[x] >> np.uint64(20))
        while slots[s] >= 0 and not alike(nodes, lines, i, first[slots[s]]):
            s = probe(slots, key, hashes[x], following(s))
        g = slots[s]
        if g < 0:
            g = found
            slots[s] = g
            first[g] = i
            key[g] = hashes[x]
            found += 1
        class_[x] = g
        total[g] += weights[i]
        length[g] += 1
    position = np.empty(found, np.int64)
    begins = np.zeros(found + 1, np.int64)
    kept = 0
    filled = 0
    for g in range(found):
        position[g] = -1
        if total[g] >= k:
            position[g] = filled
            filled += length[g]
            kept += 1
            begins[kept] = filled
    members = np.empty(filled, np.int32)
    for x in range(c):
        g = class_[x]
        if g >= 0 and position[g] >= 0:
            members[position[g]] = rows[x]
            position[g] += 1
    return begins[: kept + 1].copy(), members


# For each row the cheapest pattern under which at least k rows look like it.
@njit(cache=True, nogil=True)
def cheapest_classes(table, start, heights, vectors, floors, costs, uniform, weights, k, best):  # type: ignore[no-untyped-def]
    """Return `best`, lowered to the cost of every pattern of the list that shows a row in a crowd, as a new array.

    `table`, (L, t) uint64, has a hash per line and row. `start` and `heights`, (m,) int64, are the first line and top
    level of each column. `vectors`, (b, m) int8, are level vectors, quickest in lexicographic order, and `floors`, (b,)
    int64, the least cost of a row under each; the cost itself where `uniform`. `costs`, (L, t) int64, is the cost per
    line and row, and `weights` is (t,) int32 or int64. Rows are looked up under patterns that cost them less than
    `best`, (t,) int64. Rows are counted by hash, so a crowd is never missed; a collision can only make a crowd seem
    larger and `best` smaller. O(b t) steps of 1-2 nanoseconds, more while many rows are looked up. Memory O(m t).
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
    least = floors[0] if b else 0
    for p in range(b):
        least = min(least, floors[p])
    still = np.empty(t, np.int32)
    waiting = 0
    for i in range(t):
        if best[i] > least:
            still[waiting] = i
            waiting += 1
    last = -1
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
        total = sums[add_columns(table, start, heights, vectors, last, p, sums, at)]
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


# What a row and its nearest rows have in common.
@njit(cache=True, nogil=True)
def common_levels(nodes, start, heights, costs, seeds, places, live, sample, window, weights, k, steps):  # type: ignore[no-untyped-def]
    """Grow a crowd around each seed and return the lowest levels at which it looks alike, (s, m) int8.

    The crowd takes the rows that add least to the seed's cost, a share of the missing rows at a time, so that the
    second share is near to what the seed and the first one have in common. Every seed shares its instance, under its
    level vector, with k rows, or with all that were looked at. `nodes` is (t, L) int32, and `costs` (L, t) int64;
    `start` and `heights`, (m,) int64, are the first line and top level of each column; `weights` is (t,) int32 or
    int64. `seeds` is (s,) int32, and `places`, (s,) int64, is the place of each seed in `live`, (r,) int32: rows that
    may be taken, in an order in which similar rows tend to be close. `sample`, (c,) int32, are rows of `live` that are
    looked at for every seed, and `window` says how many rows before and after the seed in `live` are looked at too. The
    crowd grows in `steps` shares. O(s m (c + window + k steps)) time: only the max(4 k, 128) rows nearest to the seed
    are looked at in every step.
    """
    m = start.size
    found = np.zeros((seeds.size, m), np.int8)
    most = sample.size + 2 * window
    near = np.empty(most, np.int32)
    chosen = np.empty(most, np.int32)
    apart = np.empty((min(most, max(4 * k, 128)), m), np.int8)
    extra = np.empty(most, np.int64)
    for x in range(seeds.size):
        seed = seeds[x]
        here = places[x]
        low, high = max(0, here - window), min(live.size, here + window + 1)
        c = 0
        for y in range(low, high):
            if y != here:
                near[c] = live[y]
                c += 1
        for y in range(sample.size):
            row = sample[y]
            # Rows ascend in `live`, so the window is a range of row numbers.
            if row < live[low] or row > live[high - 1]:
                near[c] = row
                c += 1
        # Only the nearest few are worth a closer look.
        for y in range(c):
            extra[y] = 0
            for j in range(m):
                level = 0
                while level < heights[j] and nodes[seed, start[j] + level] != nodes[near[y], start[j] + level]:
                    level += 1
                extra[y] += costs[start[j] + level, seed]
        few = min(c, max(4 * k, 128))
        if few < c:
            edge = np.partition(extra[:c], few)[few]
            w = 0
            for strict in (True, False):
                for y in range(c):
                    if w < few and (extra[y] < edge if strict else extra[y] == edge):
                        chosen[w] = near[y]
                        w += 1
            copy(chosen, near, few)
            c = few
        for y in range(c):
            for j in range(m):
                level = 0
                while level < heights[j] and nodes[seed, start[j] + level] != nodes[near[y], start[j] + level]:
                    level += 1
                apart[y, j] = level
        vector = found[x]
        rows = np.int64(weights[seed])
        step = 0
        while rows < k and c > 0:
            for y in range(c):
                add = 0
                for j in range(m):
                    if apart[y, j] > vector[j]:
                        add += costs[start[j] + apart[y, j], seed] - costs[start[j] + vector[j], seed]
                extra[y] = add
            share = (k - rows + max(steps - step, 1) - 1) // max(steps - step, 1)
            order = np.argsort(extra[:c], kind="mergesort")
            taken = 0
            for z in order:
                if taken >= share:
                    break
                taken += int(weights[near[z]])
                for j in range(m):
                    if apart[z, j] > vector[j]:
                        vector[j] = apart[z, j]
            # Whoever looks alike now belongs to the crowd.
            w = 0
            for y in range(c):
                inside = True
                for j in range(m):
                    if apart[y, j] > vector[j]:
                        inside = False
                        break
                if inside:
                    rows += weights[near[y]]
                else:
                    near[w] = near[y]
                    copy(apart[y], apart[w], m)
                    w += 1
            c = w
            step += 1
    return found
