"""Rooted trees: which nodes a closure from the root takes at which level, in one pass from the leaves up.

A tree is given by its nodes in breadth-first order from the root (each named by its place in that order) and the
parent of each. The proofs are in ``papers/privacy-measures.md``, section "Trees".
"""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["entry_levels", "far_bounds", "heights", "rooted"]


@njit(cache=True, nogil=True)
def rooted(indptr, indices, root):  # type: ignore[no-untyped-def]
    """Return the nodes of a tree in breadth-first order from a root, and the parents by place in that order.

    Parameters
    ----------
    indptr, indices : CSR graph
        A tree.
    root : int

    Returns
    -------
    order : (n,) int32
    parent : (n,) int32
        At i the place of the parent of ``order[i]``; -1 for the root.

    Notes
    -----
    O(n) time.
    """
    n = indptr.size - 1
    order, parent = np.empty(n, np.int32), np.empty(n, np.int32)
    order[0], parent[0] = root, -1
    tail = 1
    for head in range(n):
        x = order[head]
        above = order[parent[head]] if head > 0 else -1
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if y != above:
                order[tail] = y
                parent[tail] = head
                tail += 1
    return order, parent


@njit(cache=True, nogil=True)
def heights(parent):  # type: ignore[no-untyped-def]
    """Return the number of layers of the subtree of every node: 1 for a leaf.

    Parameters
    ----------
    parent : (n,) int32
        As `rooted` returns it.

    Returns
    -------
    (n,) int32
    """
    n = parent.size
    height = np.ones(n, np.int32)
    for v in range(n - 1, -1, -1):
        if parent[v] >= 0:
            height[parent[v]] = max(height[parent[v]], height[v] + 1)
    return height


@njit(cache=True, nogil=True)
def _by_height(parent, height):  # type: ignore[no-untyped-def]
    """Return the children of every node, by rising height, as compressed rows."""
    n = parent.size
    start = np.zeros(n + 1, np.int32)
    many = np.zeros(n + 2, np.int32)
    for v in range(n):
        many[height[v] + 1] += 1
        if parent[v] >= 0:
            start[parent[v] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
        many[i + 1] += many[i]
    rising = np.empty(n, np.int32)
    for v in range(n):
        rising[many[height[v]]] = v
        many[height[v]] += 1
    child = np.empty(n, np.int32)
    at = start[:n].copy()
    for i in range(n):
        v = rising[i]
        if parent[v] >= 0:
            child[at[parent[v]]] = v
            at[parent[v]] += 1
    return start, child


@njit(cache=True, nogil=True)
def entry_levels(parent, height):  # type: ignore[no-untyped-def]
    """Return the first level at which the closure of the root, or of all roots of a forest, takes each node.

    A node v that the closure holds keeps outside the branches of its children up to some height J, where every layer
    of these branches together has at least k nodes; J is the largest height for which that holds.

    Parameters
    ----------
    parent, height : (n,) int32
        As `rooted` and `heights` return them; -1 for every root of a forest, and parents before their children.

    Returns
    -------
    (n,) int32
        0 for a root. At level k the closure holds the nodes whose entry is k or less.

    Notes
    -----
    O(n) time and memory. The layers of a subtree lie in one array a long path, the deepest first: adding branches to
    the tallest one costs as many steps as the others are high, and these heights sum to at most n.
    """
    n = parent.size
    start, child = _by_height(parent, height)
    # the array of a subtree begins where that of the deepest leaf of its long path does
    base = np.empty(n, np.int32)
    used = 0
    count, low = np.zeros(n, np.int32), np.zeros(n, np.int32)
    total = np.zeros(n + 1, np.int32)
    forced = np.zeros(n, np.int32)  # first level at which the parent, once taken, takes the node
    begins = np.empty(n + 1, np.int32)
    least = np.empty(n + 1, np.int32)
    for v in range(n - 1, -1, -1):
        first, last = start[v], start[v + 1]
        if first == last:
            base[v] = used
            count[used] = 1
            low[used] = 1
            used += int(height_of_path(parent, height, v, start, child))
            continue
        tall = child[last - 1]
        top = height[tall]
        groups = 0
        reach = 0
        i = int(first)
        while i < last - 1:
            here = height[child[i]]
            begins[groups] = i
            while i < last - 1 and height[child[i]] == here:
                c = child[i]
                for j in range(1, here + 1):
                    total[j] += count[base[c] + here - j]
                i += 1
            reach = here
            smallest = total[1]
            for j in range(2, here + 1):
                smallest = min(smallest, total[j])
            least[groups] = smallest
            groups += 1
        at = base[tall] + top
        for j in range(reach, 0, -1):
            count[at - j] += total[j]
            total[j] = 0
            low[at - j] = count[at - j] if j == top else min(low[at - j - 1], count[at - j])
        if groups == 0 or height[child[begins[groups - 1]]] != top:
            begins[groups] = last - 1
            groups += 1
        least[groups - 1] = low[at - 1]
        begins[groups] = last
        most = 0
        for g in range(groups - 1, -1, -1):
            most = max(most, least[g])
            for i in range(begins[g], begins[g + 1]):
                forced[child[i]] = most + 1
        base[v] = base[tall]
        count[at] = 1
        low[at] = 1
    entry = np.zeros(n, np.int32)
    for v in range(n):
        if parent[v] >= 0:
            entry[v] = max(entry[parent[v]], forced[v])
    return entry


@njit(cache=True, nogil=True)
def height_of_path(parent, height, leaf, start, child):  # type: ignore[no-untyped-def]
    """Return how many nodes the long path that ends in a leaf has: up as long as each is its parent's tallest child.

    Parameters
    ----------
    parent, height : (n,) int32
    leaf : int
    start, child : compressed rows of children, by rising height

    Returns
    -------
    int
    """
    v = leaf
    while parent[v] >= 0 and child[start[parent[v] + 1] - 1] == v:
        v = parent[v]
    return height[v]


@njit(cache=True, nogil=True)
def far_bounds(parent, height, degree):  # type: ignore[no-untyped-def]
    """Bound from above the smallest layer around every node, from its degree and the layers beyond the root.

    Parameters
    ----------
    parent, height : (n,) int32
        As `rooted` and `heights` return them, rooted at a centre of the tree.
    degree : (n,) integers
        By place in the order.

    Returns
    -------
    (n,) int64

    Notes
    -----
    O(n) time. For v at depth d in the branch of the root's child b, whose deepest nodes have depth r, no node of the
    branch is farther from v than d + r - 2. So what is at distance d + t for t >= r - 1 are the nodes at depth t of
    the root's other branches.
    """
    n = parent.size
    depth, branch = np.zeros(n, np.int32), np.zeros(n, np.int32)
    total = np.zeros(height[0] + 1, np.int64)
    for v in range(1, n):
        depth[v] = depth[parent[v]] + 1
        branch[v] = v if parent[v] == 0 else branch[parent[v]]
        total[depth[v]] += 1
    ends, before = np.zeros(n, np.int64), np.zeros(n, np.int64)  # of a branch: nodes at depth r and at r - 1
    for v in range(1, n):
        r = height[branch[v]]
        if depth[v] == r:
            ends[branch[v]] += 1
        elif depth[v] == r - 1:
            before[branch[v]] += 1
    beyond = np.full(height[0] + 2, n, np.int64)
    for t in range(height[0] - 1, 0, -1):
        beyond[t] = min(beyond[t + 1], total[t])
    out = np.empty(n, np.int64)
    out[0] = min(degree[0], beyond[1])
    bound = np.zeros(n, np.int64)
    for v in range(1, n):
        b = branch[v]
        if b == v:
            r = height[b]
            bound[v] = beyond[min(r + 1, height[0])]
            if total[r] > ends[v]:
                bound[v] = min(bound[v], total[r] - ends[v])
            if r > 1 and total[r - 1] > before[v]:
                bound[v] = min(bound[v], total[r - 1] - before[v])
        out[v] = min(degree[v], bound[b])
    return out
