"""Closure of a node set under forced absorption: the array core.

At level k every class of fewer than k nodes must be absorbed; the fixpoint is the least set that contains the
start and leaves only classes of k or more. `settle` does what needs no search (nodes with few neighbours left
outside, classes already known to be small, one Voronoi search from the whole set);
`incrowd.kernels.networks.chain` separates classes by searches, and decides that nothing splits any more.

Keys are 64-bit hashes of what is known about a node's distances. Different keys prove different distances, so no
absorption is ever wrong; equal keys prove nothing, which is why a set is only recorded after `exits` or `uniform`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.kernels.hash_table import room, slot
from incrowd.kernels.networks.scan import begin, spread
from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

READY, OVER = 1, 0


@njit(cache=True, nogil=True)
def start(s, seeds, level):  # type: ignore[no-untyped-def]
    """Begin a closure. O(n + degrees of the seeds) time.

    `seeds`, (b,) integers, are distinct nodes. Classes of fewer nodes than `level`, which is from 1, are absorbed.
    """
    n = s.indptr.size - 1
    num = s.number
    num[:] = 0
    num[LEVEL] = level
    num[OUTSIDE] = n
    num[COUNTED] = -1
    num[VORONOI] = -1
    s.inside[:] = False
    s.queued[:] = False
    s.searched[:] = False
    s.key[:] = ZERO
    for x in range(n):
        s.outside[x] = x
        s.free[x] = s.indptr[x + 1] - s.indptr[x]
    for i in range(seeds.size):
        absorb(s, seeds[i])
    num[HIT] = 0


@njit(cache=True, nogil=True)
def _percolate(s):  # type: ignore[no-untyped-def]
    num = s.number
    while num[TOP] > 0 and not num[HIT]:
        num[TOP] -= 1
        x = s.stack[num[TOP]]
        s.queued[x] = False
        if not 0 < s.free[x] < num[LEVEL]:
            continue
        for p in range(s.indptr[x], s.indptr[x + 1]):
            y = s.indices[p]
            if not s.inside[y]:
                absorb(s, y)


@njit(cache=True, nogil=True)
def _count(s):  # type: ignore[no-untyped-def]
    """Count the classes by key and absorb those below the level; True when something was absorbed."""
    num = s.number
    kept = 0
    for i in range(num[OUTSIDE]):
        x = s.outside[i]
        if not s.inside[x]:
            s.outside[kept] = x
            kept += 1
    num[OUTSIDE] = kept
    table = room(kept)
    s.table_count[:table] = 0
    for i in range(kept):
        x = s.outside[i]
        at = slot(s.table_key[:table], s.table_count, 1, s.key[x], s.key[x])
        s.table_key[at] = s.key[x]
        s.table_count[at] += 1
        s.slot[x] = np.int32(at)
    smallest = kept + 1
    before = num[SIZE]
    for i in range(kept):
        x = s.outside[i]
        c = s.table_count[s.slot[x]]
        if c < smallest:
            smallest = c
        if c < num[LEVEL]:
            absorb(s, x)
    num[SMALLEST] = smallest
    num[COUNTED] = before
    return num[SIZE] > before


@njit(cache=True, nogil=True)
def _voronoi(s):  # type: ignore[no-untyped-def]
    """Split by the distance to the set and by two min-hashes of the nearest members: one search, O(n + m).

    Both are functions of a node's distances: paths to a nearest member run outside the set.
    """
    num = s.number
    for i in range(num[OUTSIDE]):
        s.dist[s.outside[i]] = 0
    tail = 0
    for i in range(num[SIZE]):
        m = s.members[i]
        if s.free[m] == 0:
            continue
        a = mix((np.uint64(m) + np.uint64(1)) * C1 + s.salt[0])
        b = mix(a + C2)
        for p in range(s.indptr[m], s.indptr[m + 1]):
            y = s.indices[p]
            if s.inside[y]:
                continue
            if s.dist[y] == 0:
                s.dist[y] = 1
                s.hash1[y] = a
                s.hash2[y] = b
                s.queue[tail] = y
                tail += 1
            else:
                s.hash1[y] = min(s.hash1[y], a)
                s.hash2[y] = min(s.hash2[y], b)
    head = 0
    while head < tail:
        x = s.queue[head]
        head += 1
        nd = s.dist[x] + 1
        for p in range(s.indptr[x], s.indptr[x + 1]):
            y = s.indices[p]
            if s.inside[y]:
                continue
            if s.dist[y] == 0:
                s.dist[y] = nd
                s.hash1[y] = s.hash1[x]
                s.hash2[y] = s.hash2[x]
                s.queue[tail] = y
                tail += 1
            elif s.dist[y] == nd:
                s.hash1[y] = min(s.hash1[y], s.hash1[x])
                s.hash2[y] = min(s.hash2[y], s.hash2[x])
    for i in range(tail):
        y = s.queue[i]
        key = mix(s.key[y] + np.uint64(s.dist[y]) * C1)
        key = mix(key ^ s.hash1[y])
        s.key[y] = mix(key + s.hash2[y])
    num[VORONOI] = num[SIZE]


@njit(cache=True, nogil=True)
def settle(s, best, top):  # type: ignore[no-untyped-def]
    """Absorb whatever is forced at the current level without a search of the whole graph.

    `best`, (top + 1,) int64, is the size of the smallest set found for every level; levels at which the current set
    cannot win are skipped. `top` is the last level of interest. OVER is returned when the set is everything, meets a
    finished basin, or cannot win at any level up to `top`. Else READY is returned: every class by key has at least
    ``number[LEVEL]`` nodes, and ``number[SMALLEST]`` is the size of the smallest.
    """
    n = s.indptr.size - 1
    num = s.number
    while True:
        _percolate(s)
        if num[SIZE] == n or num[HIT]:
            return OVER
        level = num[LEVEL]
        while level <= top and best[level] <= num[SIZE]:
            level += 1
        if level > top:
            return OVER
        if level > num[LEVEL]:
            num[LEVEL] = level
            num[COUNTED] = -1
            for i in range(num[SIZE]):
                x = s.members[i]
                if 0 < s.free[x] < level:
                    s.queued[x] = True
                    s.stack[num[TOP]] = x
                    num[TOP] += 1
            if num[TOP] > 0:
                continue
        if num[VORONOI] != num[SIZE]:
            _voronoi(s)
            num[COUNTED] = -1
        if num[COUNTED] != num[SIZE] and _count(s):
            continue
        return READY


@njit(cache=True, nogil=True)
def raise_level(s, level):  # type: ignore[no-untyped-def]
    """Go on at a higher level, above the level so far, after a set was recorded."""
    num = s.number
    num[LEVEL] = level
    num[COUNTED] = -1
    for i in range(num[SIZE]):
        x = s.members[i]
        if 0 < s.free[x] < level and not s.queued[x]:
            s.queued[x] = True
            s.stack[num[TOP]] = x
            num[TOP] += 1


# Which nodes outside a closure look alike: classes separated by searches, and exact tests that none splits.
#
# `split` separates classes by the distances to 64 boundary nodes; `exits` and `uniform` decide, without hashing, that
# nothing splits any more; `flood` says whose distances can still matter. The keys: `incrowd.kernels.networks.chain`.
@njit(cache=True, nogil=True)
def exits(s, budget):  # type: ignore[no-untyped-def]
    """Decide exactly that no class can split, by the ways out of what is left.

    Two nodes whose distances, inside what is left, to every adjacent member agree are never told apart. Labels are
    refined by exact pairs (label, distance), member by member. At most `budget` edges may be walked. Returned is 1 when
    every class is uniform (so the classes by key are the true ones), 0 when some are not, whose keys' ``table_value``
    is then -2, and -1 when the work passed `budget`.
    """
    num = s.number
    kept = num[OUTSIDE]
    for i in range(kept):
        s.label[s.outside[i]] = 0
        s.dist[s.outside[i]] = 0
    labels = 1
    work = 0
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
        labels = name_pairs(s.label, s.dist, s.queue[:tail], labels)
        for j in range(tail):
            s.dist[s.queue[j]] = 0
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
    full = begin(sources, seen, cur, act)
    s.searched[sources] = True
    nact = sources.size
    level = np.uint64(0)
    while nact > 0:
        level += np.uint64(1)
        ncand, _ = spread(s.indptr, s.indices, full, seen, cur, nxt, act, nact, cand)
        for i in range(ncand):
            u = cand[i]
            seen[u] |= nxt[u]
            if not s.inside[u]:
                s.key[u] = mix(mix(s.key[u] ^ (nxt[u] * C1)) + level * C3 + s.salt[0])
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
    representative = s.table_value
    for i in range(num[OUTSIDE]):
        x = s.outside[i]
        representative[s.slot[x]] = x
        s.label[x] = 0  # at a representative: how many of its class were met at this level
    full = begin(sources, seen, cur, act)
    nact = sources.size
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


# The state of one closure under forced absorption: its arrays, and how a node joins the set.
SIZE, TOP, LEVEL, OUTSIDE, HIT, SMALLEST, COUNTED, VORONOI = range(8)
ZERO = np.uint64(0)
C1 = np.uint64(0x9E3779B97F4A7C15)
C2 = np.uint64(0xBF58476D1CE4E5B9)
C3 = np.uint64(0x94D049BB133111EB)


class ChainState(NamedTuple):
    """Arrays of one closure; (n,) unless the line of a field gives another shape.

    `indptr`, `indices`: the graph. `inside`, `members`, `outside`: nodes of the set by flag and as a list, and the list
    of the others. `free`: neighbours outside the set, per node. `queued`, `stack`: members waiting to give up their few
    neighbours outside. `searched`, `relevant`: members whose distances are in the keys, and members whose distances can
    still matter. `queue`, `dist`, `label`, `hash1`, `hash2`: work space of the searches. `key`, `slot`, `table_key`,
    `table_count`, `table_value`: a hash of what is known of a node's distances, its place in the hash table, and the
    table: keys, nodes per key, a value per key. `basin`, `finished`: pointer cycle that a node leads to, and whether
    that cycle is done with. `number`: scalars at the places SIZE, TOP, LEVEL, OUTSIDE, HIT, SMALLEST, COUNTED, VORONOI.
    `salt`: seed of the hashes.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    inside: NDArray[np.bool_]
    queued: NDArray[np.bool_]
    searched: NDArray[np.bool_]
    relevant: NDArray[np.bool_]
    free: NDArray[np.int32]  # neighbours outside the set
    members: NDArray[np.int32]
    outside: NDArray[np.int32]
    stack: NDArray[np.int32]
    queue: NDArray[np.int32]
    dist: NDArray[np.int32]
    label: NDArray[np.int32]
    slot: NDArray[np.int32]
    key: NDArray[np.uint64]
    hash1: NDArray[np.uint64]
    hash2: NDArray[np.uint64]
    table_key: NDArray[np.uint64]  # (T,), T a power of two, at least 2n
    table_count: NDArray[np.int32]  # (T,)
    table_value: NDArray[np.int32]  # (T,)
    basin: NDArray[np.int32]
    finished: NDArray[np.bool_]  # per basin
    number: NDArray[np.int64]  # (8,) the scalars named at the top
    salt: NDArray[np.uint64]  # (1,)


def make_state(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], basin: NDArray[np.int32], basins: int, seed: int
) -> ChainState:
    """Allocate the arrays of a closure: about 130 bytes a node.

    The graph is in CSR form. `basin`, (n,), is the pointer cycle that each node leads to, below `basins`. `seed` is
    that of the hashes.
    """
    n = indptr.size - 1
    table = room(n)

    def ints() -> NDArray[np.int32]:
        return np.zeros(n, np.int32)

    def words() -> NDArray[np.uint64]:
        return np.zeros(n, np.uint64)

    def flags() -> NDArray[np.bool_]:
        return np.zeros(n, np.bool_)

    return ChainState(
        indptr, indices, flags(), flags(), flags(), flags(), ints(), ints(), ints(), ints(), ints(), ints(), ints(),
        ints(), words(), words(), words(), np.zeros(table, np.uint64), np.zeros(table, np.int32),
        np.zeros(table, np.int32), basin, np.zeros(basins, np.bool_), np.zeros(8, np.int64),
        np.array([seed], np.uint64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def mix(x):  # type: ignore[no-untyped-def]
    """Return a 64-bit number whose bits all depend on those of `x`, a uint64."""
    x = (x ^ (x >> np.uint64(30))) * C2
    x = (x ^ (x >> np.uint64(27))) * C3
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True)
def name_pairs(label, dist, nodes, first):  # type: ignore[no-untyped-def]
    """Give the nodes listed new labels, one a pair (label, distance), from `first` on; return the next label.

    `label`, (n,) int32, is changed in place at `nodes`, (s,) integers, which are numbered as they come; no label is
    negative there, and no distance below -1. Expected O(s) time.
    """
    table = room(nodes.size)
    keys, names = np.empty(table, np.uint64), np.full(table, -1, np.int32)
    for x in nodes:
        pair = (np.uint64(label[x]) << np.uint64(32)) | np.uint64(dist[x] + 1)
        at = slot(keys, names, 0, pair, mix(pair))
        if names[at] < 0:
            keys[at] = pair
            names[at] = first
            first += 1
        label[x] = names[at]
    return first


@njit(cache=True, nogil=True)
def absorb(s, x):  # type: ignore[no-untyped-def]
    """Take a node outside the set into it, and note which nodes have few neighbours left outside. O(degree)."""
    num = s.number
    s.inside[x] = True
    s.members[num[SIZE]] = x
    num[SIZE] += 1
    if s.finished[s.basin[x]]:
        num[HIT] = 1
    level = num[LEVEL]
    if 0 < s.free[x] < level and not s.queued[x]:
        s.queued[x] = True
        s.stack[num[TOP]] = x
        num[TOP] += 1
    for p in range(s.indptr[x], s.indptr[x + 1]):
        z = s.indices[p]
        s.free[z] -= 1
        if s.inside[z] and 0 < s.free[z] < level and not s.queued[z]:
            s.queued[z] = True
            s.stack[num[TOP]] = z
            num[TOP] += 1
