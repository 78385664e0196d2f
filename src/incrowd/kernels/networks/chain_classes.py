"""Which nodes outside a closure look alike: classes separated by searches, and exact tests that none splits.

`split` separates classes by the distances to 64 boundary nodes; `exits` and `uniform` decide, without hashing, that
nothing splits any more; `flood` says whose distances can still matter. The keys: `incrowd.kernels.networks.chain`.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.chain_state import C1, C3, COUNTED, OUTSIDE, SIZE, ZERO, mix
from incrowd.kernels.networks.scan import spread
from incrowd.loops import njit

__all__ = ["exits", "flood", "split", "uniform"]


@njit(cache=True, nogil=True)
def exits(s, budget):  # type: ignore[no-untyped-def]
    """Decide exactly that no class can split, by the ways out of what is left.

    Two nodes whose distances, inside what is left, to every adjacent member agree are never told apart. Labels are
    refined by exact pairs (label, distance), member by member. At most `budget` edges may be walked.

    Returned is 1 when every class is uniform (so the classes by key are the true ones), 0 when some are not, whose
    keys' ``table_value`` is then -2, and -1 when the work passed `budget`.
    """
    num = s.number
    kept = num[OUTSIDE]
    for i in range(kept):
        s.label[s.outside[i]] = 0
        s.dist[s.outside[i]] = 0
    labels = 1
    work = 0
    table_limit = s.table_count.size
    pair_key = np.empty(64, np.uint64)
    pair_label = np.empty(64, np.int32)
    for i in range(num[SIZE]):
        m = s.members[i]
        if s.free[m] == 0:
            continue
        tail = 0
        for p in range(s.indptr[m], s.indptr[m + 1]):
            y = s.indices[p]
            if not s.inside[y]:
                s.dist[y] = 1
                s.queue[tail] = y
                tail += 1
        work += s.indptr[m + 1] - s.indptr[m]
        head = 0
        while head < tail:
            x = s.queue[head]
            head += 1
            nd = s.dist[x] + 1
            work += s.indptr[x + 1] - s.indptr[x]
            for p in range(s.indptr[x], s.indptr[x + 1]):
                y = s.indices[p]
                if not s.inside[y] and s.dist[y] == 0:
                    s.dist[y] = nd
                    s.queue[tail] = y
                    tail += 1
        if work > budget or labels > 2_000_000_000:
            for j in range(tail):
                s.dist[s.queue[j]] = 0
            return -1
        if tail == 1:
            x = s.queue[0]
            s.label[x] = labels
            labels += 1
            s.dist[x] = 0
            continue
        table = 4
        while table < 2 * tail:
            table *= 2
        if table > table_limit:  # cannot be: tail < n
            return -1
        if table > pair_key.size:
            pair_key = np.empty(table, np.uint64)
            pair_label = np.empty(table, np.int32)
        pair_label[:table] = -1
        mask = np.uint64(table - 1)
        for j in range(tail):
            x = s.queue[j]
            pair = (np.uint64(s.label[x]) << np.uint64(32)) | np.uint64(s.dist[x])
            at = mix(pair) & mask
            while pair_label[at] >= 0 and pair_key[at] != pair:
                at = (at + np.uint64(1)) & mask
            if pair_label[at] < 0:
                pair_key[at] = pair
                pair_label[at] = labels
                labels += 1
            s.label[x] = pair_label[at]
            s.dist[x] = 0
    for i in range(kept):
        s.table_value[s.slot[s.outside[i]]] = -1
    good = 1
    for i in range(kept):
        x = s.outside[i]
        at = s.slot[x]
        if s.table_value[at] == -1:
            s.table_value[at] = s.label[x]
        elif s.table_value[at] != s.label[x]:
            s.table_value[at] = -2
            good = 0
    return good


@njit(cache=True, nogil=True)
def flood(s, everything):  # type: ignore[no-untyped-def]
    """Mark the members whose distances can still matter, in ``s.relevant``; return their number.

    `s` is as `exits` left it. `everything` marks every member with a neighbour outside, as is needed when `exits` gave
    up.
    """
    num = s.number
    s.relevant[:] = False
    found = 0
    if everything:
        for i in range(num[SIZE]):
            m = s.members[i]
            if s.free[m] > 0:
                s.relevant[m] = True
                found += 1
        return found
    tail = 0
    for i in range(num[OUTSIDE]):
        x = s.outside[i]
        if s.table_value[s.slot[x]] == -2:
            s.relevant[x] = True  # on nodes outside the set: "walked"
            s.queue[tail] = x
            tail += 1
    head = 0
    while head < tail:
        x = s.queue[head]
        head += 1
        for p in range(s.indptr[x], s.indptr[x + 1]):
            y = s.indices[p]
            if not s.relevant[y]:
                s.relevant[y] = True
                if s.inside[y]:
                    found += 1
                else:
                    s.queue[tail] = y
                    tail += 1
    return found


@njit(cache=True, nogil=True)
def split(s, sources, buffers):  # type: ignore[no-untyped-def]
    """Mix the distances to up to 64 members into the keys of the nodes outside, level by level.

    `sources`, (b,) int32 with b <= 64, are distinct members. The keys of `s` are changed, in one bit-parallel search.
    """
    seen, cur, nxt, act, cand = buffers
    b = sources.size
    full = ZERO
    for i in range(b):
        bit = np.uint64(1) << np.uint64(i)
        full |= bit
        act[i] = sources[i]
        cur[sources[i]] = bit
        seen[sources[i]] = bit
        s.searched[sources[i]] = True
    nact = b
    level = np.uint64(0)
    while nact > 0:
        level += np.uint64(1)
        ncand, _ = spread(s.indptr, s.indices, full, seen, cur, nxt, act, nact, cand)
        for i in range(ncand):
            u = cand[i]
            seen[u] |= nxt[u]
            if not s.inside[u]:
                s.key[u] = mix(mix(s.key[u] ^ (nxt[u] * C1)) + level * C3 + s.salt[0]) & s.salt[1]
        for i in range(nact):
            cur[act[i]] = ZERO
        cur, nxt = nxt, cur
        act, cand = cand, act
        nact = ncand
    seen[:] = ZERO
    s.number[COUNTED] = -1


@njit(cache=True, nogil=True)
def uniform(s, sources, buffers):  # type: ignore[no-untyped-def]
    """Decide exactly whether up to 64 members see every class (by key, as last counted) at one distance.

    `sources`, (b,) int32 with b <= 64, are distinct members.
    """
    seen, cur, nxt, act, cand = buffers
    num = s.number
    b = sources.size
    representative = s.table_value
    for i in range(num[OUTSIDE]):
        x = s.outside[i]
        representative[s.slot[x]] = x
        s.label[x] = 0  # at a representative: how many of its class were met at this level
    full = ZERO
    for i in range(b):
        bit = np.uint64(1) << np.uint64(i)
        full |= bit
        act[i] = sources[i]
        cur[sources[i]] = bit
        seen[sources[i]] = bit
    nact = b
    good = True
    while nact > 0:
        ncand, _ = spread(s.indptr, s.indices, full, seen, cur, nxt, act, nact, cand)
        for i in range(ncand):
            u = cand[i]
            seen[u] |= nxt[u]
            if not s.inside[u]:
                s.label[representative[s.slot[u]]] += 1
        for i in range(ncand):
            u = cand[i]
            if not s.inside[u]:
                r = representative[s.slot[u]]
                if nxt[u] != nxt[r] or s.label[r] != s.table_count[s.slot[u]]:
                    good = False
        for i in range(ncand):
            if not s.inside[cand[i]]:
                s.label[representative[s.slot[cand[i]]]] = 0
        for i in range(nact):
            cur[act[i]] = ZERO
        cur, nxt = nxt, cur
        act, cand = cand, act
        nact = ncand
    seen[:] = ZERO
    return good
