"""Median cuts of sets of rows: the passes over the data that Mondrian makes."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

# Ranks between the least and the largest, per row type of a part, up to which they are counted and not sorted.
SPARSE = 4
NONE = -1


@njit(cache=True, nogil=True)
def next_cuts(types, rows, begins, refused, rank, place, node, first, heights, k, median, relaxed):  # type: ignore[no-untyped-def]
    """Return for every part the first cut that leaves k rows on both sides and was not refused yet.

    Columns are tried from the widest to the narrowest (earlier ones first among equals). In a column, cuts between
    nodes just below the lowest common one come first, then one level lower each, down to the values; at each level the
    one with the most rows on its smaller side (the first of them), or only the one that leaves the median on the left
    (`median`). `relaxed`: one cut per column, in the middle of the rows. `types`, (e,) int32, are the row types, one
    part after another, and `rows`, (e,) int64, the rows of each, at least 1; `begins` is (p + 1,) int64. Cuts with a
    smaller number than `refused`, (p,) int64, are passed over. `rank`, (t, m) int32, is that of each type's value in
    the order of its column. `place`, (m, d) int64, by rank, does not fall: it says where the value lies on the column's
    line, which is equally long for all columns. `node`, (L, d) int32, is by rank the node at each level: line
    ``first[j] + l`` for column j and level l, and nodes are runs of ranks. `first` and `heights` are (m,) int64.

    Returned are three (p,) int64 arrays: the column, -1 where there is no such cut; the cut, which is the largest rank
    on the left side, or the rows on the left side where `relaxed`; and the number of the cut. O(e m) time for the
    ranges, and for every column looked at O(e) plus O(s log s) for parts of s types that lie far apart. O(d + e)
    memory.
    """
    parts = begins.size - 1
    m = rank.shape[1]
    d = place.shape[1]
    column = np.full(parts, NONE, np.int64)
    cut = np.zeros(parts, np.int64)
    number = np.zeros(parts, np.int64)
    tally = np.zeros(d, np.int64)
    largest = 0
    for p in range(parts):
        largest = max(largest, int(begins[p + 1] - begins[p]))
    present = np.empty(max(largest, 1), np.int64)
    sums = np.empty(max(largest, 1), np.int64)
    low = np.empty(m, np.int64)
    high = np.empty(m, np.int64)
    width = np.empty(m, np.int64)
    for p in range(parts):
        begin, end = begins[p], begins[p + 1]
        n = 0
        low[:] = d
        high[:] = -1
        for e in range(begin, end):
            n += rows[e]
            i = types[e]
            for j in range(m):
                r = rank[i, j]
                low[j] = min(low[j], r)
                high[j] = max(high[j], r)
        if n < 2 * k:
            continue
        for j in range(m):
            width[j] = place[j, high[j]] - place[j, low[j]] if high[j] > low[j] else NONE
        tried = 0
        for _ in range(m):
            j = int(np.argmax(width))
            if width[j] == NONE or column[p] != NONE:
                break
            width[j] = NONE
            if relaxed:
                if tried >= refused[p]:
                    column[p], cut[p], number[p] = j, n // 2, tried
                tried += 1
                continue
            level = 0
            while level < heights[j] and node[first[j] + level, low[j]] != node[first[j] + level, high[j]]:
                level += 1
            if tried + level <= refused[p]:
                tried += level
                continue
            found = 0
            span = high[j] - low[j] + 1
            if span <= SPARSE * (end - begin) + 64:
                for e in range(begin, end):
                    tally[rank[types[e], j]] += rows[e]
                for r in range(low[j], high[j] + 1):
                    if tally[r]:
                        present[found], sums[found] = r, tally[r]
                        tally[r] = 0
                        found += 1
            else:
                ranks = np.empty(end - begin, np.int64)
                for e in range(begin, end):
                    ranks[e - begin] = rank[types[e], j]
                order = np.argsort(ranks, kind="mergesort")
                for o in order:
                    if found == 0 or present[found - 1] != ranks[o]:
                        present[found], sums[found] = ranks[o], 0
                        found += 1
                    sums[found - 1] += rows[begin + o]
            for below in range(level - 1, -1, -1):
                if tried >= refused[p]:
                    best, at, left = k - 1, -1, 0
                    line = first[j] + below
                    for x in range(found - 1):
                        left += sums[x]
                        if node[line, present[x]] == node[line, present[x + 1]]:
                            continue
                        if (not median or 2 * left >= n) and min(left, n - left) > best:
                            best, at = min(left, n - left), present[x]
                        if median and 2 * left >= n:
                            break
                    if at >= 0:
                        column[p], cut[p], number[p] = j, at, tried
                        break
                tried += 1
    return column, cut, number
