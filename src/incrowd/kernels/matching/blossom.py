"""Perfect matching of least cost in a dense graph, by the primal-dual method of Edmonds with blossoms."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

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


# Odd cycles of the blossom method: their parts, the edges between them, and how they are matched through.
#
# Everything is passed as three tuples. G: the edge that stands for two nodes or blossoms (ends `gu`, `gv`, weight `gw`,
# 0 for none), and twice the price of each. B: number of nodes, highest name in use, outermost blossom of each, parts of
# each blossom in order with their number, which part holds a node. F: partners, parents, sides of the trees (0 outer, 1
# inner, -1 outside), nearest outer node, queue of outer nodes with its ends, marks.
@njit(cache=True, nogil=True)
def gap(G, u, x):  # type: ignore[no-untyped-def]
    """Return twice the slack of the edge that stands for two nodes or blossoms.

    `G` holds the arrays as the module has it.
    """
    gu, gv, gw, label = G
    return label[gu[u, x]] + label[gv[u, x]] - 2 * gw[gu[u, x], gv[u, x]]


@njit(cache=True, nogil=True)
def nearer(G, slack, u, x):  # type: ignore[no-untyped-def]
    """Keep the outer node u for x, if its edge has less slack than the one that is kept.

    `G` holds the arrays as the module has it, and u and x are nodes or blossoms. `slack`, (2n + 2,) int, has the
    nearest outer node of each node and blossom, 0 for none; it is changed in place.
    """
    if slack[x] == 0 or gap(G, u, x) < gap(G, slack[x], x):
        slack[x] = u


@njit(cache=True, nogil=True)
def look_around(G, B, F, x):  # type: ignore[no-untyped-def]
    """Look for the outer node nearest to x, a node or blossom, anew.

    `G`, `B` and `F` hold the arrays as the module has it; `F` is changed in place.
    """
    n, st, gw = B[0], B[2], G[2]
    S, slack = F[2], F[3]
    slack[x] = 0
    for u in range(1, n + 1):
        if gw[u, x] > 0 and st[u] != x and S[st[u]] == 0:
            nearer(G, slack, u, x)


@njit(cache=True, nogil=True)
def push(B, queue, ends, x):  # type: ignore[no-untyped-def]
    """Put x, or all nodes of a blossom x, at the end of the queue.

    `B` holds the arrays as the module has it. `queue` and `ends`, the queue and its two ends, are changed in place.
    """
    n, _, _, flower, length, _ = B
    stack = np.empty(2 * n + 2, np.int64)
    stack[0], height = x, 1
    while height:
        height -= 1
        y = stack[height]
        if y <= n:
            queue[ends[1]] = y
            ends[1] += 1
        else:
            for i in range(length[y] - 1, -1, -1):
                stack[height] = flower[y, i]
                height += 1


@njit(cache=True, nogil=True)
def _belongs(B, x, b):  # type: ignore[no-untyped-def]
    """Say that x and all below it lie in the outermost blossom b."""
    n, _, st, flower, length, _ = B
    stack = np.empty(2 * n + 2, np.int64)
    stack[0], height = x, 1
    while height:
        height -= 1
        y = stack[height]
        st[y] = b
        if y > n:
            for i in range(length[y]):
                stack[height] = flower[y, i]
                height += 1


@njit(cache=True, nogil=True)
def _turn(flower, first, last):  # type: ignore[no-untyped-def]
    while first < last:
        flower[first], flower[last] = flower[last], flower[first]
        first += 1
        last -= 1


@njit(cache=True, nogil=True)
def _place(B, b, part):  # type: ignore[no-untyped-def]
    """Return where a part stands in its blossom, turned so that the way to its base is even."""
    flower, length = B[3], B[4]
    at = 0
    while flower[b, at] != part:
        at += 1
    if at % 2 == 1:
        _turn(flower[b], 1, length[b] - 1)
        return length[b] - at
    return at


@njit(cache=True, nogil=True)
def join(G, B, match, u, v):  # type: ignore[no-untyped-def]
    """Match u with v, and the parts of blossoms along the way; every blossom's base moves to where it is matched.

    u and v are nodes or blossoms that an edge joins. `G` and `B` hold the arrays as the module has it. `B` is changed
    in place, and so is `match`, the partner of each node and blossom.
    """
    gu, gv, _, _ = G
    n, _, _, flower, length, inner = B
    stack = np.empty((2 * n + 2, 2), np.int64)
    stack[0, 0], stack[0, 1] = u, v
    height = 1
    turned = np.empty(n + 1, np.int32)
    while height:
        height -= 1
        x, y = stack[height, 0], stack[height, 1]
        match[x] = gv[x, y]
        if x <= n:
            continue
        part = inner[x, gu[x, y]]
        at = _place(B, x, part)
        for i in range(at):
            stack[height, 0], stack[height, 1] = flower[x, i], flower[x, i ^ 1]
            height += 1
        stack[height, 0], stack[height, 1] = part, y
        height += 1
        for i in range(length[x]):
            turned[i] = flower[x, (i + at) % length[x]]
        for i in range(length[x]):
            flower[x, i] = turned[i]


@njit(cache=True, nogil=True)
def close(G, B, F, u, base, v):  # type: ignore[no-untyped-def]
    """Make the odd cycle through an edge and the node where its two ways meet a blossom.

    u and v are the outermost outer nodes or blossoms that the edge joins, and `base` is where their ways to the root of
    the tree meet. `G`, `B` and `F` hold the arrays as the module has it, and are changed in place.
    """
    gu, gv, gw, label = G
    n, top, st, flower, length, inner = B
    match, pa, S, _, queue, ends, _, _ = F
    b = n + 1
    while b <= top[0] and st[b]:
        b += 1
    if b > top[0]:
        top[0] += 1
    label[b] = 0
    S[b] = 0
    match[b] = match[base]
    flower[b, 0], size = base, 1
    x = u
    while x != base:
        y = st[match[x]]
        flower[b, size], flower[b, size + 1] = x, y
        size += 2
        push(B, queue, ends, y)
        x = st[pa[y]]
    _turn(flower[b], 1, size - 1)
    x = v
    while x != base:
        y = st[match[x]]
        flower[b, size], flower[b, size + 1] = x, y
        size += 2
        push(B, queue, ends, y)
        x = st[pa[y]]
    length[b] = size
    _belongs(B, b, b)
    for x in range(1, top[0] + 1):
        gw[b, x] = 0
        gw[x, b] = 0
    inner[b, :] = 0
    for i in range(size):
        part = flower[b, i]
        for x in range(1, top[0] + 1):
            if gw[part, x] > 0 and (gw[b, x] == 0 or gap(G, part, x) < gap(G, b, x)):
                gu[b, x], gv[b, x], gw[b, x] = gu[part, x], gv[part, x], gw[part, x]
                gu[x, b], gv[x, b], gw[x, b] = gu[x, part], gv[x, part], gw[x, part]
        for x in range(1, n + 1):
            if inner[part, x]:
                inner[b, x] = part
    look_around(G, B, F, b)


@njit(cache=True, nogil=True)
def expand(G, B, F, b):  # type: ignore[no-untyped-def]
    """Take an inner blossom of label 0 apart; those of its parts on the way stay in the tree.

    `G`, `B` and `F` hold the arrays as the module has it; `B` and `F` are changed in place.
    """
    gu = G[0]
    st, flower, length, inner = B[2], B[3], B[4], B[5]
    pa, S, slack, queue, ends = F[1], F[2], F[3], F[4], F[5]
    for i in range(length[b]):
        _belongs(B, flower[b, i], flower[b, i])
    part = inner[b, gu[b, pa[b]]]
    at = _place(B, b, part)
    for i in range(0, at, 2):
        x, y = flower[b, i], flower[b, i + 1]
        pa[x] = gu[y, x]
        S[x], S[y] = 1, 0
        slack[x] = 0
        look_around(G, B, F, y)
        push(B, queue, ends, y)
    S[part] = 1
    pa[part] = pa[b]
    for i in range(at + 1, length[b]):
        x = flower[b, i]
        S[x] = -1
        look_around(G, B, F, x)
    st[b] = 0
