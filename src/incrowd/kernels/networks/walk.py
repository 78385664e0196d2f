"""Finding a planted pattern again: depth-first search for a path of nodes with given degrees and inner edges."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["find_pattern"]


@njit(cache=True, nogil=True)
def _adjacent(indptr, indices, a, b):  # type: ignore[no-untyped-def]
    low, high = indptr[a], indptr[a + 1]
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < b:
            low = middle + 1
        else:
            high = middle
    return low < indptr[a + 1] and indices[low] == b


@njit(cache=True, nogil=True)
def find_pattern(indptr, indices, degrees, inner, limit):  # type: ignore[no-untyped-def]
    """Find walks x_1 .. x_h in the graph that look like the planted one; return the first two and their number.

    The rows of the graph are sorted. `degrees`, (h,) int64, is the degree of every planted node in the published graph;
    `inner`, (h, h) bool, has the edges among the planted nodes, of which consecutive ones are adjacent.

    The walks are (2, h) int32, with rows of -1 where there are fewer. Their number is 0, 1 or 2 (two or more), and -1
    when the search gave up after `limit` steps.
    """
    h = degrees.size
    n = indptr.size - 1
    found = np.full((2, h), -1, np.int32)
    matches = 0
    steps = 0
    walk = np.empty(h, np.int32)
    at = np.empty(h, np.int64)
    used = np.zeros(n, np.bool_)
    for root in range(n):
        if indptr[root + 1] - indptr[root] != degrees[0]:
            continue
        walk[0] = root
        used[root] = True
        depth = 1
        if h > 1:
            at[1] = indptr[root]
        while depth >= 1:
            if depth == h:
                found[matches] = walk
                matches += 1
                depth -= 1
                used[walk[depth]] = False
                if matches == 2:
                    return found, matches
                if depth == 0:
                    break
                continue
            previous = walk[depth - 1]
            if at[depth] == indptr[previous + 1]:
                depth -= 1
                used[walk[depth]] = False
                continue
            x = indices[at[depth]]
            at[depth] += 1
            steps += 1
            if steps > limit:
                return found, -1
            if used[x] or indptr[x + 1] - indptr[x] != degrees[depth]:
                continue
            good = True
            for j in range(depth):
                if _adjacent(indptr, indices, x, walk[j]) != inner[depth, j]:
                    good = False
                    break
            if good:
                walk[depth] = x
                used[x] = True
                depth += 1
                if depth < h:
                    at[depth] = indptr[x]
        used[root] = False
    return found, matches
