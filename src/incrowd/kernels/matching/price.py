"""Rows against blocks of rows: near neighbours, pairs too cheap for their prices, nearest rows outside."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, HASH, cost3, row_block
from incrowd.loops import njit

__all__ = ["both_sets", "knn", "nearest", "price"]

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
def knn(W, F, K, i0, i1):  # type: ignore[no-untyped-def]
    """Find the K cheapest partners of the rows i0..i1-1.

    Ties go to the rows that follow i, so that equal rows spread their neighbours.

    `W` and `F` are records of the same n rows, and K is from 1. Returned are the partners, (i1 - i0, K) int32, by
    rising cost, -1 where there are fewer, and their costs per row, (i1 - i0, K) int64, FAR where there are fewer.

    Notes
    -----
    O(n L) time a row. In mode HASH a row gives up after `16 K` lookups: what it found is then only a guess.
    """
    n = W.codes.shape[1]
    near = np.full((i1 - i0, K), -1, np.int32)
    far = np.full((i1 - i0, K), FAR, np.int64)
    acc = np.empty(BLOCK, W.codes.dtype)
    out = np.empty(BLOCK, np.int32)
    lines = W.codes.shape[0]
    codes = np.empty(lines, W.codes.dtype)
    steps = np.empty(lines, W.steps.dtype)
    sens = np.empty(W.sens.shape[0], np.int32)
    for i in range(i0, i1):
        for line in range(lines):
            codes[line] = W.codes[line, i]
            steps[line] = W.steps[line, i]
        for s in range(sens.size):
            sens[s] = W.sens[s, i]
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
    so many pairs, the largest, per row and block, and `most` at most so many, the largest, per row; 0: all.

    Returned are i, (c,) int32, j, (c,) int32, and h(i, j), (c,) int64, and how many there were: if more than `room`,
    the lists are cut, and the caller comes again with more.

    Notes
    -----
    O(r n L), some 32 pairs at a time; in mode HASH the pairs that pass without the mask are looked up.
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
    lines = W.codes.shape[0]
    codes = np.empty(lines, W.codes.dtype)
    steps = np.empty(lines, W.steps.dtype)
    sens = np.empty(W.sens.shape[0], np.int32)
    sets = mz.size > 0
    for r in range(rows.size):
        i = rows[r]
        for line in range(lines):
            codes[line] = W.codes[line, i]
            steps[line] = W.steps[line, i]
        for s in range(sens.size):
            sens[s] = W.sens[s, i]
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
    spread.

    Returned are the least value, (last - first,) float64, infinite where nothing is allowed, and the row of `W`,
    (last - first,) int32, -1 there.
    """
    n = W.codes.shape[1]
    value = np.full(last - first, np.inf)
    who = np.full(last - first, -1, np.int32)
    acc = np.empty(BLOCK, W.codes.dtype)
    out = np.empty(BLOCK, np.int32)
    lines = W.codes.shape[0]
    codes = np.empty(lines, W.codes.dtype)
    steps = np.empty(lines, W.steps.dtype)
    sens = np.empty(W.sens.shape[0], np.int32)
    for r in range(first, last):
        for line in range(lines):
            codes[line] = V.codes[line, r]
            steps[line] = V.steps[line, r]
        for s in range(sens.size):
            sens[s] = V.sens[s, r]
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
