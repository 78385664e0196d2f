"""Row types near each row type: those it is cheapest to be shown with."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["near_types"]

FAR = np.int64(1) << np.int64(60)


@njit(cache=True, nogil=True)
def near_types(nodes, costs, start, codes, firsts, one, kinds, low, high, step, near):  # type: ignore[no-untyped-def]
    """Write for the types `low` to `high` the types nearest to each, and those nearest of other kinds.

    The result is written into `near`, (t, w) int64: of both sorts alternately, the nearest first, without doubles, and
    -1 behind them. Only every `step`-th type is looked at, from another one on for each type, and those next to it in
    number. O((high - low) (t / step * m + values * levels)) at most; types that are too far off are left after some
    columns.

        `nodes`, `costs`: (t, L) int64, node and scaled cost of each type on each line of `ProblemArrays`.
        `start`: (m,) int64; `codes`: (t, m) int64, value of each type in each column, no two columns sharing any.
        `firsts`: (m + 1,) int64, where the values of each column begin.
        `one`: (values,) int64, a type with each value (-1: none has it).
        `kinds`: (t,) int64, combination of sensitive values.
    """
    t, m = codes.shape
    width = near.shape[1] // 2
    apart = np.empty(firsts[m], np.int64)
    gap = np.empty((2, width), np.int64)
    found = np.empty((2, width), np.int64)
    for i in range(low, high):
        for j in range(m):
            for v in range(firsts[j], firsts[j + 1]):
                line = start[j]
                if one[v] >= 0:
                    while nodes[one[v], line] != nodes[i, line]:
                        line += 1
                apart[v] = costs[i, line]
        gap[:], found[:] = FAR, -1
        begin = (i * 7919) % step
        spread = (t - begin + step - 1) // step
        for y in range(spread + (2 * width + 1 if step > 1 else 0)):
            u = begin + y * step if y < spread else i - width + y - spread
            if u == i or u < 0 or u >= t or (y >= spread and (u - begin) % step == 0):
                continue
            other = kinds[u] != kinds[i]
            limit = gap[0, width - 1]
            if other and gap[1, width - 1] > limit:
                limit = gap[1, width - 1]
            total = np.int64(0)
            for j in range(m):
                total += apart[codes[u, j]]
                if total >= limit:
                    break
            if total >= limit:
                continue
            for side in range(2):
                if (side == 1 and not other) or total >= gap[side, width - 1]:
                    continue
                x = width - 1
                while x > 0 and gap[side, x - 1] > total:
                    gap[side, x], found[side, x] = gap[side, x - 1], found[side, x - 1]
                    x -= 1
                gap[side, x], found[side, x] = total, u
        count = 0
        for x in range(2 * width):
            u = found[x % 2, x // 2]
            double = u < 0
            for z in range(count):
                double |= near[i, z] == u
            if not double:
                near[i, count] = u
                count += 1
        near[i, count:] = -1
