"""Graphs with one cycle: the cycle, the trees that hang from it, and the thin layers at its far side."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["far_side", "farthest", "hung_trees"]

FAR_LAYERS = 8  # last layers that are looked at


@njit(cache=True, nogil=True)
def hung_trees(indptr, indices):  # type: ignore[no-untyped-def]
    """Take a connected graph with as many edges as nodes apart.

    Parameters
    ----------
    indptr, indices : CSR graph

    Returns
    -------
    length : int
        Nodes of the cycle.
    order : (n,) int32
        The nodes of the cycle as they follow each other, then all others, parents before their children.
    parent : (n,) int32
        By place in `order`, the place of the neighbour towards the cycle; -1 on the cycle.

    Notes
    -----
    O(n) time: leaves are taken away until only the cycle is left.
    """
    n = indptr.size - 1
    left, above = np.empty(n, np.int64), np.full(n, -1, np.int32)
    gone = np.zeros(n, np.bool_)
    taken = np.empty(n, np.int32)
    tail = 0
    for v in range(n):
        left[v] = indptr[v + 1] - indptr[v]
        if left[v] == 1:
            taken[tail] = v
            tail += 1
    head = 0
    while head < tail:
        v = taken[head]
        head += 1
        gone[v] = True
        for p in range(indptr[v], indptr[v + 1]):
            y = indices[p]
            if not gone[y]:
                above[v] = y
                left[y] -= 1
                if left[y] == 1:
                    taken[tail] = y
                    tail += 1
    length = n - tail
    order, place = np.empty(n, np.int32), np.empty(n, np.int32)
    first = 0
    while gone[first]:
        first += 1
    x, before = first, -1
    for i in range(length):
        order[i] = x
        place[x] = i
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if not gone[y] and y != before:
                before = x
                x = y
                break
    parent = np.full(n, -1, np.int32)
    for i in range(tail):
        v = taken[tail - 1 - i]
        order[length + i] = v
        place[v] = length + i
        parent[length + i] = place[above[v]]
    return length, order, parent


@njit(cache=True, nogil=True)
def farthest(depths):  # type: ignore[no-untyped-def]
    """Return for every node of the cycle the largest distance to a node that hangs from another one.

    Parameters
    ----------
    depths : (L,) int64
        Edges to the deepest node below every node of the cycle.

    Returns
    -------
    (L,) int64

    Notes
    -----
    O(L) time: the maxima of a window that slides around, once each way.
    """
    length = depths.size
    out = np.zeros(length, np.int64)
    queue = np.empty(2 * length, np.int64)
    for way in range(2):
        head, tail = 0, 0
        filled = 0
        for i in range(length):
            while filled < i + length // 2:
                filled += 1
                m = filled % length
                reach = filled + depths[m if way == 0 else length - 1 - m]
                while tail > head:
                    q = queue[tail - 1]
                    if q + depths[q % length if way == 0 else length - 1 - q % length] > reach:
                        break
                    tail -= 1
                queue[tail] = filled
                tail += 1
            while queue[head] <= i:
                head += 1
            q = queue[head]
            j = i if way == 0 else length - 1 - i
            out[j] = max(out[j], q - i + depths[q % length if way == 0 else length - 1 - q % length])
    return out


@njit(cache=True, nogil=True)
def far_side(starts, layers, reach):  # type: ignore[no-untyped-def]
    """Return for every node of the cycle the thinnest of the last layers around it, beyond what hangs from itself.

    Parameters
    ----------
    starts : (L + 1,) int64
    layers : integers
        The number of nodes at depth t below node j of the cycle is ``layers[starts[j] + t]``.
    reach : (L,) int64
        As `farthest` returns it.

    Returns
    -------
    (L,) int64
        The number of all nodes where there is no such layer.

    Notes
    -----
    O(n) time: the layers of a half of the cycle lie in one array that slides around, once each way.
    """
    length = starts.size - 1
    total = layers.sum()
    size = 2 * length
    for j in range(length):
        size = max(size, 2 * length + starts[j + 1] - starts[j])
    seen = np.zeros((length, FAR_LAYERS), np.int64)
    for way in range(2):
        at = np.zeros(size + length, np.int64)
        filled = 0
        # of an even cycle the opposite node counts once
        half = length // 2 if way == 0 else (length - 1) // 2
        for i in range(length):
            while filled < i + half:
                filled += 1
                m = filled % length if way == 0 else length - 1 - filled % length
                for t in range(starts[m + 1] - starts[m]):
                    at[filled + t] += layers[starts[m] + t]
            j = i if way == 0 else length - 1 - i
            for back in range(FAR_LAYERS):
                if reach[j] - back > 0:
                    seen[j, back] += at[i + reach[j] - back]
            m = (i + 1) % length if way == 0 else length - 1 - (i + 1) % length
            if half:
                for t in range(starts[m + 1] - starts[m]):
                    at[i + 1 + t] -= layers[starts[m] + t]
    out = np.full(length, total, np.int64)
    for j in range(length):
        own = starts[j + 1] - starts[j] - 1
        for back in range(FAR_LAYERS):
            if reach[j] - back > own:
                out[j] = min(out[j], seen[j, back])
    return out
