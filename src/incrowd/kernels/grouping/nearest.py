"""What a row and its nearest rows have in common."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["common_levels"]


@njit(cache=True, nogil=True)
def common_levels(nodes, start, heights, costs, seeds, places, live, sample, window, weights, k, steps):  # type: ignore[no-untyped-def]
    """Grow a crowd around each seed and return the lowest levels at which it looks alike, (s, m) int8.

    The crowd takes the rows that add least to the seed's cost, a share of the missing rows at a time, so that the
    second share is near to what the seed and the first one have in common. Every seed shares its instance, under its
    level vector, with k rows, or with all that were looked at.

    `nodes` is (t, L) int32, and `costs` (L, t) int64; `start` and `heights`, (m,) int64, are the first line and top
    level of each column; `weights` is (t,) int32 or int64. `seeds` is (s,) int32, and `places`, (s,) int64, is the
    place of each seed in `live`, (r,) int32: rows that may be taken, in an order in which similar rows tend to be
    close. `sample`, (c,) int32, are rows of `live` that are looked at for every seed, and `window` says how many rows
    before and after the seed in `live` are looked at too. The crowd grows in `steps` shares.

    Notes
    -----
    O(s m (c + window + k steps)) time: only the max(4 k, 128) rows nearest to the seed are looked at in every
    step.
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
            near[:few] = chosen[:few]
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
                    apart[w] = apart[y]
                    w += 1
            c = w
            step += 1
    return found
