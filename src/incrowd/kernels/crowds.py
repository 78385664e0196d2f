"""The classes of two releases that contradict each other nowhere.

A class with level vector p and one with level vector q fit where their nodes agree at the higher of both levels in
every column, so for each pair (p, q) the classes that fit are those of equal nodes at max(p, q): a key. Every class has
at most one key a vector of the other release, and no pair of classes shares two keys.
"""

# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import following, grown, probe, room
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def _hash(nodes, row, places):
    """Return a well mixed hash of the nodes of a class at some places."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for j in range(places.size):
        h = (h ^ np.uint64(nodes[row, places[j]] + 1)) * np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    h *= np.uint64(0x94D049BB133111EB)
    h ^= h >> np.uint64(32)
    return h


@njit(cache=True, nogil=True)
def _equal(left, i, right, j, places):
    """Return whether two classes show the same nodes at some places."""
    for c in range(places.size):  # noqa: SIM110 - a loop that numba compiles
        if left[i, places[c]] != right[j, places[c]]:
            return False
    return True


@njit(cache=True, nogil=True)
def meet(pairs, first_vectors, second_vectors, offsets, first, second, first_start, second_start, keys):
    """Return the keys at which classes of two releases meet, for some pairs of level vectors.

    `pairs`, (r, 2) int64, has level vectors of either release, by their place; `first_vectors` and `second_vectors`,
    (v, m) int64, are the level vectors in use. `offsets`, (m,) int64, is the place of each column's level 0 in `first`
    and `second`, (classes, w) int32, which hold the node of each class at every level from its own up; -1 below.
    Classes lie by level vector: `first_start` and `second_start`, (v + 1,) int64, say where those of each begin. `keys`
    counts the keys that there are already. Returned are the new count, and four (e,) int32 arrays with the classes that
    meet others, and where: class and key of the first release, class and key of the second.
    """
    m = offsets.size
    a_class, a_key = np.empty(1024, np.int32), np.empty(1024, np.int32)
    b_class, b_key = np.empty(1024, np.int32), np.empty(1024, np.int32)
    a_size, b_size = 0, 0
    places = np.empty(m, np.int64)
    hashes, slots, numbers = np.empty(16, np.uint64), np.empty(16, np.int32), np.empty(16, np.int32)
    entry = np.empty(16, np.int32)
    for r in range(pairs.shape[0]):
        p, q = pairs[r, 0], pairs[r, 1]
        for j in range(m):
            places[j] = offsets[j] + max(first_vectors[p, j], second_vectors[q, j])
        begin, end = first_start[p], first_start[p + 1]
        size = room(end - begin)
        if size > slots.size:
            hashes, slots = np.empty(size, np.uint64), np.empty(size, np.int32)
            numbers, entry = np.empty(size, np.int32), np.empty(size, np.int32)
        table = slots[:size]
        table[:] = -1
        for i in range(begin, end):  # an entry is the first class with its nodes
            h = _hash(first, i, places)
            hashes[i - begin], numbers[i - begin] = h, -1
            at = probe(table, hashes, h, h)
            while table[at] >= 0 and not _equal(first, i, first, begin + table[at], places):
                at = probe(table, hashes, h, following(at))
            if table[at] < 0:
                table[at] = i - begin
            entry[i - begin] = table[at]
        for i in range(second_start[q], second_start[q + 1]):
            h = _hash(second, i, places)
            at = probe(table, hashes, h, h)
            while table[at] >= 0 and not _equal(second, i, first, begin + table[at], places):
                at = probe(table, hashes, h, following(at))
            if table[at] < 0:
                continue
            if numbers[table[at]] < 0:
                numbers[table[at]] = keys
                keys += 1
            if b_size == b_class.size:
                b_class, b_key = grown(b_class, b_size), grown(b_key, b_size)
            b_class[b_size], b_key[b_size] = i, numbers[table[at]]
            b_size += 1
        for i in range(begin, end):
            number = numbers[entry[i - begin]]
            if number >= 0:
                if a_size == a_class.size:
                    a_class, a_key = grown(a_class, a_size), grown(a_key, a_size)
                a_class[a_size], a_key[a_size] = i, number
                a_size += 1
    return keys, a_class[:a_size].copy(), a_key[:a_size].copy(), b_class[:b_size].copy(), b_key[:b_size].copy()
