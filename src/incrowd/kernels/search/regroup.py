"""Classes cut into blocks of rows, and cycles of blocks into classes."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, cost3
from incrowd.loops import njit

# Shares of the ways to cut: at the widest step of the order, in the middle, anywhere; else the class stays whole.
WIDEST, MIDDLE, ANYWHERE = 0.35, 0.6, 0.9


@njit(cache=True, nogil=True)
def _apart(rows, steps, u, v):  # type: ignore[no-untyped-def]
    total = np.int64(0)
    for line in range(rows.shape[1]):
        if rows[u, line] != rows[v, line]:
            total += steps[u, line]
    return total


@njit(cache=True, nogil=True)
def split(begins, types, counts, rows, steps, draws):  # type: ignore[no-untyped-def]
    """Cut every class into one or two blocks of rows that are near to one another.

    The rows of a class are put in order between a part drawn at random and the part farthest from it, and cut there
    where the order makes its widest step, in the middle, or anywhere. O(p (L + log p)) time, O(p) memory. Class x has
    the parts begins[x]..begins[x + 1], where `begins` is (g + 1,) int64. `types`, (p,) int32, and `counts`, (p,) int64,
    are row type and rows of each part; `rows` and `steps`, (t, L) int32, are as in `matching_metric.Flat`. `draws`, (g,
    3) float64 in [0, 1), decide on the first part, the way to cut and the place. It returns the type (int32), the block
    (int32) and the rows (int64) of each of the q pieces, ordered by block, and the class of each block, (b,) int32.
    Blocks of a class are neighbours.
    """
    classes = begins.size - 1
    parts = types.size
    piece_type = np.empty(parts + classes, np.int32)
    piece_block = np.empty(parts + classes, np.int32)
    piece_rows = np.empty(parts + classes, np.int64)
    class_ = np.empty(2 * classes, np.int32)
    score = np.empty(parts, np.int64)
    q = 0
    b = 0
    for g in range(classes):
        low, high = begins[g], begins[g + 1]
        size = np.int64(0)
        for x in range(low, high):
            size += counts[x]
        cut = np.int64(0)
        order = np.arange(low, high)
        if size > 1 and draws[g, 1] < ANYWHERE:
            first = types[low + min(np.int64(draws[g, 0] * (high - low)), high - low - 1)]
            far = first
            most = np.int64(-1)
            for x in range(low, high):
                score[x] = _apart(rows, steps, first, types[x])
                if score[x] > most:
                    most = score[x]
                    far = types[x]
            for x in range(low, high):
                score[x] -= _apart(rows, steps, far, types[x])
            order = low + np.argsort(score[low:high], kind="mergesort")
            if draws[g, 1] < WIDEST:
                widest = np.int64(-1)
                before = np.int64(0)
                for y in range(1, order.size):
                    before += counts[order[y - 1]]
                    step = score[order[y]] - score[order[y - 1]]
                    inner = 4 * min(before, size - before) >= size
                    if step > 0 and inner and step > widest:
                        widest = step
                        cut = before
            if cut == 0 and draws[g, 1] < MIDDLE:
                cut = (size + (draws[g, 2] < 0.5)) // 2
            if cut == 0:
                cut = 1 + min(np.int64(draws[g, 2] * (size - 1)), size - 2)
        class_[b] = g
        held = np.int64(0)
        for y in range(order.size):
            x = order[y]
            left = counts[x]
            while left > 0:
                take = left
                if held < cut < held + left:
                    take = cut - held
                piece_type[q] = types[x]
                piece_block[q] = b
                piece_rows[q] = take
                q += 1
                left -= take
                held += take
                if held == cut:
                    b += 1
                    class_[b] = g
        b += 1
    return piece_type[:q].copy(), piece_block[:q].copy(), piece_rows[:q].copy(), class_[:b].copy()


@njit(cache=True, nogil=True)
def _value(F, u, v, w, sizes, k):  # type: ignore[no-untyped-def]
    """Return what the blocks u, v and w (w = v: only two) cost as one class; -1 if they may not be one."""
    size = sizes[u] + sizes[v]
    if w != v:
        size += sizes[w]
    if size < k:
        return np.int64(-1)
    cost = cost3(F, u, v, w)
    return np.int64(-1) if cost >= FAR else size * cost


@njit(cache=True, nogil=True)
def rounded(F, sizes, alone, may, k, column):  # type: ignore[no-untyped-def]
    """Cut the cycles of a permutation of blocks into classes of one to three blocks, as cheaply as they allow.

    `F` is the `Flat` of the blocks. `sizes`, (b,) int64, are the rows of each block; `alone`, (b,) int64, is what it
    costs by itself, and `may`, (b,) bool, whether it may be by itself. `column`, (b,) int32, is the permutation. The
    least block of each block's class is returned, (b,) int32; -1 throughout a cycle that cannot be cut.
    """
    n = column.size
    name = np.full(n, -1, np.int32)
    seen = np.zeros(n, np.bool_)
    ring = np.empty(n, np.int32)
    pair = np.empty(n, np.int64)
    for start in range(n):
        if seen[start]:
            continue
        length = 0
        i = start
        while not seen[i]:
            seen[i] = True
            ring[length] = i
            length += 1
            i = column[i]
        if length == 1:
            if may[start]:
                name[start] = start
            continue
        for s in range(length):
            u, v = ring[s], ring[(s + 1) % length]
            pair[s] = _value(F, u, v, v, sizes, k)
        best = np.int64(-1)
        # Where the pairs begin, and how many blocks before that are in none.
        begin, odd = -1, 0
        if length % 2 == 0:
            for s in range(2):
                total = _chain(pair, s, length, length)
                if total >= 0 and (best < 0 or total < best):
                    best, begin = total, s
        else:
            for s in range(length):
                v = ring[s]
                if may[v]:
                    total = _chain(pair, s + 1, length - 1, length)
                    if total >= 0 and (best < 0 or total + alone[v] < best):
                        best, begin, odd = total + alone[v], s + 1, 1
                if length >= 3:
                    total = _chain(pair, s + 3, length - 3, length)
                    if total >= 0:
                        value = _value(F, v, ring[(s + 1) % length], ring[(s + 2) % length], sizes, k)
                        if value >= 0 and (best < 0 or total + value < best):
                            best, begin, odd = total + value, s + 3, 3
        if best < 0:
            continue
        if odd > 0:
            least = ring[(begin - odd) % length]
            for s in range(begin - odd, begin):
                least = min(least, ring[s % length])
            for s in range(begin - odd, begin):
                name[ring[s % length]] = least
        for s in range(begin, begin + length - odd, 2):
            u, v = ring[s % length], ring[(s + 1) % length]
            name[u] = name[v] = min(u, v)
    return name


@njit(cache=True, nogil=True)
def _chain(pair, first, count, length):  # type: ignore[no-untyped-def]
    """Return what `count` blocks from `first` on cost in pairs; -1 if some pair may not be."""
    total = np.int64(0)
    for s in range(first, first + count, 2):
        if pair[s % length] < 0:
            return np.int64(-1)
        total += pair[s % length]
    return total
