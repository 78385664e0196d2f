"""Perfect matching of least cost in a dense graph, by the primal-dual method of Edmonds with blossoms."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.flowers import close, expand, gap, join, nearer, push
from incrowd.loops import njit

__all__ = ["FORBIDDEN", "least_perfect"]

FORBIDDEN = 1 << 60


@njit(cache=True, nogil=True)
def least_perfect(cost, mate, most):  # type: ignore[no-untyped-def]
    """Match all nodes in pairs at least cost; False if no perfect matching costs at most `most`.

    `cost`, (n, n) int64, is symmetric, at least 0 and at most 2^40; FORBIDDEN for no edge. n is even. `mate`, (n,)
    int64, is to begin with a matching by edges of cost 0, -1 for none, and at the end the answer. `most` is at least 0;
    the search ends as soon as the duals prove that every perfect matching costs more.

    Notes
    -----
    The dense form of the method in O(n^3) time and O(n^2) memory: in each of at most n / 2 phases alternating trees
    grow from all exposed nodes, labels (twice the prices, shifted) change O(n) times, and edges between blossoms are
    kept as the least of their nodes'. Nodes are 1 to n here, blossoms above; 0 is none. With prices
    y = (K - label) / 2 and z = label / 2 of blossoms every edge has cost >= y_u + y_v - sum of z of the blossoms that
    hold both, and matched edges have equality, so the sum of y less (size - 1) / 2 z is a lower bound: `value` keeps
    twice of it.

    References
    ----------
    .. [1] J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", J. Res. Nat. Bur. Standards 69B, 1965.
    .. [2] Z. Galil, "Efficient Algorithms for Finding Maximum Matching in Graphs", ACM Computing Surveys 18(1), 1986.
    """
    n = cost.shape[0]
    size = n + n // 2 + 2
    high = np.int64(0)
    for u in range(n):
        for v in range(n):
            if u != v and cost[u, v] < FORBIDDEN and cost[u, v] > high:
                high = cost[u, v]
    K = 2 * high + 2
    gu = np.zeros((size, size), np.int32)
    gv = np.zeros((size, size), np.int32)
    gw = np.zeros((size, size), np.int64)
    for u in range(1, n + 1):
        for v in range(1, n + 1):
            gu[u, v] = u
            gv[u, v] = v
            if u != v and cost[u - 1, v - 1] < FORBIDDEN:
                gw[u, v] = K - cost[u - 1, v - 1]
    label = np.zeros(size, np.int64)
    label[1 : n + 1] = K
    match = np.zeros(size, np.int64)
    exposed = 0
    for u in range(1, n + 1):
        match[u] = mate[u - 1] + 1
        if match[u] == 0:
            exposed += 1
    st = np.zeros(size, np.int64)
    st[1 : n + 1] = np.arange(1, n + 1)
    pa = np.zeros(size, np.int64)
    S = np.full(size, -1, np.int8)
    slack = np.zeros(size, np.int64)
    seen = np.zeros(size, np.int64)
    stamp = np.zeros(1, np.int64)
    inner = np.zeros((size, n + 1), np.int32)
    for u in range(1, n + 1):
        inner[u, u] = u
    flower = np.zeros((size, n + 1), np.int32)
    length = np.zeros(size, np.int64)
    queue = np.zeros(n + 1, np.int64)
    ends = np.zeros(2, np.int64)  # head and tail of the queue
    top = np.array([n], np.int64)
    value = np.int64(0)
    G = (gu, gv, gw, label)
    B = (n, top, st, flower, length, inner)
    F = (match, pa, S, slack, queue, ends, seen, stamp)
    while exposed:
        if not _phase(G, B, F, value, 2 * most, exposed):
            return False
        value = ends[0]  # the phase leaves it there
        exposed -= 2
    for u in range(1, n + 1):
        mate[u - 1] = match[u] - 1
    return True


@njit(cache=True, nogil=True)
def _phase(G, B, F, value, limit, exposed):  # type: ignore[no-untyped-def]
    """Augment once; False if the value passes the limit or nothing can be augmented. Leaves the value in `ends[0]`."""
    gu, gv, gw, label = G
    n, top, st, _, _, _ = B
    match, pa, S, slack, queue, ends, _, _ = F
    S[: top[0] + 1] = -1
    slack[: top[0] + 1] = 0
    ends[:] = 0
    for x in range(1, top[0] + 1):
        if st[x] == x and match[x] == 0:
            pa[x] = 0
            S[x] = 0
            push(B, queue, ends, x)
    while True:
        while ends[0] < ends[1]:
            u = queue[ends[0]]
            ends[0] += 1
            if S[st[u]] == 1:
                continue
            for v in range(1, n + 1):
                if gw[u, v] > 0 and st[u] != st[v]:
                    if label[u] + label[v] == 2 * gw[u, v]:
                        if _found(G, B, F, u, v):
                            ends[0] = value
                            return True
                    else:
                        nearer(G, slack, u, st[v])
        d = np.int64(-1)
        for b in range(n + 1, top[0] + 1):
            if st[b] == b and S[b] == 1 and (d < 0 or label[b] // 2 < d):
                d = label[b] // 2
        for x in range(1, top[0] + 1):
            if st[x] == x and slack[x]:
                room = gap(G, slack[x], x)
                if S[x] == -1:
                    if d < 0 or room < d:
                        d = room
                elif S[x] == 0 and (d < 0 or room // 2 < d):
                    d = room // 2
        if d < 0:
            return False
        value += d * exposed
        if value > limit:
            return False
        for u in range(1, n + 1):
            if S[st[u]] == 0:
                label[u] -= d
            elif S[st[u]] == 1:
                label[u] += d
        for b in range(n + 1, top[0] + 1):
            if st[b] == b:
                if S[b] == 0:
                    label[b] += 2 * d
                elif S[b] == 1:
                    label[b] -= 2 * d
        ends[:] = 0
        for x in range(1, top[0] + 1):
            if st[x] == x and slack[x] and st[slack[x]] != x and gap(G, slack[x], x) == 0:
                u = slack[x]
                if _found(G, B, F, gu[u, x], gv[u, x]):
                    ends[0] = value
                    return True
        for b in range(n + 1, top[0] + 1):
            if st[b] == b and S[b] == 1 and label[b] == 0:
                expand(G, B, F, b)


@njit(cache=True, nogil=True)
def _augment(G, B, F, u, v):  # type: ignore[no-untyped-def]
    st = B[2]
    match, pa = F[0], F[1]
    while True:
        other = st[match[u]]
        join(G, B, match, u, v)
        if other == 0:
            return
        join(G, B, match, other, st[pa[other]])
        u, v = st[pa[other]], other


@njit(cache=True, nogil=True)
def _meeting(B, F, u, v):  # type: ignore[no-untyped-def]
    """Return where the ways of two nodes to their roots meet first, 0 if they end at different roots."""
    st = B[2]
    match, pa, seen, stamp = F[0], F[1], F[6], F[7]
    stamp[0] += 1
    while u or v:
        if u:
            if seen[u] == stamp[0]:
                return u
            seen[u] = stamp[0]
            u = st[match[u]]
            if u:
                u = st[pa[u]]
        u, v = v, u
    return 0


@njit(cache=True, nogil=True)
def _found(G, B, F, u, v):  # type: ignore[no-untyped-def]
    """Use an edge (u, v) without slack: grow a tree, close a blossom, or augment (then True)."""
    st = B[2]
    match, pa, S, slack, queue, ends, _, _ = F
    x, y = st[u], st[v]
    if S[y] == -1:
        pa[y] = u
        S[y] = 1
        z = st[match[y]]
        slack[y] = 0
        slack[z] = 0
        S[z] = 0
        push(B, queue, ends, z)
    elif S[y] == 0:
        base = _meeting(B, F, x, y)
        if base == 0:
            _augment(G, B, F, x, y)
            _augment(G, B, F, y, x)
            return True
        close(G, B, F, x, base, y)
    return False
