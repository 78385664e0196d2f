"""The best small class of an instance, in whole numbers: its rows one by one, or every valid count of them.

Gains, what a row's price is above its cost, are whole numbers; what is estimated is estimated from above.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_lists import DISTINCT, EQUAL, LINE, ROUNDING, SHARES, TRANSPORT, TREE
from incrowd.loops import njit

__all__ = ["best_listed", "best_small", "unfolded"]


@njit(cache=True, nogil=True)
def best_listed(vectors, sizes, below, need, order, terms, rows, kinds, take, least):  # type: ignore[no-untyped-def]
    """Return the most that a valid small class gains, by the list of all of them, and the class (-1: there is none).

    `vectors`, (c, kinds) int16, has the rows per kind of every valid class of fewer than `below` rows, and `sizes`,
    (c,) int64, their sums, not falling. `order`, (m,) integers, has the members, best gains first; `terms`, `rows` and
    `kinds` are (m,).

    The gain has to be above `least`. If it is, the rows of each member in the best class are written into `take`, (m,)
    float64. It takes O(m + classes * kinds).
    """
    count = vectors.shape[1]
    sums = np.zeros((count, below), np.int64)
    filled = np.zeros(count, np.int64)
    for o in order:
        s = kinds[o]
        for _ in range(min(rows[o], below - 1 - filled[s])):
            sums[s, filled[s] + 1] = sums[s, filled[s]] + terms[o]
            filled[s] += 1
    best, which = least, -1
    total = rows.sum()
    for z in range(np.searchsorted(sizes, need), sizes.size):
        if sizes[z] > total:
            break
        gain, fits = 0, True
        for s in range(count):
            v = vectors[z, s]
            if v > filled[s]:
                fits = False
                break
            gain += sums[s, v]
        if fits and gain > best:
            best, which = gain, z
    if which >= 0:
        left = vectors[which].astype(np.int64)
        for o in order:
            use = min(left[kinds[o]], rows[o])
            take[o] = use
            left[kinds[o]] -= use
    return best


@njit(cache=True, nogil=True)
def unfolded(width, places, order, terms, rows, limit):  # type: ignore[no-untyped-def]
    """Return the rows that a class of at most `limit` can have, best first: gain, member, slot and rank in its slot.

    `width`, (c,) int, counts the slots of each column, and `places`, (c, members) int, is the slot of each member in
    each column. `order`, (members,) int, has the members, best first. `terms`, (members,) int64, is what a row of each
    adds; below 0 it gains. `rows`, (members,) int64, are the rows of each. `limit`, at least 1, counts rows of the
    class.
    """
    count = width.size
    room = 0
    for o in order:
        room += min(rows[o], limit)
    room = min(room, limit * (1 + width.sum()))
    gain = np.empty(room, np.int64)
    owner = np.empty(room, np.int64)
    slot = np.empty((count, room), np.int64)
    rank = np.empty((count, room), np.int64)
    seen = np.zeros((count, width.max()), np.int64)
    u = 0
    for o in order:
        for _ in range(min(rows[o], limit)):
            useful = u < limit
            for r in range(count):
                useful |= seen[r, places[r, o]] < limit
            if not useful:
                break
            for r in range(count):
                s = places[r, o]
                seen[r, s] += 1
                slot[r, u], rank[r, u] = s, seen[r, s]
            gain[u], owner[u] = terms[o], o
            u += 1
    return gain[:u], owner[:u], slot[:, :u], rank[:, :u]


@njit(cache=True, nogil=True)
def best_small(family, asked, equal, share, held, n, below, need, gain, owner, slot, rank, weights, take, least):  # type: ignore[no-untyped-def]
    """Return at least the most that a valid class below `whole_below` rows gains, and its rows (-1: there is none).

    `family`, `asked` and `equal`, (R,), are the rules' families, values asked for, and thresholds of the equal
    distance. `share`, (R, s) float64, and `held`, (R, s) int64, are of each value of the instance the share it may
    have, and the table's rows with it. `n` counts the rows of the table. `gain`, `owner`, `slot` and `rank` are as
    `unfolded` gives them. `weights`, (c,) numbers, is what an excess of one row may weigh, the first 0.

    The gain has to be above `least`. The rows of each member in a class that may be invalid and gains about as much are
    written into `take`, (m,) float64.

    Notes
    -----
    For every N the least over the rules. O(N0 (c + R) (rows looked at + slots)).
    """
    best, size, by, at = least, -1, -1, 0
    free = 0
    for size_now in range(1, min(below - 1, gain.size) + 1):
        free += gain[size_now - 1]
        if size_now < need or free <= best:
            continue
        worth, rule, place = free, -1, 0
        for r in range(family.size):
            what = family[r]
            if what == SHARES:
                here, there = _shares(share[r], gain, slot[r], rank[r], size_now, owner, take, False)
                where = 0
            elif what == DISTINCT:
                here, there = _distinct(asked[r], gain, rank[r], size_now, owner, take, False)
                where = 0
            elif what in (TREE, LINE, TRANSPORT, EQUAL) and equal[r] < 1.0:
                here, there, where = free, True, 0
                for c in range(weights.size):
                    now = _equal(
                        equal[r], held[r], n, gain, slot[r], rank[r], size_now, weights[c], owner, take, False
                    )  # fmt: skip
                    if now < here:
                        here, where = now, c
                    if here <= best:
                        break
            else:
                continue
            if not there:
                worth = best
                break
            if here < worth:
                worth, rule, place = here, r, where
            if worth <= best:
                break
        if worth > best:
            best, size, by, at = worth, size_now, rule, place
    if size >= 0:
        take[:] = 0.0
        if by < 0:
            for u in range(size):
                take[owner[u]] += 1.0
        elif family[by] == SHARES:
            _shares(share[by], gain, slot[by], rank[by], size, owner, take, True)
        elif family[by] == DISTINCT:
            _distinct(asked[by], gain, rank[by], size, owner, take, True)
        else:
            _equal(equal[by], held[by], n, gain, slot[by], rank[by], size, weights[at], owner, take, True)
    return best


@njit(cache=True, nogil=True)
def _shares(share, gain, slot, rank, size, owner, take, write):  # type: ignore[no-untyped-def]
    """Return the `size` best rows with no more of a value than its share: gain, and whether there are so many."""
    total, taken = 0, 0
    for u in range(gain.size):
        if rank[u] <= np.floor(share[slot[u]] * size):
            total += gain[u]
            taken += 1
            if write:
                take[owner[u]] += 1.0
            if taken == size:
                break
    return total, taken == size


@njit(cache=True, nogil=True)
def _distinct(least, gain, rank, size, owner, take, write):  # type: ignore[no-untyped-def]
    """Return the best row of each of the `least` best values, then the best others: gain, and whether it can be."""
    total, chosen, others = 0, 0, 0
    if size < least:
        return total, False
    for u in range(gain.size):
        if rank[u] == 1 and chosen < least:
            chosen += 1
        elif others < size - least:
            others += 1
        else:
            continue
        total += gain[u]
        if write:
            take[owner[u]] += 1.0
    return total, chosen == least


@njit(cache=True, nogil=True)
def _equal(level, held, n, gain, slot, rank, size, weight, owner, take, write):  # type: ignore[no-untyped-def]
    """Return at least what `size` rows gain whose excess over the table's shares is at most t times `size`.

    The excess of the j-th row of a value is what of it lies above q N: nothing, a part, or all. Each part weighs
    `weight`; all is counted in n-ths, and rounded up at the end.
    """
    whole = held * size // n  # rows of a value without excess
    # The rows with a part of an excess, best first.
    part = np.empty(size, np.int64)
    whose = np.empty(size, np.int64)
    parts = 0
    for u in range(gain.size):
        if rank[u] != whole[slot[u]] + 1:
            continue
        worth = gain[u] * n - weight * (rank[u] * n - held[slot[u]] * size)
        if parts == size and worth <= part[size - 1]:
            continue
        y = min(parts, size - 1)
        while y > 0 and part[y - 1] < worth:
            part[y], whose[y] = part[y - 1], whose[y - 1]
            y -= 1
        part[y], whose[y] = worth, u
        parts = min(parts + 1, size)
    total = 0
    a = b = c = 0
    for _ in range(size):
        while a < gain.size and rank[a] > whole[slot[a]]:
            a += 1
        while b < gain.size and rank[b] <= whole[slot[b]] + 1:
            b += 1
        kind = -1
        best = total
        if a < gain.size:
            kind, best = 0, gain[a] * n
        if b < gain.size and (kind < 0 or (gain[b] - weight) * n > best):
            kind, best = 1, (gain[b] - weight) * n
        if c < parts and (kind < 0 or part[c] > best):
            kind, best = 2, part[c]
        if kind < 0:
            break
        u = a
        if kind == 0:
            a += 1
        elif kind == 1:
            u, b = b, b + 1
        else:
            u, c = whose[c], c + 1
        total += best
        if write:
            take[owner[u]] += 1.0
    return -((-total) // n) + np.int64(np.ceil(weight * (level * size) * (1.0 + ROUNDING)))
