"""Columns of the matching's linear program: reduced costs, entries, triples, and odd cuts of its solutions.

A group is a line of three rows, -1 filling up: a pair (u, v, -1), a single row (u, -1, -1). Sets of rows come
as lists per row: ``mids[mptr[v]:mptr[v + 1]]``, ascending, are the sets that hold row v.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from incrowd.kernels.matching.metric import FAR, cost3, samples
from incrowd.kernels.matching.price import both_sets
from incrowd.kernels.matching.repair import PAIR, TRIPLE

__all__ = [
    "better_odd_set",
    "components",
    "entries",
    "every_odd_set",
    "grow",
    "members",
    "odd",
    "odd_cuts",
    "reduced",
    "set_triples",
    "triangles",
    "warm",
]


@njit(cache=True, nogil=True)
def members(n, starts, rows):  # type: ignore[no-untyped-def]
    """Turn rows per set into sets per row (mptr, mids)."""
    mptr = np.zeros(n + 1, np.int64)
    for r in rows:
        mptr[r + 1] += 1
    for i in range(n):
        mptr[i + 1] += mptr[i]
    at = mptr[:-1].copy()
    mids = np.empty(rows.size, np.int64)
    for s in range(starts.size - 1):
        for e in range(starts[s], starts[s + 1]):
            mids[at[rows[e]]] = s
            at[rows[e]] += 1
    return mptr, mids


@njit(cache=True, nogil=True)
def _all_three(i, j, k, mptr, mids, mz):  # type: ignore[no-untyped-def]
    total = 0.0
    b, c = mptr[j], mptr[k]
    for a in range(mptr[i], mptr[i + 1]):
        s = mids[a]
        while b < mptr[j + 1] and mids[b] < s:
            b += 1
        while c < mptr[k + 1] and mids[c] < s:
            c += 1
        if b < mptr[j + 1] and c < mptr[k + 1] and mids[b] == s and mids[c] == s:
            total += mz[s]
    return total


@njit(cache=True, nogil=True)
def _triple_rc(F, y, mptr, mids, mz, i, j, k):  # type: ignore[no-untyped-def]
    """Return C - y - (z of the sets that hold an odd number), `y` holding each row's price plus its sets' z."""
    cost = cost3(F, i, j, k)
    if cost >= FAR:
        return np.inf
    rc = 3.0 * cost - y[i] - y[j] - y[k]
    if mz.size:
        both = both_sets(i, j, mptr, mids, mz) + both_sets(i, k, mptr, mids, mz) + both_sets(j, k, mptr, mids, mz)
        if both > 0.0:
            rc += 2.0 * both - 4.0 * _all_three(i, j, k, mptr, mids, mz)
    return rc


@njit(cache=True, nogil=True)
def reduced(groups, costs, y, mptr, mids, mz):  # type: ignore[no-untyped-def]
    """Return costs - y - z (odd sets) of groups of one to three rows, `y` as in `price`."""
    out = np.empty(groups.shape[0])
    for g in range(groups.shape[0]):
        i, j, k = groups[g]
        rc = costs[g] - y[i]
        if j >= 0:
            rc -= y[j]
            both = both_sets(i, j, mptr, mids, mz)
            if k >= 0:
                rc -= y[k]
                both += both_sets(i, k, mptr, mids, mz) + both_sets(j, k, mptr, mids, mz)
                rc -= 4.0 * _all_three(i, j, k, mptr, mids, mz)
            rc += 2.0 * both
        out[g] = rc
    return out


@njit(cache=True, nogil=True)
def entries(groups, line, mptr, mids, cut_line):  # type: ignore[no-untyped-def]
    """Return the lines of the linear program each group has a 1 in: (starts, lines)."""
    starts = np.empty(groups.shape[0] + 1, np.int64)
    room = 16 * groups.shape[0] + 64
    out = np.empty(room, np.int32)
    count = 0
    for g in range(groups.shape[0]):
        starts[g] = count
        most = 3
        for r in range(3):
            if groups[g, r] >= 0:
                most += mptr[groups[g, r] + 1] - mptr[groups[g, r]]
        if count + most > room:
            room = 2 * room + most
            longer = np.empty(room, np.int32)
            longer[:count] = out[:count]
            out = longer
        for r in range(3):
            v = groups[g, r]
            if v >= 0:
                out[count] = line[v]
                count += 1
        first = count
        for r in range(3):
            v = groups[g, r]
            if v < 0:
                continue
            for e in range(mptr[v], mptr[v + 1]):
                mine = cut_line[mids[e]]
                place = -1
                for f in range(first, count):
                    if out[f] == mine:
                        place = f
                        break
                if place >= 0:
                    count -= 1
                    out[place] = out[count]
                else:
                    out[count] = mine
                    count += 1
    starts[groups.shape[0]] = count
    return starts, out[:count]


@njit(cache=True, nogil=True)
def odd(groups, mark):  # type: ignore[no-untyped-def]
    """Return which groups have an odd number of rows in the marked set."""
    out = np.zeros(groups.shape[0], np.bool_)
    for g in range(groups.shape[0]):
        inside = 0
        for r in range(3):
            if groups[g, r] >= 0 and mark[groups[g, r]]:
                inside += 1
        out[g] = inside % 2 == 1
    return out


@njit(cache=True, nogil=True)
def triangles(F, rows, ptr, adj, y, mptr, mids, mz, ceiling, room, first, last):  # type: ignore[no-untyped-def]
    """List the triples of rows whose pairs are all given and whose reduced cost is at most `ceiling`.

    Parameters
    ----------
    rows : (r,) int64
        Rows of `F`, ascending; ``adj[ptr[a]:ptr[a + 1]]`` are positions in `rows`, larger than a.
    first, last : int
        Positions of the lowest row of a triple: from first to last - 1.

    Returns
    -------
    (c, 3) int64, int
        The triples, and how many there were.
    """
    out = np.empty((room, 3), np.int64)
    count = 0
    mark = np.zeros(rows.size, np.bool_)
    for a in range(first, last):
        for e in range(ptr[a], ptr[a + 1]):
            mark[adj[e]] = True
        for e in range(ptr[a], ptr[a + 1]):
            b = adj[e]
            for f in range(ptr[b], ptr[b + 1]):
                c = adj[f]
                if mark[c] and _triple_rc(F, y, mptr, mids, mz, rows[a], rows[b], rows[c]) <= ceiling:
                    if count < room:
                        out[count, 0] = rows[a]
                        out[count, 1] = rows[b]
                        out[count, 2] = rows[c]
                    count += 1
        for e in range(ptr[a], ptr[a + 1]):
            mark[adj[e]] = False
    return out[: min(count, room)], count


@njit(cache=True, nogil=True)
def set_triples(F, starts, rows, y, mptr, mids, mz, ceiling, room, first, last):  # type: ignore[no-untyped-def]
    """List the triples inside a set with z > 0 whose reduced cost is at most `ceiling`, some twice.

    Only those whose lowest row stands at a place from `first` to `last` - 1 of `rows`.

    By the simplex condition rc(h) >= half the sum of its pairs' rc, less the z of the sets that hold all of h:
    a pair whose rc exceeds twice that much plus the ceiling is in none of them.
    """
    out = np.empty((room, 3), np.int64)
    count = 0
    for s in range(starts.size - 1):
        if mz[s] <= 0.0:
            continue
        for a in range(max(starts[s], first), min(starts[s + 1], last)):
            u = rows[a]
            for b in range(a + 1, starts[s + 1]):
                v = rows[b]
                cost = cost3(F, u, v, v)
                if cost >= FAR:
                    continue
                both = both_sets(u, v, mptr, mids, mz)
                if 2.0 * cost - y[u] - y[v] + 2.0 * both > 2.0 * ceiling + 2.0 * both + 1e-6:
                    continue
                for c in range(b + 1, starts[s + 1]):
                    if _triple_rc(F, y, mptr, mids, mz, u, v, rows[c]) <= ceiling:
                        if count < room:
                            out[count, 0] = u
                            out[count, 1] = v
                            out[count, 2] = rows[c]
                        count += 1
    return out[: min(count, room)], count


@njit(cache=True, nogil=True)
def grow(ptr, adj, kind, mate, inside, seeds, quota):  # type: ignore[no-untyped-def]
    """Mark whole groups in alternating breadth-first order along the given pairs; return how many rows joined."""
    queue = np.empty(kind.size + seeds.size, np.int32)
    head, tail, joined = 0, 0, 0
    queued = np.zeros(kind.size, np.bool_)
    for seed in seeds:
        if not queued[seed]:
            queued[seed] = True
            queue[tail] = seed
            tail += 1
        for r in range(3):
            w = np.int64(seed) if r == 2 else np.int64(mate[seed, r])
            if w >= 0 and not inside[w]:
                inside[w] = True
                joined += 1
                if not queued[w]:
                    queued[w] = True
                    queue[tail] = w
                    tail += 1
    while head < tail and joined < quota:
        u = queue[head]
        head += 1
        for e in range(ptr[u], ptr[u + 1]):
            w = adj[e]
            if not inside[w]:
                inside[w] = True
                joined += 1
            for r in range(2):
                m = mate[w, r]
                if m < 0 or (kind[w] != PAIR and kind[w] != TRIPLE):
                    continue
                if not inside[m]:
                    inside[m] = True
                    joined += 1
                if not queued[m]:
                    queued[m] = True
                    queue[tail] = m
                    tail += 1
            if joined >= quota:
                break
    return joined


@njit(cache=True, nogil=True)
def components(n, left, right):  # type: ignore[no-untyped-def]
    """Return a label per node: the smallest node of its component."""
    label = np.arange(n)
    for e in range(left.size):
        a, b = left[e], right[e]
        while label[a] != a:
            label[a] = label[label[a]]
            a = label[a]
        while label[b] != b:
            label[b] = label[label[b]]
            b = label[b]
        if a < b:
            label[b] = a
        else:
            label[a] = b
    for i in range(n):
        a = i
        while label[a] != a:
            a = label[a]
        label[i] = a
    return label


@njit(cache=True, nogil=True)
def odd_cuts(n, left, right, weight):  # type: ignore[no-untyped-def]
    """List odd sets of nodes (node n - 1, the sink, never in one) that a cut of less than 1 separates.

    Gusfield's walk: for each node a least cut to its parent, given up where it reaches 1.

    Returns
    -------
    (c, n) bool
    """
    ptr = np.zeros(n + 1, np.int64)
    for e in range(left.size):
        ptr[left[e] + 1] += 1
        ptr[right[e] + 1] += 1
    for i in range(n):
        ptr[i + 1] += ptr[i]
    at = ptr[:-1].copy()
    arc = np.empty(2 * left.size, np.int64)
    for e in range(left.size):
        arc[at[left[e]]] = 2 * e
        at[left[e]] += 1
        arc[at[right[e]]] = 2 * e + 1
        at[right[e]] += 1
    parent = np.full(n, n - 1, np.int64)
    found = np.zeros((n, n), np.bool_)
    count = 0
    rest = np.empty(2 * left.size)
    via = np.empty(n, np.int64)
    seen = np.zeros(n, np.int64)
    queue = np.empty(n, np.int64)
    turn = 0
    for i in range(n - 1):
        target = parent[i]
        for e in range(left.size):
            rest[2 * e] = weight[e]
            rest[2 * e + 1] = weight[e]
        flow = 0.0
        cut = False
        while flow < 1.0 - 1e-7:
            turn += 1
            seen[i] = turn
            queue[0] = i
            head, tail = 0, 1
            reached = False
            while head < tail and not reached:
                u = queue[head]
                head += 1
                for a in range(ptr[u], ptr[u + 1]):
                    f = arc[a]
                    v = right[f // 2] if f % 2 == 0 else left[f // 2]
                    if seen[v] == turn or rest[f] <= 1e-9:
                        continue
                    seen[v] = turn
                    via[v] = f
                    if v == target:
                        reached = True
                        break
                    queue[tail] = v
                    tail += 1
            if not reached:
                cut = True
                break
            least = np.inf
            v = target
            while v != i:
                f = via[v]
                least = min(least, rest[f])
                v = left[f // 2] if f % 2 == 0 else right[f // 2]
            v = target
            while v != i:
                f = via[v]
                rest[f] -= least
                rest[f ^ 1] += least
                v = left[f // 2] if f % 2 == 0 else right[f // 2]
            flow += least
        if not cut:
            continue
        for j in range(i + 1, n - 1):
            if parent[j] == target and seen[j] == turn:
                parent[j] = i
        flip = seen[n - 1] == turn
        size = 0
        for j in range(n - 1):
            if (seen[j] == turn) != flip:
                size += 1
        if size % 2 == 1:
            for j in range(n - 1):
                found[count, j] = (seen[j] == turn) != flip
            count += 1
    return found[:count]


@njit(cache=True, nogil=True)
def every_odd_set(n, groups, x, most, limit):  # type: ignore[no-untyped-def]
    """List the odd sets of n nodes that meet groups of total x below `limit` oddly: the `most` least ones.

    Walks through all 2^n sets in Gray code; O(2^n d), d groups a node. For components of a dozen nodes.

    Returns
    -------
    (c,) int64
        Sets as bit masks.
    """
    ptr = np.zeros(n + 1, np.int64)
    for g in range(groups.shape[0]):
        for r in range(3):
            if groups[g, r] >= 0:
                ptr[groups[g, r] + 1] += 1
    for i in range(n):
        ptr[i + 1] += ptr[i]
    at = ptr[:-1].copy()
    of = np.empty(ptr[n], np.int64)
    for g in range(groups.shape[0]):
        for r in range(3):
            if groups[g, r] >= 0:
                of[at[groups[g, r]]] = g
                at[groups[g, r]] += 1
    parity = np.zeros(groups.shape[0], np.bool_)
    sets = np.zeros(most, np.int64)
    values = np.full(most, np.inf)
    inside = np.int64(0)
    size = 0
    value = 0.0
    for step in range(1, 1 << n):
        node = 0
        while not (step >> node) & 1:
            node += 1
        for e in range(ptr[node], ptr[node + 1]):
            g = of[e]
            value += -x[g] if parity[g] else x[g]
            parity[g] = not parity[g]
        inside ^= np.int64(1) << node
        size += 1 if (inside >> node) & 1 else -1
        if size % 2 == 0 or size < 3 or value >= limit or value >= values[most - 1]:
            continue
        place = most - 1
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            sets[place] = sets[place - 1]
            place -= 1
        values[place] = value
        sets[place] = inside
    return sets[values < np.inf]


@njit(cache=True, nogil=True)
def better_odd_set(n, groups, x, mark):  # type: ignore[no-untyped-def]
    """Toggle two nodes at a time as long as that lowers the x of the groups met oddly, in place; return that x.

    The set stays odd and keeps at least three nodes. O(n^2 + n g) a step, g groups.
    """
    value = 0.0
    for g in range(groups.shape[0]):
        odd_ = False
        for r in range(3):
            if groups[g, r] >= 0 and mark[groups[g, r]]:
                odd_ = not odd_
        if odd_:
            value += x[g]
    size = 0
    for i in range(n):
        size += mark[i]
    gain = np.empty(n)
    both = np.zeros((n, n))
    while True:
        gain[:] = 0.0
        both[:] = 0.0
        for g in range(groups.shape[0]):
            odd_ = False
            for r in range(3):
                if groups[g, r] >= 0 and mark[groups[g, r]]:
                    odd_ = not odd_
            change = -x[g] if odd_ else x[g]
            for r in range(3):
                a = groups[g, r]
                if a < 0:
                    continue
                gain[a] += change
                for s in range(r + 1, 3):
                    b = groups[g, s]
                    if b >= 0:
                        # Toggling both leaves the group's parity as it is.
                        both[a, b] -= 2.0 * change
                        both[b, a] -= 2.0 * change
        best = -1e-9
        p, q = -1, -1
        for a in range(n):
            for b in range(a + 1, n):
                change = gain[a] + gain[b] + both[a, b]
                after = size + (-1 if mark[a] else 1) + (-1 if mark[b] else 1)
                if change < best and after >= 3:
                    best, p, q = change, a, b
        if p < 0:
            return value
        size += (-1 if mark[p] else 1) + (-1 if mark[q] else 1)
        mark[p] = not mark[p]
        mark[q] = not mark[q]
        value += best


def warm() -> None:
    """Compile the kernels for the types the solver calls them with."""
    flat = samples()[0][0]
    groups = np.array([[0, 1, 2]], np.int64)
    starts, rows, y, x = np.array([0, 3]), np.arange(3), np.zeros(3), np.ones(1)
    mptr, mids = members(3, starts, rows)
    reduced(groups, np.ones(1, np.int64), y, mptr, mids, x)
    entries(groups, rows.astype(np.int32), mptr, mids, np.zeros(1, np.int32))
    odd(groups, np.zeros(4, np.bool_))
    triangles(flat, rows, np.zeros(4, np.int64), np.zeros(0, np.int32), y, mptr, mids, x, 1.0, 4, 0, 3)
    set_triples(flat, starts, rows, y, mptr, mids, x, 1.0, 4, 0, 3)
    pairs, mates = np.zeros(0, np.int32), np.full((3, 2), -1, np.int32)
    grow(np.zeros(4, np.int64), pairs, np.zeros(3, np.int8), mates, np.zeros(3, np.bool_), rows, 1)
    components(3, rows[:1], rows[1:2])
    odd_cuts(3, rows[:1], rows[1:2], x)
    every_odd_set(3, groups, x, 2, 1.0)
    better_odd_set(3, groups, x, np.ones(3, np.bool_))
