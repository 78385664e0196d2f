"""Closure of a node set under forced absorption: the array core.

At level k every class of fewer than k nodes must be absorbed; the fixpoint is the least set that contains the
start and leaves only classes of k or more. `settle` does what needs no search (nodes with few neighbours left
outside, classes already known to be small, one Voronoi search from the whole set);
`incrowd.kernels.networks.chain_classes` separates classes by searches, and decides that nothing splits any more.

Keys are 64-bit hashes of what is known about a node's distances. Different keys prove different distances, so no
absorption is ever wrong; equal keys prove nothing, which is why a set is only recorded after `exits` or `uniform`.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.chain_state import (
    C1,
    C2,
    COUNTED,
    HIT,
    LEVEL,
    OUTSIDE,
    SIZE,
    SMALLEST,
    TOP,
    VORONOI,
    ZERO,
    absorb,
    mix,
)
from incrowd.loops import njit

__all__ = ["OVER", "READY", "raise_level", "settle", "start"]

READY, OVER = 1, 0


@njit(cache=True, nogil=True)
def start(s, seeds, level):  # type: ignore[no-untyped-def]
    """Begin a closure. O(n + degrees of the seeds) time.

    `seeds`, (b,) integers, are distinct nodes. Classes of fewer nodes than `level`, which is from 1, are absorbed.
    """
    n = s.indptr.size - 1
    num = s.number
    num[:] = 0
    num[LEVEL] = level
    num[OUTSIDE] = n
    num[COUNTED] = -1
    num[VORONOI] = -1
    s.inside[:] = False
    s.queued[:] = False
    s.searched[:] = False
    s.key[:] = ZERO
    for x in range(n):
        s.outside[x] = x
        s.free[x] = s.indptr[x + 1] - s.indptr[x]
    for i in range(seeds.size):
        absorb(s, seeds[i])
    num[HIT] = 0


@njit(cache=True, nogil=True)
def _percolate(s):  # type: ignore[no-untyped-def]
    num = s.number
    while num[TOP] > 0 and not num[HIT]:
        num[TOP] -= 1
        x = s.stack[num[TOP]]
        s.queued[x] = False
        if not 0 < s.free[x] < num[LEVEL]:
            continue
        for p in range(s.indptr[x], s.indptr[x + 1]):
            y = s.indices[p]
            if not s.inside[y]:
                absorb(s, y)


@njit(cache=True, nogil=True)
def _count(s):  # type: ignore[no-untyped-def]
    """Count the classes by key and absorb those below the level; True when something was absorbed."""
    num = s.number
    kept = 0
    for i in range(num[OUTSIDE]):
        x = s.outside[i]
        if not s.inside[x]:
            s.outside[kept] = x
            kept += 1
    num[OUTSIDE] = kept
    table = 4
    while table < 2 * kept:
        table *= 2
    mask = np.uint64(table - 1)
    s.table_count[:table] = 0
    for i in range(kept):
        x = s.outside[i]
        key = s.key[x]
        at = key & mask
        while s.table_count[at] > 0 and s.table_key[at] != key:
            at = (at + np.uint64(1)) & mask
        s.table_key[at] = key
        s.table_count[at] += 1
        s.slot[x] = np.int32(at)
    smallest = kept + 1
    before = num[SIZE]
    for i in range(kept):
        x = s.outside[i]
        c = s.table_count[s.slot[x]]
        if c < smallest:
            smallest = c
        if c < num[LEVEL]:
            absorb(s, x)
    num[SMALLEST] = smallest
    num[COUNTED] = before
    return num[SIZE] > before


@njit(cache=True, nogil=True)
def _voronoi(s):  # type: ignore[no-untyped-def]
    """Split by the distance to the set and by two min-hashes of the nearest members: one search, O(n + m).

    Both are functions of a node's distances: paths to a nearest member run outside the set.
    """
    num = s.number
    for i in range(num[OUTSIDE]):
        s.dist[s.outside[i]] = 0
    tail = 0
    for i in range(num[SIZE]):
        m = s.members[i]
        if s.free[m] == 0:
            continue
        a = mix((np.uint64(m) + np.uint64(1)) * C1 + s.salt[0])
        b = mix(a + C2)
        for p in range(s.indptr[m], s.indptr[m + 1]):
            y = s.indices[p]
            if s.inside[y]:
                continue
            if s.dist[y] == 0:
                s.dist[y] = 1
                s.hash1[y] = a
                s.hash2[y] = b
                s.queue[tail] = y
                tail += 1
            else:
                s.hash1[y] = min(s.hash1[y], a)
                s.hash2[y] = min(s.hash2[y], b)
    head = 0
    while head < tail:
        x = s.queue[head]
        head += 1
        nd = s.dist[x] + 1
        for p in range(s.indptr[x], s.indptr[x + 1]):
            y = s.indices[p]
            if s.inside[y]:
                continue
            if s.dist[y] == 0:
                s.dist[y] = nd
                s.hash1[y] = s.hash1[x]
                s.hash2[y] = s.hash2[x]
                s.queue[tail] = y
                tail += 1
            elif s.dist[y] == nd:
                s.hash1[y] = min(s.hash1[y], s.hash1[x])
                s.hash2[y] = min(s.hash2[y], s.hash2[x])
    for i in range(tail):
        y = s.queue[i]
        key = mix(s.key[y] + np.uint64(s.dist[y]) * C1)
        key = mix(key ^ s.hash1[y])
        s.key[y] = mix(key + s.hash2[y]) & s.salt[1]
    num[VORONOI] = num[SIZE]


@njit(cache=True, nogil=True)
def settle(s, best, top):  # type: ignore[no-untyped-def]
    """Absorb whatever is forced at the current level without a search of the whole graph.

    `best`, (top + 1,) int64, is the size of the smallest set found for every level; levels at which the current set
    cannot win are skipped. `top` is the last level of interest.

    OVER is returned when the set is everything, meets a finished basin, or cannot win at any level up to `top`. Else
    READY is returned: every class by key has at least ``number[LEVEL]`` nodes, and ``number[SMALLEST]`` is the size of
    the smallest.
    """
    n = s.indptr.size - 1
    num = s.number
    while True:
        _percolate(s)
        if num[SIZE] == n or num[HIT]:
            return OVER
        level = num[LEVEL]
        while level <= top and best[level] <= num[SIZE]:
            level += 1
        if level > top:
            return OVER
        if level > num[LEVEL]:
            num[LEVEL] = level
            num[COUNTED] = -1
            for i in range(num[SIZE]):
                x = s.members[i]
                if 0 < s.free[x] < level:
                    s.queued[x] = True
                    s.stack[num[TOP]] = x
                    num[TOP] += 1
            if num[TOP] > 0:
                continue
        if num[VORONOI] != num[SIZE]:
            _voronoi(s)
            num[COUNTED] = -1
        if num[COUNTED] != num[SIZE] and _count(s):
            continue
        return READY


@njit(cache=True, nogil=True)
def raise_level(s, level):  # type: ignore[no-untyped-def]
    """Go on at a higher level, above the level so far, after a set was recorded."""
    num = s.number
    num[LEVEL] = level
    num[COUNTED] = -1
    for i in range(num[SIZE]):
        x = s.members[i]
        if 0 < s.free[x] < level and not s.queued[x]:
            s.queued[x] = True
            s.stack[num[TOP]] = x
            num[TOP] += 1
