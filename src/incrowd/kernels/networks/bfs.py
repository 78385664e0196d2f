"""Breadth-first search: one source, 64 sources, and small walks over the result.

Distances are int32; -1 means unreachable, which is a distance of its own.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import copy
from incrowd.kernels.networks.scan import begin, spread
from incrowd.loops import njit

SOURCES = 64  # of a bit-parallel search: bits of a word


@njit(cache=True, nogil=True)
def bfs(indptr, indices, source, dist, queue):  # type: ignore[no-untyped-def]
    """Write the distances from `source` into `dist`, and the visited nodes in order into `queue`.

    The graph is in CSR form. Both results are (n,) int32; a distance is -1 for nodes not reached. Returned is the
    number of nodes reached, `source` included. It takes O(n + m) time.
    """
    dist[:] = -1
    dist[source] = 0
    queue[0] = source
    head, tail = 0, 1
    while head < tail:
        x = queue[head]
        head += 1
        nd = dist[x] + 1
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if dist[y] < 0:
                dist[y] = nd
                queue[tail] = y
                tail += 1
    return tail


@njit(cache=True, nogil=True)
def distance_rows(indptr, indices, base, out):  # type: ignore[no-untyped-def]
    """Write the distances from 64 sources, or as many as there are, into their rows of `out`, (n, n) int16.

    The graph is in CSR form. `base` is the first source; the others follow it. These rows are -1 before, and left so
    where there is no path. It is one bit-parallel search, with 32n bytes of work space.
    """
    n = indptr.size - 1
    seen, cur, nxt = np.zeros(n, np.uint64), np.zeros(n, np.uint64), np.zeros(n, np.uint64)
    act, cand = np.empty(n, np.int32), np.empty(n, np.int32)
    nact = min(SOURCES, n - base)
    full = begin(np.arange(base, base + nact), seen, cur, act)
    for i in range(base, base + nact):
        out[i, i] = 0
    level = 0
    while nact > 0:
        level += 1
        ncand, _ = spread(indptr, indices, full, seen, cur, nxt, act, nact, cand)
        for i in range(ncand):
            u = cand[i]
            word = nxt[u]
            seen[u] |= word
            at = base
            while word != np.uint64(0):
                if word & np.uint64(1):
                    out[at, u] = level
                word >>= np.uint64(1)
                at += 1
        for i in range(nact):
            cur[act[i]] = np.uint64(0)
        cur, nxt = nxt, cur
        act, cand = cand, act
        nact = ncand


@njit(cache=True, nogil=True)
def walk_back(indptr, indices, dist, w, seed):  # type: ignore[no-untyped-def]
    """Return the nodes of a random shortest path from the source of `dist` to `w`, the source first.

    The graph is in CSR form. `dist`, (n,) int32, has the distances from one source, and `w` is a node that was reached.
    The path is (dist[w] + 1,) int32.
    """
    length = dist[w]
    path = np.empty(length + 1, np.int32)
    path[length] = w
    state = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)
    x = w
    for j in range(length - 1, -1, -1):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        row = indptr[x + 1] - indptr[x]
        shift = np.int64((state >> np.uint64(33)) % np.uint64(row))
        for i in range(row):
            y = indices[indptr[x] + (i + shift) % row]
            if dist[y] == j:
                x = y
                break
        path[j] = x
    return path


@njit(cache=True, nogil=True)
def forest_parents(indptr, indices, roots, parent):  # type: ignore[no-untyped-def]
    """Give every node outside `roots` its parent in a breadth-first forest grown from them.

    The graph is in CSR form, and `roots` is (n,) bool. The parents are written into `parent`, (n,) int32, which is left
    as it is at roots, and at nodes that no root reaches. It takes O(n + m) time.
    """
    n = indptr.size - 1
    queue = np.empty(n, np.int32)
    done = roots.copy()
    tail = 0
    for x in range(n):
        if roots[x]:
            queue[tail] = x
            tail += 1
    head = 0
    while head < tail:
        x = queue[head]
        head += 1
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if not done[y]:
                done[y] = True
                parent[y] = x
                queue[tail] = y
                tail += 1


# Finding a planted pattern again: depth-first search for a path of nodes with given degrees and inner edges.
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
    `inner`, (h, h) bool, has the edges among the planted nodes, of which consecutive ones are adjacent. The walks are
    (2, h) int32, with rows of -1 where there are fewer. Their number is 0, 1 or 2 (two or more), and -1 when the search
    gave up after `limit` steps.
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
                copy(walk, found[matches], h)
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
