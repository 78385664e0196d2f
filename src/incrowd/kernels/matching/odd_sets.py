"""Odd sets that a solution of the matching's linear program violates, and the parts in which they are looked for.

A class is a line of three rows, -1 filling up: a pair (u, v, -1), a single row (u, -1, -1).
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.repair import PAIR, TRIPLE
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def grow(ptr, adj, kind, mate, inside, seeds, quota):  # type: ignore[no-untyped-def]
    """Mark whole classes in alternating breadth-first order along the given pairs; return how many rows joined.

    `ptr`, (n + 1,) int64, and `adj`, (e,) int32, are the pairs per row. `kind`, (n,) int8, and `mate`, (n, 2) int32,
    are the classes, as `incrowd.kernels.matching.repair.cycles` returns them. `seeds`, (s,) integers, are the rows to
    start from. It ends once `quota` rows joined, or a few more. `inside`, (n,) bool, is changed in place.
    """
    queue = np.empty(kind.size + seeds.size, np.int32)
    head, tail, joined = 0, 0, 0
    queued = np.zeros(kind.size, np.bool_)
    for seed in seeds:
        if not queued[seed]:
            queued[seed] = True
            queue[tail] = seed
            tail += 1
        for r in range(3):
            w = np.int64(seed) if r == 2 else np.int64(mate[seed, r])
            if w >= 0 and not inside[w]:
                inside[w] = True
                joined += 1
                if not queued[w]:
                    queued[w] = True
                    queue[tail] = w
                    tail += 1
    while head < tail and joined < quota:
        u = queue[head]
        head += 1
        for e in range(ptr[u], ptr[u + 1]):
            w = adj[e]
            if not inside[w]:
                inside[w] = True
                joined += 1
            for r in range(2):
                m = mate[w, r]
                if m < 0 or (kind[w] != PAIR and kind[w] != TRIPLE):
                    continue
                if not inside[m]:
                    inside[m] = True
                    joined += 1
                if not queued[m]:
                    queued[m] = True
                    queue[tail] = m
                    tail += 1
            if joined >= quota:
                break
    return joined


@njit(cache=True, nogil=True)
def components(n, left, right):  # type: ignore[no-untyped-def]
    """Return a label per node, (n,) int64: the smallest node of its component.

    `left` and `right`, (e,) integers, are the ends of the edges.
    """
    label = np.arange(n)
    for e in range(left.size):
        a, b = left[e], right[e]
        while label[a] != a:
            label[a] = label[label[a]]
            a = label[a]
        while label[b] != b:
            label[b] = label[label[b]]
            b = label[b]
        if a < b:
            label[b] = a
        else:
            label[a] = b
    for i in range(n):
        a = i
        while label[a] != a:
            a = label[a]
        label[i] = a
    return label


@njit(cache=True, nogil=True)
def odd_cuts(n, left, right, weight):  # type: ignore[no-untyped-def]
    """List odd sets of nodes (node n - 1, the sink, never in one) that a cut of less than 1 separates, (c, n) bool.

    Gusfield's walk: for each node a least cut to its parent, given up where it reaches 1. O(e) time a path; n^2 bytes.
    `n` counts the nodes, with the sink. `left` and `right`, (e,) int64, are the ends of the edges, and `weight`, (e,)
    float64, their weights, from 0.
    """
    ptr = np.zeros(n + 1, np.int64)
    for e in range(left.size):
        ptr[left[e] + 1] += 1
        ptr[right[e] + 1] += 1
    for i in range(n):
        ptr[i + 1] += ptr[i]
    at = ptr[:-1].copy()
    arc = np.empty(2 * left.size, np.int64)
    for e in range(left.size):
        arc[at[left[e]]] = 2 * e
        at[left[e]] += 1
        arc[at[right[e]]] = 2 * e + 1
        at[right[e]] += 1
    parent = np.full(n, n - 1, np.int64)
    found = np.zeros((n, n), np.bool_)
    count = 0
    rest = np.empty(2 * left.size)
    via = np.empty(n, np.int64)
    seen = np.zeros(n, np.int64)
    queue = np.empty(n, np.int64)
    turn = 0
    for i in range(n - 1):
        target = parent[i]
        for e in range(left.size):
            rest[2 * e] = weight[e]
            rest[2 * e + 1] = weight[e]
        flow = 0.0
        cut = False
        while flow < 1.0 - 1e-7:
            turn += 1
            seen[i] = turn
            queue[0] = i
            head, tail = 0, 1
            reached = False
            while head < tail and not reached:
                u = queue[head]
                head += 1
                for a in range(ptr[u], ptr[u + 1]):
                    f = arc[a]
                    v = right[f // 2] if f % 2 == 0 else left[f // 2]
                    if seen[v] == turn or rest[f] <= 1e-9:
                        continue
                    seen[v] = turn
                    via[v] = f
                    if v == target:
                        reached = True
                        break
                    queue[tail] = v
                    tail += 1
            if not reached:
                cut = True
                break
            least = np.inf
            v = target
            while v != i:
                f = via[v]
                least = min(least, rest[f])
                v = left[f // 2] if f % 2 == 0 else right[f // 2]
            v = target
            while v != i:
                f = via[v]
                rest[f] -= least
                rest[f ^ 1] += least
                v = left[f // 2] if f % 2 == 0 else right[f // 2]
            flow += least
        if not cut:
            continue
        for j in range(i + 1, n - 1):
            if parent[j] == target and seen[j] == turn:
                parent[j] = i
        flip = seen[n - 1] == turn
        size = 0
        for j in range(n - 1):
            if (seen[j] == turn) != flip:
                size += 1
        if size % 2 == 1:
            for j in range(n - 1):
                found[count, j] = (seen[j] == turn) != flip
            count += 1
    return found[:count]


@njit(cache=True, nogil=True)
def better_odd_set(n, classes, x, mark):  # type: ignore[no-untyped-def]
    """Toggle two nodes at a time as long as that lowers the x of the classes met oddly, in place; return that x.

    The set stays odd and keeps at least three nodes. O(n^2 + n g) a step, g classes. `classes`, (g, 3) int64, has the
    nodes of each class, -1 filling up, and `x`, (g,) float64, its value. `mark`, (n,) bool, is the set, which has an
    odd number of nodes, at least three; it is changed in place.
    """
    value = 0.0
    for g in range(classes.shape[0]):
        odd_ = False
        for r in range(3):
            if classes[g, r] >= 0 and mark[classes[g, r]]:
                odd_ = not odd_
        if odd_:
            value += x[g]
    size = 0
    for i in range(n):
        size += mark[i]
    gain = np.empty(n)
    both = np.zeros((n, n))
    while True:
        gain[:] = 0.0
        both[:] = 0.0
        for g in range(classes.shape[0]):
            odd_ = False
            for r in range(3):
                if classes[g, r] >= 0 and mark[classes[g, r]]:
                    odd_ = not odd_
            change = -x[g] if odd_ else x[g]
            for r in range(3):
                a = classes[g, r]
                if a < 0:
                    continue
                gain[a] += change
                for s in range(r + 1, 3):
                    b = classes[g, s]
                    if b >= 0:
                        # Toggling both leaves the class's parity as it is.
                        both[a, b] -= 2.0 * change
                        both[b, a] -= 2.0 * change
        best = -1e-9
        p, q = -1, -1
        for a in range(n):
            for b in range(a + 1, n):
                change = gain[a] + gain[b] + both[a, b]
                after = size + (-1 if mark[a] else 1) + (-1 if mark[b] else 1)
                if change < best and after >= 3:
                    best, p, q = change, a, b
        if p < 0:
            return value
        size += (-1 if mark[p] else 1) + (-1 if mark[q] else 1)
        mark[p] = not mark[p]
        mark[q] = not mark[q]
        value += best
