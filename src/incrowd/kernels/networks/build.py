"""Edges to compressed sparse rows, components, and an ordering that keeps neighbours close in memory.

Every graph here is a pair ``indptr`` (n + 1, int64) and ``indices`` (2m, int32): the neighbours of node v are
``indices[indptr[v]:indptr[v + 1]]``, sorted, without loops or repetitions, and symmetric.
"""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit


@njit(cache=True, nogil=True)
def simple_csr(u, v, n):  # type: ignore[no-untyped-def]
    """Build the simple undirected graph of a list of arcs.

    `u` and `v`, (e,) int32, are the end points, in 0..n-1. Returned are `indptr`, (n + 1,) int64, and `indices`, (2m,)
    int32, sorted within each row, and `counts`, (3,) int64: loops dropped, arcs repeated in the same direction dropped,
    node pairs given in both directions merged, with ``e = m + counts.sum()``. Two passes of a bucket sort: O(n + e)
    time, 16e + 13n bytes.
    """
    e = u.size
    counts = np.zeros(3, np.int64)
    start = np.zeros(n + 1, np.int64)
    for i in range(e):
        if u[i] != v[i]:
            start[u[i] + 1] += 1
            start[v[i] + 1] += 1
        else:
            counts[0] += 1
    for x in range(n):
        start[x + 1] += start[x]
    raw = np.empty(start[n], np.int32)
    pos = start[:n].copy()
    for i in range(e):
        a, b = u[i], v[i]
        if a != b:
            raw[pos[a]] = b
            pos[a] += 1
            raw[pos[b]] = ~a  # negative: given as b <- a
            pos[b] += 1
    # writing x into the rows of its neighbours, x rising, leaves every row sorted
    out = np.empty(start[n], np.int32)
    seen = np.zeros(n, np.uint8)
    pos[:] = start[:n]
    for x in range(n):
        for p in range(start[x], start[x + 1]):
            y = raw[p]
            bit = 1
            if y < 0:
                y = ~y
                bit = 2
            if pos[y] > start[y] and out[pos[y] - 1] == x:
                if x < y:
                    if seen[y] & bit:
                        counts[1] += 1
                    else:
                        counts[2] += 1
                seen[y] |= bit
            else:
                out[pos[y]] = x
                pos[y] += 1
                seen[y] = bit
    indptr = np.zeros(n + 1, np.int64)
    for x in range(n):
        indptr[x + 1] = indptr[x] + pos[x] - start[x]
    if indptr[n] == start[n]:
        return indptr, out, counts
    indices = np.empty(indptr[n], np.int32)
    for x in range(n):
        length = pos[x] - start[x]
        indices[indptr[x] : indptr[x] + length] = out[start[x] : start[x] + length]
    return indptr, indices, counts


@njit(cache=True, nogil=True)
def components(indptr, indices):  # type: ignore[no-untyped-def]
    """Find the connected components of a CSR graph, numbered by their first node.

    Returned are the label of each node, (n,) int32, and the sizes, (c,) int64. It takes O(n + m) time.
    """
    n = indptr.size - 1
    label = np.full(n, -1, np.int32)
    queue = np.empty(n, np.int32)
    sizes = np.zeros(n, np.int64)
    c = 0
    for r in range(n):
        if label[r] >= 0:
            continue
        label[r] = c
        queue[0] = r
        head, tail = 0, 1
        while head < tail:
            x = queue[head]
            head += 1
            for p in range(indptr[x], indptr[x + 1]):
                y = indices[p]
                if label[y] < 0:
                    label[y] = c
                    queue[tail] = y
                    tail += 1
        sizes[c] = tail
        c += 1
    return label, sizes[:c].copy()


@njit(cache=True, nogil=True)
def bfs_order(indptr, indices, root):  # type: ignore[no-untyped-def]
    """Return the nodes of the component of `root` in a CSR graph in breadth-first order, (size,) int32."""
    n = indptr.size - 1
    seen = np.zeros(n, np.bool_)
    queue = np.empty(n, np.int32)
    seen[root] = True
    queue[0] = root
    head, tail = 0, 1
    while head < tail:
        x = queue[head]
        head += 1
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if not seen[y]:
                seen[y] = True
                queue[tail] = y
                tail += 1
    return queue[:tail].copy()


@njit(cache=True, nogil=True)
def relabel(indptr, indices, order):  # type: ignore[no-untyped-def]
    """Rename node ``order[i]`` to i and return the CSR graph of these s nodes, its rows sorted.

    The graph given is in CSR form too. `order`, (s,) int32, has distinct nodes: one component, or several whole ones.
    It takes O(n + m) time.
    """
    n = order.size
    rank = np.full(indptr.size - 1, -1, np.int32)
    for i in range(n):
        rank[order[i]] = i
    new_ptr = np.zeros(n + 1, np.int64)
    for i in range(n):
        new_ptr[i + 1] = new_ptr[i] + indptr[order[i] + 1] - indptr[order[i]]
    new_idx = np.empty(new_ptr[n], np.int32)
    pos = new_ptr[:n].copy()
    for i in range(n):  # i into the rows of its neighbours, i rising: sorted
        x = order[i]
        for p in range(indptr[x], indptr[x + 1]):
            j = rank[indices[p]]
            new_idx[pos[j]] = i
            pos[j] += 1
    return new_ptr, new_idx


@njit(cache=True, nogil=True)
def subgraph(indptr, indices, nodes):  # type: ignore[no-untyped-def]
    """Cut out the graph that some nodes induce; they are renamed 0..s-1.

    Both graphs are in CSR form. `nodes`, (s,) int32, are sorted and distinct.
    """
    rank = np.full(indptr.size - 1, -1, np.int32)
    for i in range(nodes.size):
        rank[nodes[i]] = i
    new_ptr = np.zeros(nodes.size + 1, np.int64)
    for i in range(nodes.size):
        kept = 0
        for p in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            kept += rank[indices[p]] >= 0
        new_ptr[i + 1] = new_ptr[i] + kept
    new_idx = np.empty(new_ptr[-1], np.int32)
    at = 0
    for i in range(nodes.size):
        for p in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            j = rank[indices[p]]
            if j >= 0:
                new_idx[at] = j
                at += 1
    return new_ptr, new_idx
