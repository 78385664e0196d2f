"""Columns of the matching's linear program: reduced costs, entries, and lists of triples.

A group is a line of three rows, -1 filling up: a pair (u, v, -1), a single row (u, -1, -1). Sets of rows come
as lists per row: ``mids[mptr[v]:mptr[v + 1]]``, ascending, are the sets that hold row v.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, cost3
from incrowd.kernels.matching.price import both_sets
from incrowd.loops import njit

__all__ = ["entries", "members", "odd", "reduced", "set_triples", "triangles"]


@njit(cache=True, nogil=True)
def members(n, starts, rows):  # type: ignore[no-untyped-def]
    """Turn rows per set into sets per row.

    `n` counts the rows. With `starts`, (s + 1,) int64, and `rows`, (e,) int64, ``rows[starts[s]:starts[s + 1]]`` are
    the rows of set s. Returned are `mptr`, (n + 1,) int64, and `mids`, (e,) int64: ``mids[mptr[v]:mptr[v + 1]]``,
    ascending, are the sets that hold row v.
    """
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
    """Return the reduced costs of groups of one to three rows, (g,) float64: costs - y - z (odd sets).

    `groups`, (g, 3) int64, has -1 filling up. `costs`, (g,) int64 or float64, is the cost of each whole group. `y`,
    (n,) float64, is the price of each row plus the z of its sets, as in `incrowd.kernels.matching.price.price`. `mptr`
    and `mids` are the sets per row, and `mz`, (s,) float64, is the z of each set.
    """
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
    """Return the lines of the linear program in which each group has a 1.

    These are the lines of its rows, and of the odd sets that hold an odd number of its rows.

    `groups`, (g, 3) int64, has -1 filling up. `line`, (n,) integers, is the line of each row, and `cut_line`, (s,)
    integers, that of each set; `mptr` and `mids` are the sets per row. Returned are `starts`, (g + 1,) int64, and
    `lines`, (c,) int32: ``lines[starts[g]:starts[g + 1]]`` are those of group g.
    """
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
    """Tell which groups have an odd number of rows in the marked set, (g,) bool.

    `groups`, (g, 3) int64, has -1 filling up, and `mark`, (n,) bool, marks the set.
    """
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

    `rows`, (r,) int64, are rows of `F`, ascending; ``adj[ptr[a]:ptr[a + 1]]`` are positions in `rows`, larger than a.
    The lowest row of a triple stands at a position from `first` to `last` - 1. Returned are the triples, (c, 3) int64,
    and how many there were.
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

    With `starts`, (s + 1,) int64, and `rows`, (e,) int64, ``rows[starts[s]:starts[s + 1]]`` are the rows of set s. `y`,
    `mptr`, `mids` and `mz` are as for `reduced`. Returned are the triples, (c, 3) int64, and how many there were; if
    more than `room`, the list is cut.

    It takes O(r^3) time for a set of r rows at worst.
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
