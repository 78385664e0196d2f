"""Cographs: taken apart twin by twin, and closures read off the cotree that this gives.

A cotree names the nodes of the graph 0..n-1 and joins two of its own in every further one, the last being the whole:
the nodes below one are all joined with those below the other, or none is.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.chain_state import mix
from incrowd.loops import njit

__all__ = ["beside_path", "branch_sums", "canonical", "cotree", "implied_edges"]


@njit(cache=True, nogil=True)
def _leave(head, nxt, prv, bucket, v):  # type: ignore[no-untyped-def]
    """Take a node out of the list it is in."""
    if prv[v] >= 0:
        nxt[prv[v]] = nxt[v]
    else:
        head[bucket] = nxt[v]
    if nxt[v] >= 0:
        prv[nxt[v]] = prv[v]


@njit(cache=True, nogil=True)
def _enter(head, nxt, prv, bucket, v):  # type: ignore[no-untyped-def]
    """Put a node at the start of a list."""
    nxt[v] = head[bucket]
    prv[v] = -1
    if head[bucket] >= 0:
        prv[head[bucket]] = v
    head[bucket] = v


@njit(cache=True, nogil=True)
def cotree(indptr, indices, seed):  # type: ignore[no-untyped-def]
    """Merge twins until none are left, comparing hashes of neighbourhoods.

    Parameters
    ----------
    indptr, indices : CSR graph
    seed : int
        Of the hashes.

    Returns
    -------
    merges : int
        n - 1 for a cograph, fewer for others (but for a collision of hashes, which may also lose a cograph).
    parent : (2n - 1,) int32
        The cotree, where it is complete; -1 for the root.
    joined : (2n - 1,) bool
        For every inner one whether its two sides are joined.

    Notes
    -----
    O(n + m) expected time, about 60 bytes a node. Equal hashes are believed: `implied_edges` checks the cotree.
    """
    n = indptr.size - 1
    table = 4
    while table < 2 * n:
        table *= 2
    mask = np.uint64(table - 1)
    word, near = np.empty(n, np.uint64), np.zeros(n, np.uint64)
    for v in range(n):
        word[v] = mix(np.uint64(v + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed))
    for v in range(n):
        for p in range(indptr[v], indptr[v + 1]):
            near[v] += word[indices[p]]
    heads = np.full((2, table), -1, np.int32)  # by open and by closed neighbourhood
    nxt, prv = np.full((2, n), -1, np.int32), np.full((2, n), -1, np.int32)
    listed, waiting, alive = np.zeros(n, np.bool_), np.ones(n, np.bool_), np.ones(n, np.bool_)
    queue = np.empty(n, np.int32)  # a ring: every node waits at most once
    for v in range(n):
        queue[v] = v
    begin, length = 0, n
    parent = np.full(2 * n - 1, -1, np.int32)
    joined = np.zeros(2 * n - 1, np.bool_)
    now = np.empty(n, np.int32)
    for v in range(n):
        now[v] = v
    merges = 0
    while length > 0 and merges < n - 1:
        v = queue[begin]
        begin = begin + 1 if begin + 1 < n else 0
        length -= 1
        waiting[v] = False
        if not alive[v]:
            continue
        twin = -1
        closed = False
        for kind in range(2):
            key = near[v] + word[v] if kind else near[v]
            u = heads[kind, np.int64(mix(key) & mask)]
            while u >= 0 and near[u] + (word[u] if kind else np.uint64(0)) != key:
                u = nxt[kind, u]
            if u >= 0:
                twin = u
                closed = kind == 1
                break
        if twin < 0:
            for kind in range(2):
                key = near[v] + word[v] if kind else near[v]
                _enter(heads[kind], nxt[kind], prv[kind], np.int64(mix(key) & mask), v)
            listed[v] = True
            continue
        inner = n + merges
        merges += 1
        parent[now[v]] = inner
        parent[now[twin]] = inner
        joined[inner] = closed
        now[twin] = inner
        alive[v] = False
        for p in range(indptr[v], indptr[v + 1]):
            w = indices[p]
            if not alive[w]:
                continue
            if listed[w]:
                for kind in range(2):
                    key = near[w] + word[w] if kind else near[w]
                    _leave(heads[kind], nxt[kind], prv[kind], np.int64(mix(key) & mask), w)
                listed[w] = False
            near[w] -= word[v]
            if not waiting[w]:
                waiting[w] = True
                at = begin + length
                queue[at if at < n else at - n] = w
                length += 1
    return merges, parent, joined


@njit(cache=True, nogil=True)
def implied_edges(indptr, indices, parent, joined):  # type: ignore[no-untyped-def]
    """Count the edges that a cotree has, or -1 where the graph has one that the cotree has not.

    Parameters
    ----------
    indptr, indices : CSR graph
    parent, joined : (2n - 1,) int32 and bool
        As `cotree` returns them, complete.

    Returns
    -------
    int
        As many as the graph has: the cotree is that of the graph.

    Notes
    -----
    O((n + m) log n) time. The sides of a merge are linked by size, so that from every node log n links at most lead to
    the first merge that it shares with another.
    """
    n = indptr.size - 1
    total = 2 * n - 1
    head, size = np.empty(total, np.int32), np.ones(total, np.int64)
    up, when = np.full(n, -1, np.int32), np.full(n, total, np.int32)
    side = np.full(total, -1, np.int32)
    edges = 0
    for x in range(n):
        head[x] = x
    for x in range(total - 1):
        above = parent[x]
        if side[above] < 0:
            side[above] = x
            continue
        other = side[above]
        if joined[above]:
            edges += size[x] * size[other]
        size[above] = size[x] + size[other]
        small, large = (head[x], head[other]) if size[x] < size[other] else (head[other], head[x])
        up[small] = large
        when[small] = above
        head[above] = large
    for v in range(n):
        for p in range(indptr[v], indptr[v + 1]):
            if indices[p] > v and not joined[_first_shared(up, when, v, indices[p])]:
                return -1
    return edges


@njit(cache=True, nogil=True)
def _first_shared(up, when, x, y):  # type: ignore[no-untyped-def]
    """Return the merge that brought two nodes together; the links that lead there are older."""
    last = 0
    while x != y:
        if when[x] < when[y]:
            last = when[x]
            x = up[x]
        else:
            last = when[y]
            y = up[y]
    return last


@njit(cache=True, nogil=True)
def canonical(parent, joined, n):  # type: ignore[no-untyped-def]
    """Contract a cotree so that joined and not joined take turns on every path.

    Parameters
    ----------
    parent, joined : (2n - 1,) int32 and bool
    n : int
        Nodes of the graph.

    Returns
    -------
    above : (2n - 1,) int32
        The parent after contraction; -1 for the root, and -2 for what is contracted into its parent.
    beside : (2n - 1,) int64
        Nodes below the parent and not below oneself.
    """
    total = 2 * n - 1
    size = np.zeros(total, np.int64)
    size[:n] = 1
    for x in range(total - 1):
        size[parent[x]] += size[x]
    above, top = np.full(total, -1, np.int32), np.empty(total, np.int32)
    beside = np.zeros(total, np.int64)
    top[total - 1] = total - 1
    for x in range(total - 2, -1, -1):
        if x >= n and joined[x] == joined[parent[x]]:
            above[x] = -2
            top[x] = top[parent[x]]
            continue
        top[x] = x
        above[x] = top[parent[x]]
        beside[x] = size[above[x]] - size[x]
    return above, beside


@njit(cache=True, nogil=True)
def branch_sums(above, beside, joined, level):  # type: ignore[no-untyped-def]
    """Sum what lies beside the path to every node, in portions of at least `level` nodes.

    Parameters
    ----------
    above, beside : (2n - 1,) int32 and int64
        As `canonical` returns them.
    joined : (2n - 1,) bool
    level : int

    Returns
    -------
    (2, 2n - 1) int64
        Portions that are not joined to the path below, and those that are; 0 for what is contracted.
    """
    total = above.size
    out = np.zeros((2, total), np.int64)
    for x in range(total - 2, -1, -1):
        up = above[x]
        if up < 0:
            continue
        out[0, x] = out[0, up]
        out[1, x] = out[1, up]
        if beside[x] >= level:
            out[np.int64(joined[up]), x] += beside[x]
    return out


@njit(cache=True, nogil=True)
def beside_path(above, beside, joined, node, kind, level):  # type: ignore[no-untyped-def]
    """Find the nodes beside the path from a node to the root, of one kind, in portions of at least `level` nodes.

    Parameters
    ----------
    above, beside, joined : as `branch_sums` takes them
    node : int
    kind : bool
        Whether the portions are those joined to the path below.
    level : int

    Returns
    -------
    (2n - 1,) bool
    """
    total = above.size
    on_path, chosen, out = np.zeros(total, np.bool_), np.zeros(total, np.bool_), np.zeros(total, np.bool_)
    x = node
    while above[x] >= 0:
        on_path[x] = True
        chosen[above[x]] = beside[x] >= level and joined[above[x]] == kind
        x = above[x]
    for y in range(total - 2, -1, -1):
        up = above[y]
        if up >= 0:
            out[y] = out[up] or (chosen[up] and not on_path[y])
    return out
