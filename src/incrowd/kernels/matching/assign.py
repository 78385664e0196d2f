"""The assignment problem on sparse arcs, with integer prices, started from whatever is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int32 = NDArray[np.int32]
    Int64 = NDArray[np.int64]

HOPELESS, DONE, MORE = 0, 1, 2
BEGUN, TURN, MANY, BEFORE = 0, 1, 2, 3


def symmetric(
    n: int, left: NDArray[np.integer], right: NDArray[np.integer], values: Int64, own: Int64 | None = None
) -> tuple[Int64, Int32, Int64]:
    """List undirected edges seen from both ends, each end's in the order given.

    `left` and `right`, (e,) integers below n, are the ends of the edges, and `values` is (e,) int64. Returned are
    `ptr`, (n + 1,) int64, `adj`, int32, and `value`, int64: the neighbours of node i and their edges' values are at
    ``ptr[i]`` to ``ptr[i + 1] - 1``. With `own`, (n,), each node's first neighbour is itself, at that value: the arcs
    of the assignment, in which a row by itself pays its exit.
    """
    loops, one, two = np.arange(0 if own is None else n), np.stack((left, right), 1), np.stack((right, left), 1)
    begins, ends = np.concatenate((loops, one.reshape(-1))), np.concatenate((loops, two.reshape(-1)))
    paid = np.repeat(values, 2) if own is None else np.concatenate((own, np.repeat(values, 2)))
    order = np.argsort(begins, kind="stable")
    ptr = np.concatenate(([0], np.cumsum(np.bincount(begins, minlength=n))))
    return ptr, ends[order].astype(np.int32), paid[order]


@njit(cache=True, nogil=True)
def _push(keys, items, size, key, item):  # type: ignore[no-untyped-def]
    place = size
    while place > 0:
        parent = (place - 1) >> 1
        if keys[parent] <= key:
            break
        keys[place] = keys[parent]
        items[place] = items[parent]
        place = parent
    keys[place] = key
    items[place] = item
    return size + 1


@njit(cache=True, nogil=True)
def _pop(keys, items, size):  # type: ignore[no-untyped-def]
    """Drop the least entry (read it at 0 before); return the new size."""
    size -= 1
    key, item = keys[size], items[size]
    place = 0
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[place] = keys[child]
        items[place] = items[child]
        place = child
    keys[place] = key
    items[place] = item
    return size


@njit(cache=True, nogil=True)
def _walk(start, ptr, adj, cost, p, q, ml, mr, seen, stamp, at, stack):  # type: ignore[no-untyped-def]
    """Look for a path of tight arcs from a free row to a free column and switch it; depth first."""
    depth = 0
    stack[0] = start
    seen[start] = stamp
    at[start] = ptr[start]
    while depth >= 0:
        i = stack[depth]
        advanced = False
        while at[i] < ptr[i + 1]:
            e = at[i]
            at[i] += 1
            j = adj[e]
            if cost[e] - p[i] - q[j] != 0:
                continue
            if mr[j] < 0:
                # The arc each row of the stack went along is the one before its pointer.
                for d in range(depth, -1, -1):
                    row = stack[d]
                    column = adj[at[row] - 1]
                    ml[row] = column
                    mr[column] = row
                return True
            other = mr[j]
            if seen[other] != stamp:
                seen[other] = stamp
                at[other] = ptr[other]
                depth += 1
                stack[depth] = other
                advanced = True
                break
        if not advanced:
            depth -= 1
    return False


@njit(cache=True, nogil=True)
def assign_some(ptr, adj, cost, p, q, ml, mr, state, budget):  # type: ignore[no-untyped-def]
    """Go on with the assignment problem for about `budget` arcs; return DONE, HOPELESS or MORE.

    `ptr`, (n + 1,), `adj` and `cost` are the arcs of each row. `p` and `q`, (n,) int64, are the prices of rows and
    columns: any integers to start with; at the end p_i + q_j <= c on every arc, with equality on the chosen ones. `ml`
    and `mr`, (n,) int32, are the column of each row and the row of each column, -1 for none. Rows whose price had to
    drop are freed. `state`, (4,) int64, says how to go on; it is zeros to start with. In between the prices hold on
    every arc, and the same is done as in one go. Successive shortest paths with prices: paths of tight arcs first
    (depth first), then one search (Dijkstra) from all free rows at once as long as a search frees the way for many of
    them, else from one free row at a time. O(n (a + n log n)) at most, a arcs.
    """
    n = ptr.size - 1
    free = 0
    fresh = state[BEGUN] == 0
    for i in range(n):
        if not fresh:
            if ml[i] < 0:
                free += 1
            continue
        best = cost[ptr[i]] - q[adj[ptr[i]]]
        mine = best
        for e in range(ptr[i], ptr[i + 1]):
            reduced = cost[e] - q[adj[e]]
            best = min(best, reduced)
            if adj[e] == ml[i]:
                mine = reduced
        p[i] = best
        if ml[i] >= 0 and mine > best:
            mr[ml[i]] = -1
            ml[i] = -1
        if ml[i] < 0:
            free += 1
    if fresh:
        state[BEGUN], state[TURN], state[MANY], state[BEFORE] = 1, 0, 1, -1
    spent = 0
    seen = np.zeros(n, np.int32)
    at = np.empty(n, np.int64)
    stack = np.empty(n + 1, np.int32)
    dist = np.empty(n, np.int64)
    pred = np.empty(n, np.int32)
    mark = np.zeros(n, np.int32)
    touched = np.empty(n, np.int32)
    settled = np.empty(n, np.int32)
    keys = np.empty(adj.size + 1, np.int64)
    items = np.empty(adj.size + 1, np.int32)
    stamp = 0
    turn = state[TURN]
    waiting = np.empty(n, np.int32)
    many = state[MANY] == 1
    while free > 0:
        before = free if state[BEFORE] < 0 else state[BEFORE]
        if many:
            while True:
                if spent > budget:
                    state[TURN], state[MANY], state[BEFORE] = turn, 1, before
                    return MORE
                spent += adj.size
                stamp += 1
                found = 0
                for i in range(n):
                    if ml[i] < 0 and _walk(i, ptr, adj, cost, p, q, ml, mr, seen, stamp, at, stack):
                        found += 1
                free -= found
                if found == 0 or free == 0:
                    break
        state[BEFORE] = -1
        if free == 0:
            break
        count = 0
        for i in range(n):
            if ml[i] < 0:
                waiting[count] = i
                count += 1
        many = turn == 0 or before - free > max(4, free // 50)
        turn += 1
        for w in range(1 if many else count):
            if not many and spent > budget:
                state[TURN], state[MANY] = turn, 0
                return MORE
            sources = count if many else 1
            turn += 1
            heap = 0
            reached = 0
            done = 0
            for s in range(sources):
                i = waiting[s] if many else waiting[w]
                spent += ptr[i + 1] - ptr[i]
                for e in range(ptr[i], ptr[i + 1]):
                    j = adj[e]
                    d = cost[e] - p[i] - q[j]
                    if mark[j] != turn or d < dist[j]:
                        mark[j] = turn
                        dist[j] = d
                        pred[j] = i
                        heap = _push(keys, items, heap, d, j)
            end = -1
            while heap > 0:
                d, j = keys[0], items[0]
                heap = _pop(keys, items, heap)
                if d > dist[j] or dist[j] < 0:
                    continue
                if mr[j] < 0:
                    end = j
                    break
                settled[done] = j
                done += 1
                touched[reached] = j
                reached += 1
                i = mr[j]
                spent += ptr[i + 1] - ptr[i]
                # Settled once: a second entry of equal distance must not be scanned again.
                dist[j] = -d - 1
                for e in range(ptr[i], ptr[i + 1]):
                    k = adj[e]
                    if mark[k] == turn and dist[k] < 0:
                        continue
                    far = d + cost[e] - p[i] - q[k]
                    if mark[k] != turn or far < dist[k]:
                        mark[k] = turn
                        dist[k] = far
                        pred[k] = i
                        heap = _push(keys, items, heap, far, k)
            if end < 0:
                return HOPELESS
            reach = dist[end]
            for s in range(done):
                j = settled[s]
                d = -dist[j] - 1
                q[j] -= reach - d
                p[mr[j]] += reach - d
            for s in range(sources):
                p[waiting[s] if many else waiting[w]] += reach
            j = end
            while True:
                i = pred[j]
                following = ml[i]
                ml[i] = j
                mr[j] = i
                if following < 0:
                    break
                j = following
            free -= 1
    return DONE


@njit(cache=True, nogil=True)
def assign(ptr, adj, cost, p, q, ml, mr):  # type: ignore[no-untyped-def]
    """Solve the assignment problem in place; return False if some row cannot be assigned.

    The arrays are as for `assign_some`.
    """
    return assign_some(ptr, adj, cost, p, q, ml, mr, np.zeros(4, np.int64), np.int64(1) << 62) == DONE
