"""Bit-parallel breadth-first search: 64 sources at once, with the size of every layer of every source.

A word holds one bit per source. A level either pushes from the active nodes or, when they own a good part of
the edges, pulls into the nodes that some source has not reached yet. Layer sizes are counted in byte lanes
(eight adds a word) that are emptied every 255 words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONES = np.uint64(0x0101010101010101)
ZERO = np.uint64(0)


class ScanBuffers(NamedTuple):
    """Work space of bit-parallel searches.

    `seen`, `cur`, `nxt`: (n,) uint64, a bit a source: met so far, met at this level, met at the next. All zero between
    calls. `act`, `cand`: (n,) int32, nodes with bits in `cur` and in `nxt`.
    """

    seen: NDArray[np.uint64]
    cur: NDArray[np.uint64]
    nxt: NDArray[np.uint64]
    act: NDArray[np.int32]
    cand: NDArray[np.int32]


def scan_buffers(n: int) -> ScanBuffers:
    """Allocate the work space for a graph of n nodes: 32 bytes a node."""
    return ScanBuffers(
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
    )


@njit(cache=True, nogil=True)
def begin(sources, seen, cur, act):  # type: ignore[no-untyped-def]
    """Begin a search from up to 64 distinct sources, in buffers that are all zero; return the bits of all sources."""
    full = ZERO
    for i in range(sources.size):
        bit = np.uint64(1) << np.uint64(i)
        full |= bit
        act[i] = sources[i]
        cur[sources[i]] = bit
        seen[sources[i]] = bit
    return full


@njit(cache=True, nogil=True)
def spread(indptr, indices, full, seen, cur, nxt, act, nact, cand):  # type: ignore[no-untyped-def]
    """Search one level: write the new bits of every node into `nxt`, and the nodes that have some into `cand`.

    Return the number of nodes with new bits, and the edges walked, weighted by the time one takes in either direction
    against that in a plain search (measured: about a third when pulling, three times when pushing).

        `full`: uint64, the bits of all sources.
        `seen`, `cur`: (n,) uint64, the bits met so far and at the last level.
        `nxt`: (n,) uint64, a result that holds zeros to start with; `cand`: (n,) int32, a result.
        `act`: (n,) int32, whose first `nact` are the nodes with bits in `cur`.
    """
    n = indptr.size - 1
    work = 0
    for i in range(nact):
        work += indptr[act[i] + 1] - indptr[act[i]]
    ncand = 0
    if work * 5 < indptr[n]:
        for i in range(nact):
            v = act[i]
            word = cur[v]
            for p in range(indptr[v], indptr[v + 1]):
                u = indices[p]
                new = word & ~seen[u]
                if new != ZERO:
                    if nxt[u] == ZERO:
                        cand[ncand] = u
                        ncand += 1
                    nxt[u] |= new
    else:
        for u in range(n):
            missing = full & ~seen[u]
            if missing == ZERO:
                continue
            new = ZERO
            for p in range(indptr[u], indptr[u + 1]):
                new |= cur[indices[p]]
                if missing & ~new == ZERO:
                    break
            new &= missing
            if new != ZERO:
                nxt[u] = new
                cand[ncand] = u
                ncand += 1
        return ncand, indptr[n] // 3
    return ncand, 3 * work


@njit(cache=True, nogil=True)
def scan(indptr, indices, sources, floor, buffers, mu, pointer, singles, layers):  # type: ignore[no-untyped-def]
    """Find the smallest layer of every source; return the work.

    The work is the edges walked, weighted so that the 2m of one plain search take as long. The graph need not be
    connected: the unreached nodes are a layer of their own. `sources` is (b,) int32, distinct, with b <= 64. The search
    ends as soon as every source has a layer of at most `floor` nodes; -1 asks for exact values. It takes O((n + m) d)
    time at worst for d levels, and moves O(n + m) words for low diameters. The results are written into the last four
    arguments. `mu`, `pointer` and `singles`, (b,) int64, get the smallest layer met (exact unless at most `floor`), one
    of its nodes, and the number of layers of one node. `layers`, (64, levels) int32, gets the nodes at distance 1, 2,
    ... of every source, as far as there is room and the search went.
    """
    seen, cur, nxt, act, cand = buffers
    n = indptr.size - 1
    b = sources.size
    lanes = np.zeros(8, np.uint64)
    counts = np.zeros(64, np.int64)
    reached = np.ones(64, np.int64)
    full = begin(sources, seen, cur, act)
    mu[:b] = n
    pointer[:b] = -1
    singles[:b] = 0
    nact = b
    work = 0
    level = 0
    layers[:] = 0
    while nact > 0:
        ncand, edges = spread(indptr, indices, full, seen, cur, nxt, act, nact, cand)
        work += edges
        counts[:] = 0
        filled = 0
        for i in range(ncand):
            u = cand[i]
            w = nxt[u]
            seen[u] |= w
            for k in range(8):
                lanes[k] += (w >> np.uint64(k)) & ONES
            filled += 1
            if filled == 255 or i == ncand - 1:
                for k in range(8):
                    x = lanes[k]
                    lanes[k] = ZERO
                    for q in range(8):
                        counts[q * 8 + k] += np.int64((x >> np.uint64(8 * q)) & np.uint64(255))
                filled = 0
        for i in range(nact):
            cur[act[i]] = ZERO
        fresh = ZERO
        low = True
        for i in range(b):
            c = counts[i]
            if level < layers.shape[1]:
                layers[i, level] = c
            if c > 0:
                reached[i] += c
                if c == 1:
                    singles[i] += 1
                if c < mu[i]:
                    mu[i] = c
                    fresh |= np.uint64(1) << np.uint64(i)
            if mu[i] > floor:
                low = False
        level += 1
        i = 0
        while fresh != ZERO:
            hit = nxt[cand[i]] & fresh
            if hit != ZERO:
                fresh &= ~hit
                for q in range(64):
                    if (hit >> np.uint64(q)) & np.uint64(1):
                        pointer[q] = cand[i]
            i += 1
        cur, nxt = nxt, cur
        act, cand = cand, act
        nact = ncand
        if low:
            break
    for i in range(nact):
        cur[act[i]] = ZERO
    if nact == 0:  # walked to the end: whoever is unreached shares the infinite distance
        for i in range(b):
            rest = n - reached[i]
            if rest == 1:
                singles[i] += 1
            if 0 < rest < mu[i]:
                mu[i] = rest
                for u in range(n):
                    if not (seen[u] >> np.uint64(i)) & np.uint64(1):
                        pointer[i] = u
                        break
    seen[:] = ZERO
    return work


@njit(cache=True, nogil=True)
def ball(indptr, indices, start, wanted, open_, mark, stamp, queue):  # type: ignore[no-untyped-def]
    """Collect up to `wanted` nodes with ``open_`` set, breadth first from `start`; their bits are cleared.

    Neighbouring sources share most of their frontiers, so that one scan of a compact ball costs little more than one
    search. The walk gives up after 64 nodes per wanted one. The nodes found are returned, (found,) int32. `open_`, (n,)
    bool, is changed in place. `mark`, (n,) int32 work space, comes without `stamp` and is left with it at the nodes
    met; `queue` is (n,) int32 work space.
    """
    out = np.empty(wanted, np.int32)
    found = 0
    mark[start] = stamp
    queue[0] = start
    head, tail = 0, 1
    while head < tail and found < wanted and head < 64 * wanted:
        x = queue[head]
        head += 1
        if open_[x]:
            open_[x] = False
            out[found] = x
            found += 1
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if mark[y] != stamp:
                mark[y] = stamp
                queue[tail] = y
                tail += 1
    return out[:found].copy()


@njit(cache=True, nogil=True)
def smallest_beside(distances, label, span, first, wanted):  # type: ignore[no-untyped-def]
    """Find the smallest class that a set leaves with one node more, from node `first` on; return its size and the node.

    `distances` is (n, n) int16, -1 between components, and `span` the largest distance and 2. `label`, (n,) int32, has
    the classes of the set, which is without nodes from `first` on; -1 at its members. The search ends at a class of
    `wanted` nodes or fewer, and returns n and -1 where there is nobody left. O(n + classes * span) time a node.
    """
    n = distances.shape[0]
    counts = np.empty((label.max() + 1) * span, np.int32)
    least = n
    where = -1
    for w in range(first, n):
        counts[:] = 0
        for x in range(n):
            if label[x] >= 0 and x != w:
                counts[label[x] * span + distances[w, x] + 1] += 1
        for c in counts:
            if 0 < c < least:
                least = c
                where = w
        if least <= wanted:
            break
    return least, where


# Certificates: two searches that give thousands of nodes a small class without searching from them.
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
    away from w, without any search from c. The graph is connected. `from_far`, (n,) int32, holds the distances from w,
    which is `far`; `starts` is (s,) int32. `seen`, (n,) bool, marks the nodes met before from this w and is added to,
    so that all calls for one w cost O(n + m) together. `queue` is (n,) int32 work space; `open_` and `pointer` are as
    in `certify`.
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
