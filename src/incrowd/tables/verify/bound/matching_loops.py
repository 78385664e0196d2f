"""The loops over pairs and triples that a matching's bound is recounted by.

Nothing here wraps around. The caller (`matching_bound`) holds every price and the sum of the sets' prices below
P = 2**58 in absolute value, so a row's price with those of its sets (``prices``) is below 2 P = 2**59; and it holds
scale * h, h the most that a row can cost, below 2**58. Each line says what it comes to at most.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

BLOCK = 2048


@njit(cache=True, nogil=True)
def _shared(i, j, mptr, mids, z):
    """Return the prices of the sets that hold both rows: a part of the sum of all, below 2**58."""
    total = np.int64(0)
    a, b = mptr[i], mptr[j]
    while a < mptr[i + 1] and b < mptr[j + 1]:
        if mids[a] == mids[b]:
            total += z[mids[a]]
            a += 1
            b += 1
        elif mids[a] < mids[b]:
            a += 1
        else:
            b += 1
    return total


@njit(cache=True, nogil=True)
def cheap_pairs(lines, steps, secrets, prices, mptr, mids, z, scale, first, last, room):
    """List pairs with 2 scale h < their prices, h without the mask; stop after a row that fills the room.

    Returns left, right, ceil(prices / 2) and the next row to look at. `first` and `last` bound the rows to look at, and
    `room` is a number of pairs. Rows that share a sensitive code make no pair. lines: (m, n) int32, code of each row,
    column by column; steps: (m, n) int64, scaled cost of a star in the cell. secrets: (n, s) int, sensitive codes;
    prices: (n,) int64, of each row with those of its sets. mptr: (n + 1,) int64, where the sets of each row begin;
    mids: int64, their numbers, rising for each row. z: int64, price of each set; scale: int64, of the prices.
    """
    n = lines.shape[1]
    left = np.empty(room + n, np.int64)
    right = np.empty(room + n, np.int64)
    need = np.empty(room + n, np.int64)
    count = 0
    acc = np.empty(BLOCK, np.int64)
    i = first
    while i < last and count < room:
        for a in range(i + 1, n, BLOCK):
            b = min(a + BLOCK, n)
            m = b - a
            for t in range(m):
                acc[t] = 0
            for line in range(lines.shape[0]):
                c = lines[line, i]
                w = steps[line, i]
                others = lines[line, a:b]
                for t in range(m):
                    if others[t] != c:
                        acc[t] += w  # at most what row i costs as stars alone: scale * acc < 2**58
            theirs = prices[a:b]
            hits = 0
            for t in range(m):
                hits += 2 * scale * acc[t] - theirs[t] < prices[i]  # below 2**59 + 2**59
            if hits == 0:
                continue
            for t in range(m):
                j = a + t
                asked = prices[i] + prices[j]  # below 2**60
                if 2 * scale * acc[t] >= asked:
                    continue
                allowed = True
                for s in range(secrets.shape[1]):
                    if secrets[i, s] == secrets[j, s]:
                        allowed = False
                if not allowed:
                    continue
                asked -= 2 * _shared(i, j, mptr, mids, z)  # below 2**60 + 2**59
                if 2 * scale * acc[t] < asked:
                    left[count] = i
                    right[count] = j
                    need[count] = -((-asked) // 2)
                    count += 1
        i += 1
    return left[:count], right[:count], need[:count], i


@njit(cache=True, nogil=True)
def cheap_triples(lines, steps, secrets, prices, mptr, mids, z, scale, rows, first, last, room):
    """List triples of a set with 3 scale f < their prices.

    The first two rows of a triple are counted through: pair a * s + b of the set's s rows. Stops after a pair that
    fills the room. Returns the triples, ceil(prices / 3) and the next pair to look at. `first` and `last` bound the
    pairs to look at, and `room` is a number of triples. Rows that share a sensitive code make no triple. lines: (m, n)
    int32, code of each row, column by column; steps: (m, n) int64, scaled cost of a star in the cell. secrets: (n, s)
    int, sensitive codes; prices: (n,) int64, of each row with those of its sets. mptr: (n + 1,) int64, where the sets
    of each row begin; mids: int64, their numbers, rising for each row. z: int64, price of each set; scale: int64, of
    the prices; rows: (s,) int, the rows of the set.
    """
    size = rows.size
    out = np.empty((room + size, 3), np.int64)
    need = np.empty(room + size, np.int64)
    count = 0
    pair = first
    while pair < last and count < room:
        a, b = pair // size, pair % size
        if b <= a:
            pair += a + 1 - b
            continue
        pair += 1
        u, v = rows[a], rows[b]
        for c in range(b + 1, size):
            w = rows[c]
            allowed = True
            for s in range(secrets.shape[1]):
                x, y, q = secrets[u, s], secrets[v, s], secrets[w, s]
                if x in (y, q) or y == q:
                    allowed = False
            if not allowed:
                continue
            cost = np.int64(0)
            for line in range(lines.shape[0]):
                k = lines[line, u]
                if lines[line, v] != k or lines[line, w] != k:
                    cost += steps[line, u]  # as for pairs: scale * cost < 2**58
            # Prices hold every set of each row; a set with two of them must not count, one with three once.
            asked = prices[u] + prices[v] + prices[w]  # below 3 * 2**59
            asked -= 2 * (
                _shared(u, v, mptr, mids, z) + _shared(u, w, mptr, mids, z) + _shared(v, w, mptr, mids, z)
            )  # below 3 * 2**59 + 6 * 2**58 = 6 * 2**59
            for e in range(mptr[u], mptr[u + 1]):
                inside = 0
                for f in range(mptr[v], mptr[v + 1]):
                    inside += mids[f] == mids[e]
                for f in range(mptr[w], mptr[w + 1]):
                    inside += mids[f] == mids[e]
                if inside == 2:
                    asked += 4 * z[mids[e]]  # each set once: below 6 * 2**59 + 4 * 2**58 = 8 * 2**59
            if 3 * scale * cost < asked:  # below 3 * 2**58
                out[count, 0] = u
                out[count, 1] = v
                out[count, 2] = w
                need[count] = -((-asked) // 3)
                count += 1
    return out[:count], need[:count], pair
