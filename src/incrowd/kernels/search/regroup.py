"""Groups cut into blocks of rows, and what the rows of a block share."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["agreed", "split"]

# Shares of the ways to cut: at the widest step of the order, in the middle, anywhere; else the group stays whole.
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
    """Cut every group into one or two blocks of rows that are near to one another.

    The rows of a group are put in order between a part drawn at random and the part farthest from it, and cut there
    where the order makes its widest step, in the middle, or anywhere. O(p (L + log p)) time, O(p) memory.

    Group x has the parts begins[x]..begins[x + 1], where `begins` is (g + 1,) int64. `types`, (p,) int32, and `counts`,
    (p,) int64, are row type and rows of each part; `rows` and `steps`, (t, L) int32, are as in `matching_metric.Flat`.
    `draws`, (g, 3) float64 in [0, 1), decide on the first part, the way to cut and the place.

    It returns the type (int32), the block (int32) and the rows (int64) of each of the q pieces, ordered by block, and
    the group of each block, (b,) int32. Blocks of a group are neighbours.
    """
    groups = begins.size - 1
    parts = types.size
    piece_type = np.empty(parts + groups, np.int32)
    piece_block = np.empty(parts + groups, np.int32)
    piece_rows = np.empty(parts + groups, np.int64)
    group = np.empty(2 * groups, np.int32)
    score = np.empty(parts, np.int64)
    q = 0
    b = 0
    for g in range(groups):
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
        group[b] = g
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
                    group[b] = g
        b += 1
    return piece_type[:q].copy(), piece_block[:q].copy(), piece_rows[:q].copy(), group[:b].copy()


@njit(cache=True, nogil=True)
def agreed(piece_type, piece_block, first, rows, blocks, fresh):  # type: ignore[no-untyped-def]
    """Return the lines of every block, (b, L) int32: what its rows share, else a code that nobody else has.

    Block x has the code ``fresh + x`` where its rows differ: codes from `fresh` on are not in use. `piece_type` and
    `piece_block` are (q,) int32, `rows` is (t, L) int32, and `first`, (b,) int32, is a row type of each block.
    """
    lines = rows.shape[1]
    out = np.empty((blocks, lines), np.int32)
    for b in range(blocks):
        for line in range(lines):
            out[b, line] = rows[first[b], line]
    for q in range(piece_type.size):
        b = piece_block[q]
        for line in range(lines):
            if rows[piece_type[q], line] != rows[first[b], line]:
                out[b, line] = fresh + b
    return out
