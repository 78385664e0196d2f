"""Exact partition refinement by distances; no hashing decides anything here.

Labels are int32, numbered by first node; -1 marks nodes that are no longer of interest (the attackers).
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.bfs import bfs
from incrowd.loops import njit

__all__ = ["count_classes", "partition", "refine", "refine_wide", "single_classes", "split_by"]


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
