"""Exact partition refinement by distances: pairs are hashed to be found again, and compared whole.

Labels are int32, numbered by first node; -1 marks nodes that are no longer of interest (the attackers).
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import copy
from incrowd.kernels.networks.bfs import bfs
from incrowd.kernels.networks.chain import name_pairs
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def refine(label, dist):  # type: ignore[no-untyped-def]
    """Split every class by distance, changing `label`, (n,) int32, in place; `dist`, (n,), is -1 between components."""
    name_pairs(label, dist, np.flatnonzero(label >= 0), 0)


@njit(cache=True, nogil=True)
def split_by(indptr, indices, node, label):  # type: ignore[no-untyped-def]
    """Split every class by the distance from one more attacker; nothing happens if it has no neighbour outside.

    The label of `node` is -1, as those of all attackers. `label`, (n,) int32, is changed in place. One search: O(n + m)
    time.
    """
    for p in range(indptr[node], indptr[node + 1]):
        if label[indices[p]] >= 0:
            dist, queue = np.empty(label.size, np.int32), np.empty(label.size, np.int32)
            bfs(indptr, indices, node, dist, queue)
            refine(label, dist)
            return


# Closed sets at one level on a distance matrix: every closure of a set and one more node, exactly.
#
# A set is closed at level k when all its classes have at least k nodes. Sets travel as bit sets of 64-bit words.
@njit(cache=True, nogil=True)
def _interior(indptr, indices, s, inside):  # type: ignore[no-untyped-def]
    """Tell whether s has no neighbour outside: then it tells nothing apart that the others do not."""
    for p in range(indptr[s], indptr[s + 1]):  # noqa: SIM110 - compiled code knows no generators
        if not inside[indices[p]]:
            return False
    return True


@njit(cache=True, nogil=True)
def labels_of(indptr, indices, distances, members):  # type: ignore[no-untyped-def]
    """Return the classes of the nodes outside a set: the label of each, (n,) int32, -1 at members.

    The graph is in CSR form. `distances` is (n, n) int16, -1 between components, and `members` (n,) bool. It takes O(n)
    time for every member that has a neighbour outside.
    """
    label = np.zeros(members.size, np.int32)
    label[members] = -1
    for s in np.flatnonzero(members):
        if not _interior(indptr, indices, s, members):
            refine(label, distances[s])
    return label


@njit(cache=True, nogil=True)
def closures(indptr, indices, distances, members, label, starts, level, limit, dead, span, table, touched):  # type: ignore[no-untyped-def]
    """Return the closures of `members` and one node of `starts` each.

    The graph is in CSR form, and `distances` is (n, n) int16, -1 between components. `members`, (n,) bool, is a closed
    set, or empty, and `label` has its classes, as of `labels_of`. `starts`, (s,) int32, are nodes outside
    it. `level` is k. Closures of the size `limit` or more are of no interest. `dead`, (n,) bool, marks nodes in no
    closed set; where `members` is empty, nodes found dead are added. `span` is the largest distance and 2; `table`,
    int32 with a length of at least (n + 1) * span, is all -1 and left so; `touched`, (n,) int64, is work space.
    Returned are `sets`, (f, words) uint64, and `sizes` and `measures`, (f,) int64.
    """
    n = distances.shape[0]
    words = (n + 63) >> 6
    sets = np.zeros((starts.size, words), np.uint64)
    sizes = np.zeros(starts.size, np.int64)
    measures = np.zeros(starts.size, np.int64)
    base_size = 0
    base_outside = np.empty(n, np.int32)
    outside_count = 0
    for x in range(n):
        if members[x]:
            base_size += 1
        else:
            base_outside[outside_count] = x
            outside_count += 1
    empty = base_size == 0
    inside = np.empty(n, np.bool_)
    cls = np.empty(n, np.int32)
    outside = np.empty(n, np.int32)
    stack = np.empty(n, np.int32)
    count = np.empty(n + 1, np.int32)
    found_sets = 0
    for start in starts:
        copy(members, inside, inside.size)
        copy(label, cls, cls.size)
        copy(base_outside, outside, outside_count)
        left = outside_count
        size = base_size + 1
        inside[start] = True
        stack[0] = start
        top = 1
        smallest = 0
        crowd = 0
        alive = not dead[start] and size < limit
        while top > 0 and alive:
            top -= 1
            s = stack[top]
            if size > base_size + 1 and _interior(indptr, indices, s, inside):
                continue
            found = 0
            kept = 0
            for i in range(left):
                x = outside[i]
                if inside[x]:
                    continue
                outside[kept] = x
                kept += 1
                cell = np.int64(cls[x]) * span + distances[s, x] + 1
                if table[cell] < 0:
                    table[cell] = found
                    touched[found] = cell
                    count[found] = 0
                    found += 1
                cls[x] = table[cell]
                count[cls[x]] += 1
            left = kept
            smallest = left
            crowd = left
            for i in range(found):
                table[touched[i]] = -1
                if count[i] < smallest:
                    smallest = count[i]
                if level <= count[i] < crowd:
                    crowd = count[i]  # the smallest class that stays: the others are absorbed whole
            if left == 0:
                alive = False
                if empty:
                    dead[start] = True
                break
            if smallest < level:
                for i in range(left):
                    x = outside[i]
                    if count[cls[x]] < level:
                        inside[x] = True
                        stack[top] = x
                        top += 1
                        size += 1
                        if dead[x]:
                            alive = False
                            if empty:
                                dead[start] = True
                            break
                if size == n:
                    alive = False
                    if empty:
                        dead[start] = True
                if size >= limit:
                    alive = False
        if alive:
            for x in range(n):
                if inside[x]:
                    sets[found_sets, x >> 6] |= np.uint64(1) << np.uint64(x & 63)
            sizes[found_sets] = size
            measures[found_sets] = crowd
            found_sets += 1
    return sets[:found_sets].copy(), sizes[:found_sets].copy(), measures[:found_sets].copy()
