"""Blocks of groups matched anew: cycles of an assignment cut into groups, and the better of old and new."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, cost3
from incrowd.loops import njit

__all__ = ["joined", "rounded"]


@njit(cache=True, nogil=True)
def _worth(F, u, v, w, sizes, k):  # type: ignore[no-untyped-def]
    """Return what the blocks u, v and w (w = v: only two) cost as one group; -1 if they may not be one."""
    size = sizes[u] + sizes[v]
    if w != v:
        size += sizes[w]
    if size < k:
        return np.int64(-1)
    cost = cost3(F, u, v, w)
    return np.int64(-1) if cost >= FAR else size * cost


@njit(cache=True, nogil=True)
def rounded(F, sizes, alone, may, k, column):  # type: ignore[no-untyped-def]
    """Cut the cycles of a permutation of blocks into groups of one to three blocks, as cheaply as they allow.

    `F` is the `Flat` of the blocks. `sizes`, (b,) int64, are the rows of each block; `alone`, (b,) int64, is what it
    costs by itself, and `may`, (b,) bool, whether it may be by itself. `column`, (b,) int32, is the permutation.

    The least block of each block's group is returned, (b,) int32; -1 throughout a cycle that cannot be cut.
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
            pair[s] = _worth(F, u, v, v, sizes, k)
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
                        worth = _worth(F, v, ring[(s + 1) % length], ring[(s + 2) % length], sizes, k)
                        if worth >= 0 and (best < 0 or total + worth < best):
                            best, begin, odd = total + worth, s + 3, 3
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


@njit(cache=True, nogil=True)
def joined(F, sizes, alone, group, name):  # type: ignore[no-untyped-def]
    """Take new groups where they are no dearer than the old ones that share rows with them.

    `F`, `sizes` and `alone` are as for `rounded`. `group`, (b,) int32, is the old group of each block, where blocks of
    a group are neighbours, at most two; `name`, (b,) int32, is the least block of each block's new group, -1 for none.
    The least block of each block's group, old or new, (b,) int32, and what the new ones save are returned.

    Old and new groups with a block in common are one component; each is judged by itself, so the whole is never dearer.
    O(b log b).
    """
    n = name.size
    old = np.empty(n, np.int32)
    root = np.arange(n).astype(np.int32)
    broken = np.zeros(n, np.bool_)
    before = np.zeros(n, np.int64)
    after = np.zeros(n, np.int64)
    for b in range(n):
        old[b] = b - 1 if b > 0 and group[b - 1] == group[b] else b
    for b in range(n):
        _union(root, b, old[b])
        if name[b] >= 0:
            _union(root, b, name[b])
    second = np.full(n, -1, np.int32)
    third = np.full(n, -1, np.int32)
    for b in range(n):
        at = _find(root, b)
        if name[b] < 0:
            broken[at] = True
        elif name[b] != b:
            if second[name[b]] < 0:
                second[name[b]] = b
            else:
                third[name[b]] = b
        if old[b] != b:
            before[at] += (sizes[b] + sizes[b - 1]) * cost3(F, b - 1, b, b)
        elif b + 1 == n or group[b + 1] != group[b]:
            before[at] += alone[b]
    for b in range(n):
        if name[b] != b:
            continue
        at = _find(root, b)
        if second[b] < 0:
            after[at] += alone[b]
        elif third[b] < 0:
            after[at] += (sizes[b] + sizes[second[b]]) * cost3(F, b, second[b], second[b])
        else:
            after[at] += (sizes[b] + sizes[second[b]] + sizes[third[b]]) * cost3(F, b, second[b], third[b])
    saved = np.int64(0)
    out = np.empty(n, np.int32)
    for b in range(n):
        at = _find(root, b)
        take = not broken[at] and after[at] <= before[at]
        out[b] = name[b] if take else old[b]
        if take and at == b:
            saved += before[at] - after[at]
    return out, saved


@njit(cache=True, nogil=True)
def _find(root, b):  # type: ignore[no-untyped-def]
    while root[b] != b:
        root[b] = root[root[b]]
        b = root[b]
    return b


@njit(cache=True, nogil=True)
def _union(root, a, b):  # type: ignore[no-untyped-def]
    x, y = _find(root, a), _find(root, b)
    root[max(x, y)] = min(x, y)
