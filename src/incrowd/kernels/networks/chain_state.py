"""The state of one closure under forced absorption: its arrays, and how a node joins the set."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "C1",
    "C2",
    "C3",
    "COUNTED",
    "HIT",
    "LEVEL",
    "OUTSIDE",
    "SIZE",
    "SMALLEST",
    "TOP",
    "VORONOI",
    "ZERO",
    "ChainState",
    "absorb",
    "make_state",
    "mix",
]

SIZE, TOP, LEVEL, OUTSIDE, HIT, SMALLEST, COUNTED, VORONOI, WORK = range(9)
ZERO = np.uint64(0)
C1 = np.uint64(0x9E3779B97F4A7C15)
C2 = np.uint64(0xBF58476D1CE4E5B9)
C3 = np.uint64(0x94D049BB133111EB)


class ChainState(NamedTuple):
    """Arrays of one closure; (n,) unless the line of a field gives another shape.

    Attributes
    ----------
    indptr, indices
        The graph.
    inside, members, outside
        Nodes of the set by flag and as a list, and the list of the others.
    free
        Neighbours outside the set, per node.
    queued, stack
        Members waiting to give up their few neighbours outside.
    searched, relevant
        Members whose distances are in the keys, and members whose distances can still matter.
    queue, dist, label, hash1, hash2
        Work space of the searches.
    key, slot, table_key, table_count, table_value
        A hash of what is known of a node's distances, its place in the hash table, and the table: keys, nodes per key,
        a value per key.
    basin, finished
        Pointer cycle that a node leads to, and whether that cycle is done with.
    number
        Scalars at the places SIZE, TOP, LEVEL, OUTSIDE, HIT, SMALLEST, COUNTED, VORONOI.
    salt
        Seed of the hashes, and the mask of the bits kept.
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
    number: NDArray[np.int64]  # (9,) the scalars named at the top
    salt: NDArray[np.uint64]  # (2,) seed and key mask


def make_state(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    basin: NDArray[np.int32],
    basins: int,
    seed: int,
    key_mask: int = 0xFFFFFFFFFFFFFFFF,
) -> ChainState:
    """Allocate the arrays of a closure: about 130 bytes a node.

    The graph is in CSR form. `basin`, (n,), is the pointer cycle that each node leads to, below `basins`. `seed` is
    that of the hashes, and `key_mask` has the bits of the keys that are kept.
    """
    n = indptr.size - 1
    table = 4
    while table < 2 * n:
        table *= 2

    def ints() -> NDArray[np.int32]:
        return np.zeros(n, np.int32)

    def words() -> NDArray[np.uint64]:
        return np.zeros(n, np.uint64)

    def flags() -> NDArray[np.bool_]:
        return np.zeros(n, np.bool_)

    return ChainState(
        indptr, indices, flags(), flags(), flags(), flags(), ints(), ints(), ints(), ints(), ints(), ints(), ints(),
        ints(), words(), words(), words(), np.zeros(table, np.uint64), np.zeros(table, np.int32),
        np.zeros(table, np.int32), basin, np.zeros(basins, np.bool_), np.zeros(9, np.int64),
        np.array([seed & 0xFFFFFFFFFFFFFFFF, key_mask], np.uint64),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def mix(x):  # type: ignore[no-untyped-def]
    """Return a 64-bit number whose bits all depend on those of `x`, a uint64."""
    x = (x ^ (x >> np.uint64(30))) * C2
    x = (x ^ (x >> np.uint64(27))) * C3
    return x ^ (x >> np.uint64(31))


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
