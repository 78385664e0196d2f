"""Exact partition refinement by distances; no hashing decides anything here.

Labels are int32, numbered by first node; -1 marks nodes that are no longer of interest (the attackers).
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.bfs import bfs
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def refine(label, classes, dist, span, table, touched):  # type: ignore[no-untyped-def]
    """Split every class by distance, changing `label` in place; return the new number of classes.

    `label` is (n,) int32, and all labels are below `classes`. `dist`, (n,) integers, goes from -1 (another component)
    to span - 2. `table`, (>= classes * span,) int32, is all -1 and is left so; `touched` is (n,) int64 work space.
    """
    found = 0
    for x in range(label.size):
        if label[x] < 0:
            continue
        cell = np.int64(label[x]) * span + dist[x] + 1
        if table[cell] < 0:
            table[cell] = found
            touched[found] = cell
            found += 1
        label[x] = table[cell]
    for i in range(found):
        table[touched[i]] = -1
    return found


@njit(cache=True, nogil=True)
def refine_wide(label, classes, dist, order, counts):  # type: ignore[no-untyped-def]
    """Split every class by distance, whatever the distances: two stable bucket passes. Return the number of classes.

    `label`, (n,) int32, is changed in place; all labels are below `classes`. `dist`, (n,) int32, starts at -1 (another
    component), and `order` and `counts` are (n,) int32 work space. O(n + classes) time and memory.
    """
    n = label.size
    top = 0
    for x in range(n):
        top = max(top, dist[x] + 1)
    heads = np.zeros(max(top + 1, classes) + 1, np.int64)
    for x in range(n):
        if label[x] >= 0:
            heads[dist[x] + 2] += 1
    for i in range(heads.size - 1):
        heads[i + 1] += heads[i]
    kept = 0
    for x in range(n):
        if label[x] >= 0:
            order[heads[dist[x] + 1]] = x
            heads[dist[x] + 1] += 1
            kept += 1
    heads[:] = 0
    for i in range(kept):
        heads[label[order[i]] + 1] += 1
    for i in range(heads.size - 1):
        heads[i + 1] += heads[i]
    for i in range(kept):
        x = order[i]
        counts[heads[label[x]]] = x
        heads[label[x]] += 1
    fresh = -1
    before_label, before_dist = -2, -2
    for i in range(kept):
        x = counts[i]
        if label[x] != before_label or dist[x] != before_dist:
            fresh += 1
            before_label, before_dist = label[x], dist[x]
        label[x] = fresh
    # number by first node again
    seen = np.full(fresh + 1, -1, np.int32)
    found = 0
    for x in range(n):
        if label[x] >= 0:
            if seen[label[x]] < 0:
                seen[label[x]] = found
                found += 1
            label[x] = seen[label[x]]
    return found


@njit(cache=True, nogil=True)
def split_by(indptr, indices, node, label, classes, dist, queue, other):  # type: ignore[no-untyped-def]
    """Split every class by the distance from one more attacker; nothing happens if it has no neighbour outside.

    The label of `node` is -1, as those of all attackers; the other labels are below `classes`. `label`, (n,) int32, is
    changed in place, `dist`, `queue` and `other` are (n,) int32 work space, and the new number of classes is returned.
    One search: O(n + m) time.
    """
    for p in range(indptr[node], indptr[node + 1]):
        if label[indices[p]] >= 0:
            bfs(indptr, indices, node, dist, queue)
            return refine_wide(label, classes, dist, queue, other)
    return classes


@njit(cache=True, nogil=True)
def partition(indptr, indices, nodes):  # type: ignore[no-untyped-def]
    """Return the classes of the nodes outside `nodes`: a label for every node, (n,) int32, and their number.

    `nodes` is (s,) int32 and distinct; the label is -1 there. One search for every member that still has a neighbour
    outside (the others tell nothing apart): O(|nodes| (n + m)) time.
    """
    n = indptr.size - 1
    label = np.zeros(n, np.int32)
    for s in nodes:
        label[s] = -1
    dist, queue, other = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    classes = 1
    for s in nodes:
        classes = split_by(indptr, indices, s, label, classes, dist, queue, other)
    return label, classes


@njit(cache=True, nogil=True)
def count_classes(label, classes):  # type: ignore[no-untyped-def]
    """Count the nodes of every class; return (classes,) int64.

    `label`, (n,) int32, goes from 0 to classes - 1, or is -1.
    """
    out = np.zeros(classes, np.int64)
    for x in label:
        if x >= 0:
            out[x] += 1
    return out


@njit(cache=True, nogil=True)
def single_classes(label, classes, dist, span, table, touched, counts):  # type: ignore[no-untyped-def]
    """Classes of one node after a split by `dist`, without splitting: how much one more attacker would learn.

    Parameters as in `refine`; `counts` is (n,) int32 work space, all zero and left so. Nodes at distance 0 (the
    candidate) do not count.
    """
    found = 0
    for x in range(label.size):
        if label[x] < 0 or dist[x] == 0:
            continue
        cell = np.int64(label[x]) * span + dist[x] + 1
        if table[cell] < 0:
            table[cell] = found
            touched[found] = cell
            found += 1
        counts[table[cell]] += 1
    singles = 0
    for i in range(found):
        table[touched[i]] = -1
        singles += counts[i] == 1
        counts[i] = 0
    return singles


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
def labels_of(indptr, indices, distances, members, span, table, touched):  # type: ignore[no-untyped-def]
    """Return the classes of the nodes outside a set: the label of each, (n,) int32, -1 at members, and their number.

    The graph is in CSR form. `distances` is (n, n) int16, -1 between components, and `members` (n,) bool. `span` is the
    largest distance and 2. `table`, int32 with a length of at least (n + 1) * span, is all -1 and left so; `touched`,
    (n,) int64, is work space. It takes O(n) time for every member that has a neighbour outside.
    """
    n = distances.shape[0]
    label = np.zeros(n, np.int32)
    classes = 1
    for s in range(n):
        if members[s]:
            label[s] = -1
    for s in range(n):
        if members[s] and not _interior(indptr, indices, s, members):
            found = 0
            for x in range(n):
                if label[x] >= 0:
                    cell = np.int64(label[x]) * span + distances[s, x] + 1
                    if table[cell] < 0:
                        table[cell] = found
                        touched[found] = cell
                        found += 1
                    label[x] = table[cell]
            for i in range(found):
                table[touched[i]] = -1
            classes = found
    return label, classes


@njit(cache=True, nogil=True)
def closures(indptr, indices, distances, members, label, classes, starts, level, limit, dead, span, table, touched):  # type: ignore[no-untyped-def]
    """Return the closures of `members` and one node of `starts` each.

    The graph is in CSR form, and `distances` is (n, n) int16, -1 between components. `members`, (n,) bool, is a closed
    set, or empty, and `label` and `classes` are its classes, as of `labels_of`. `starts`, (s,) int32, are nodes outside
    it. `level` is k. Closures of the size `limit` or more are of no interest. `dead`, (n,) bool, marks nodes in no
    closed set; where `members` is empty, nodes found dead are added. `span`, `table` and `touched` are work space as of
    `incrowd.kernels.networks.partition.refine`. Returned are `sets`, (f, words) uint64, and `sizes` and `measures`,
    (f,) int64.
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
        inside[:] = members
        cls[:] = label
        outside[:outside_count] = base_outside[:outside_count]
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
