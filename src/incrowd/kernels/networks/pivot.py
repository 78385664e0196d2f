"""Certificates: two searches that give thousands of nodes a small class without searching from them."""

from __future__ import annotations

from incrowd.loops import njit

__all__ = ["certify", "descend"]


@njit(cache=True, nogil=True)
def certify(from_pivot, from_far, tail, floor, far, open_, pointer):  # type: ignore[no-untyped-def]
    """Resolve every open node that provably has a layer of at most `floor` nodes around `far`; return how many.

    All x with d(v, x) >= d(v, w) have d(c, x) >= d(v, w) - d(v, c) =: j, so the layer of v that holds w has at most
    ``tail[j]`` nodes (those at distance j or more from the pivot c). The far node w is `far`.

        `from_pivot`, `from_far`: (n,) int32, distances from c and from w in a connected graph.
        `tail`: (ecc + 2,) int64; ``tail[j]`` nodes lie at distance j or more from c, 0 beyond its end.
        `open_`: (n,) bool, cleared at the nodes resolved; `pointer`: (n,) int32, set to `far` there.
    """
    resolved = 0
    for v in range(open_.size):
        if not open_[v] or v == far:
            continue
        j = from_far[v] - from_pivot[v]
        if j > 0 and (j >= tail.size or tail[j] <= floor):
            open_[v] = False
            pointer[v] = far
            resolved += 1
    return resolved


@njit(cache=True, nogil=True)
def descend(indptr, indices, from_far, starts, seen, queue, far, open_, pointer):  # type: ignore[no-untyped-def]
    """Resolve every open node behind the `starts`, seen from the far node.

    Let c be a start, w the far node, and let at most `floor` nodes lie at distance d(c, w) or more from c (the caller
    has seen to that). A node x with d(x, w) = d(x, c) + d(c, w) has a layer of at most as many nodes around w: d(x, y)
    = d(x, w) implies d(c, y) >= d(x, w) - d(x, c) = d(c, w). Such nodes are met by walking from c along edges that lead
    away from w, without any search from c.

    The graph is connected. `from_far`, (n,) int32, holds the distances from w, which is `far`; `starts` is (s,) int32.
    `seen`, (n,) bool, marks the nodes met before from this w and is added to, so that all calls for one w cost O(n + m)
    together. `queue` is (n,) int32 work space; `open_` and `pointer` are as in `certify`.
    """
    tail = 0
    for s in starts:
        if not seen[s]:
            seen[s] = True
            queue[tail] = s
            tail += 1
    head = 0
    while head < tail:
        x = queue[head]
        head += 1
        if open_[x]:
            open_[x] = False
            pointer[x] = far
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if not seen[y] and from_far[y] == from_far[x] + 1:
                seen[y] = True
                queue[tail] = y
                tail += 1
