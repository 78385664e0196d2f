"""Columns of the matching's linear program: lists of triples, and of pairs.

A class is a line of three rows, -1 filling up: a pair (u, v, -1), a single row (u, -1, -1). Sets of rows come
as lists per row: ``mids[mptr[v]:mptr[v + 1]]``, ascending, are the sets that hold row v.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, HASH, cost3, row_block
from incrowd.loops import njit


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

    Only those whose lowest row stands at a place from `first` to `last` - 1 of `rows`. By the simplex condition rc(h)
    >= half the sum of its pairs' rc, less the z of the sets that hold all of h: a pair whose rc exceeds twice that much
    plus the ceiling is in none of them. With `starts`, (s + 1,) int64, and `rows`, (e,) int64,
    ``rows[starts[s]:starts[s + 1]]`` are the rows of set s. `y`, (n,) float64, is the price of each row plus the z of
    its sets, `mptr` and `mids` are the sets per row, and `mz`, (s,) float64, is the z of each set. Returned are the
    triples, (c, 3) int64, and how many there were; if more than `room`, the list is cut. It takes O(r^3) time
    for a set of r rows at worst.
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


# Rows against blocks of rows: near neighbours, pairs too cheap for their prices, nearest rows outside.
BLOCK = 1024


@njit(cache=True, nogil=True)
def both_sets(i, j, mptr, mids, mz):  # type: ignore[no-untyped-def]
    """Return the sum of z over the sets that hold both rows; `mids` ascends within each row.

    `mptr`, (n + 1,) int64, and `mids`, (e,) int64, are the sets per row, and `mz`, (s,) float64, is the z of each set.
    """
    total = 0.0
    a, b = mptr[i], mptr[j]
    while a < mptr[i + 1] and b < mptr[j + 1]:
        if mids[a] == mids[b]:
            total += mz[mids[a]]
            a += 1
            b += 1
        elif mids[a] < mids[b]:
            a += 1
        else:
            b += 1
    return total


@njit(cache=True, nogil=True)
def _room(W):  # type: ignore[no-untyped-def]
    """Return room for the codes, steps and sensitive codes of a row."""
    lines = W.codes.shape[0]
    return np.empty(lines, W.codes.dtype), np.empty(lines, W.steps.dtype), np.empty(W.sens.shape[0], np.int32)


@njit(cache=True, nogil=True)
def _take(W, i, codes, steps, sens):  # type: ignore[no-untyped-def]
    """Fill in those of row i."""
    for line in range(codes.size):
        codes[line] = W.codes[line, i]
        steps[line] = W.steps[line, i]
    for s in range(sens.size):
        sens[s] = W.sens[s, i]


@njit(cache=True, nogil=True)
def knn(W, F, K, i0, i1):  # type: ignore[no-untyped-def]
    """Find the K cheapest partners of the rows i0..i1-1.

    Ties go to the rows that follow i, so that equal rows spread their neighbours. `W` and `F` are records of the same n
    rows, and K is from 1. Returned are the partners, (i1 - i0, K) int32, by rising cost, -1 where there are fewer, and
    their costs per row, (i1 - i0, K) int64, FAR where there are fewer. O(n L) time a row. In mode HASH a row gives up
    after `16 K` lookups: what it found is then only a guess.
    """
    n = W.codes.shape[1]
    near = np.full((i1 - i0, K), -1, np.int32)
    far = np.full((i1 - i0, K), FAR, np.int64)
    acc = np.empty(BLOCK, W.codes.dtype)
    out = np.empty(BLOCK, np.int32)
    codes, steps, sens = _room(W)
    for i in range(i0, i1):
        _take(W, i, codes, steps, sens)
        row = i - i0
        worst = np.int64(FAR)
        looked = 0
        for part in range(2):
            low, high = (i + 1, n) if part == 0 else (0, i)
            for a in range(low, high, BLOCK):
                b = min(a + BLOCK, high)
                row_block(W, codes, steps, sens, W.base[i], a, b, acc, out)
                least = FAR
                for t in range(b - a):
                    least = min(least, out[t])
                if least >= worst:
                    continue
                for t in range(b - a):
                    if out[t] >= worst:
                        continue
                    cost = np.int64(out[t])
                    if W.mode == HASH:
                        if looked >= 16 * K:
                            continue
                        looked += 1
                        cost = cost3(F, i, a + t, a + t)
                        if cost >= worst:
                            continue
                    place = K - 1
                    while place > 0 and far[row, place - 1] > cost:
                        far[row, place] = far[row, place - 1]
                        near[row, place] = near[row, place - 1]
                        place -= 1
                    far[row, place] = cost
                    near[row, place] = a + t
                    worst = far[row, K - 1]
    return near, far


@njit(cache=True, nogil=True)
def _least(slacks):  # type: ignore[no-untyped-def]
    least = slacks[0]
    for slack in slacks:
        least = min(least, slack)
    return least


@njit(cache=True, nogil=True)
def _hold(left, right, costs, slacks, begin, count, i, j, cost, slack):  # type: ignore[no-untyped-def]
    """Write a pair to the list of its row, in place of its worst where that is full; return the pairs in all."""
    most = slacks.size
    place = count
    if most > 0:
        held = count - begin
        if held == most:
            held = 0
            for h in range(1, most):
                if slacks[h] < slacks[held]:
                    held = h
            if slack <= slacks[held]:
                return count
            place = begin + held
            count -= 1
        slacks[held] = slack
    if place < left.size:
        left[place] = i
        right[place] = j
        costs[place] = cost
    return count + 1


@njit(cache=True, nogil=True)
def price(W, F, y, floor, cap, most, mptr, mids, mz, rows, later, room):  # type: ignore[no-untyped-def]
    """List the pairs {i, j} with y_i + y_j - 2 h(i, j) - 2 (z of the sets that hold both) > floor.

    `W` and `F` are records. `y`, (n,) float64, is the price of each row plus the z of its sets. It is exact while all
    numbers are integers below 2**52. `mptr`, (n + 1,), `mids` and `mz` are the sets per row and their z. `rows`, (r,)
    int64, are the i to look at; where `later` is True, only j > i are looked at, else all j != i. `cap` keeps at most
    so many pairs, the largest, per row and block, and `most` at most so many, the largest, per row; 0: all. Returned
    are i, (c,) int32, j, (c,) int32, and h(i, j), (c,) int64, and how many there were: if more than `room`, the lists
    are cut, and the caller comes again with more. O(r n L), some 32 pairs at a time; in mode HASH the pairs that pass
    without the mask are looked up.
    """
    n = W.codes.shape[1]
    left = np.empty(room, np.int32)
    right = np.empty(room, np.int32)
    costs = np.empty(room, np.int64)
    count = 0
    acc = np.empty(BLOCK, W.codes.dtype)
    out = np.empty(BLOCK, np.int32)
    slacks = np.empty(most, np.float64)
    best_slack = np.empty(max(cap, 1), np.float64)
    best_row = np.empty(max(cap, 1), np.int32)
    best_cost = np.empty(max(cap, 1), np.int64)
    codes, steps, sens = _room(W)
    sets = mz.size > 0
    for r in range(rows.size):
        i = rows[r]
        _take(W, i, codes, steps, sens)
        first = i + 1 if later else 0
        limit = floor - y[i]
        begin = count
        bar = -np.inf
        for a in range(first, n, BLOCK):
            b = min(a + BLOCK, n)
            row_block(W, codes, steps, sens, W.base[i], a, b, acc, out)
            ys = y[a:b]
            hits = 0
            for t in range(b - a):
                hits += ys[t] - 2.0 * out[t] > limit
            if hits == 0:
                continue
            held = 0
            for t in range(b - a):
                if ys[t] - 2.0 * out[t] <= limit or out[t] >= FAR or a + t == i:
                    continue
                j = a + t
                cost = np.int64(out[t])
                if W.mode == HASH:
                    cost = cost3(F, i, j, j)
                    if cost >= FAR:
                        continue
                slack = y[i] + y[j] - 2.0 * cost
                if sets:
                    slack -= 2.0 * both_sets(i, j, mptr, mids, mz)
                if slack <= floor:
                    continue
                if slack <= bar:
                    continue
                if cap == 0:
                    count = _hold(left, right, costs, slacks, begin, count, i, j, cost, slack)
                    if most > 0 and count - begin == most:
                        bar = _least(slacks)
                    continue
                if held < cap:
                    place = held
                    held += 1
                elif slack > best_slack[cap - 1]:
                    place = cap - 1
                else:
                    continue
                while place > 0 and best_slack[place - 1] < slack:
                    best_slack[place] = best_slack[place - 1]
                    best_row[place] = best_row[place - 1]
                    best_cost[place] = best_cost[place - 1]
                    place -= 1
                best_slack[place] = slack
                best_row[place] = j
                best_cost[place] = cost
            for h in range(held):
                count = _hold(left, right, costs, slacks, begin, count, i, best_row[h], best_cost[h], best_slack[h])
            if most > 0 and count - begin == most:
                bar = _least(slacks)
    kept = min(count, room)
    return left[:kept], right[:kept], costs[:kept], count


@njit(cache=True, nogil=True)
def nearest(W, F, V, rows, others, y, skip, spread, first, last):  # type: ignore[no-untyped-def]
    """Find for each of the rows first..last-1 of `V` the row of `W` with the least 2 h - y.

    Row t of `W`, where it looks, is row ``others[t]`` of `F`, and row r of `V` is row ``rows[r]`` of `F`. `y`, float64,
    and `skip`, bool, have an entry per row of `W`. `spread` starts the walk elsewhere for each row, so that ties are
    spread. Returned are the least value, (last - first,) float64, infinite where nothing is allowed, and the row of
    `W`, (last - first,) int32, -1 there.
    """
    n = W.codes.shape[1]
    value = np.full(last - first, np.inf)
    who = np.full(last - first, -1, np.int32)
    acc = np.empty(BLOCK, W.codes.dtype)
    out = np.empty(BLOCK, np.int32)
    codes, steps, sens = _room(W)
    for r in range(first, last):
        _take(V, r, codes, steps, sens)
        turn = (r * 7919) % n if spread and n else 0
        best = np.inf
        for part in range(2):
            low, high = (turn, n) if part == 0 else (0, turn)
            for a in range(low, high, BLOCK):
                b = min(a + BLOCK, high)
                row_block(W, codes, steps, sens, V.base[r], a, b, acc, out)
                ys = y[a:b]
                least = np.inf
                for t in range(b - a):
                    least = min(least, 2.0 * out[t] - ys[t])
                if least >= best:
                    continue
                for t in range(b - a):
                    if 2.0 * out[t] - ys[t] >= best or out[t] >= FAR or skip[a + t]:
                        continue
                    cost = np.int64(out[t])
                    if W.mode == HASH:
                        cost = cost3(F, rows[r], others[a + t], others[a + t])
                        if cost >= FAR or 2.0 * cost - ys[t] >= best:
                            continue
                    best = 2.0 * cost - ys[t]
                    who[r - first] = a + t
        value[r - first] = best
    return value, who
