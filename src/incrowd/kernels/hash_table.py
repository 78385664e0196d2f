"""One hash table for the kernels: where a key lies, or where it would go.

Open addressing with linear probing over arrays that the caller owns, so that a table is emptied, stamped or counted
in as its loop needs it. Nothing is removed and nothing grows: a table is made once, with `room` for all the keys it
may ever hold, and is at most half full; then a probe ends after a few steps and always at a free slot.

A slot's place comes from `spread`, a 64-bit number whose low bits are well mixed. Which keys are equal is never
guessed: `slot` compares whole keys; `probe` compares whole hashes and leaves it to the caller to compare what was
hashed, and to go on behind the slot where that differs.

Tables of their own have, for the reason given: `networks.chain` (11 % slower over this one, on 200,000 nodes) and
`networks.chain_classes` (0 to 10 % slower, and of one state with the former), `networks.text` (compares bytes, holds
no hashes), `matching.metric` (keys of several words, which a full table refuses).

References
----------
D. E. Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithm L.
"""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit


@njit(cache=True, nogil=True)
def room(keys):  # type: ignore[no-untyped-def]
    """Return the slots of a table for at most `keys` keys: a power of two, at least twice as many and at least 16.

    `keys` is at least 0.
    """
    size = 16
    while size < 2 * keys:
        size *= 2
    return size


@njit(cache=True, nogil=True)
def slot(keys, marks, taken, key, spread):  # type: ignore[no-untyped-def]
    """Return the slot that holds a key, or the free one where it goes, as uint64.

    `keys`, (size,) uint64, is read where the slot is taken; `size` is a power of two. A slot is taken where its mark in
    `marks`, (size,) integers, is at least `taken`: 1 for counts, 0 for numbers, the round for stamps that only rise
    (slots of earlier rounds are free again). `key` and `spread` are uint64. Nothing is changed: a caller that adds the
    key writes `keys` and `marks` there.
    """
    low = np.uint64(keys.size - 1)
    at = spread & low
    while marks[at] >= taken and keys[at] != key:
        at = (at + np.uint64(1)) & low
    return at


@njit(cache=True, nogil=True)
def probe(slots, hashes, wanted, spread):  # type: ignore[no-untyped-def]
    """Return the first slot from `spread` on whose entry has the wanted hash, or the free one before it.

    `slots`, (size,) int32, has the entry of each slot, -1 where it is free; `size` is a power of two. `hashes`, uint64,
    is the hash of each entry; `wanted` and `spread` are uint64. To go on behind a slot whose entry only has the same
    hash, `spread` is `following` of it.
    """
    low = np.uint64(slots.size - 1)
    at = spread & low
    while slots[at] >= 0 and hashes[slots[at]] != wanted:
        at = (at + np.uint64(1)) & low
    return at


@njit(cache=True, nogil=True)
def following(at):  # type: ignore[no-untyped-def]
    """Return where `probe` goes on behind a slot."""
    return np.uint64(at) + np.uint64(1)


# Arrays copied value by value: an array for a part of another compiles the words of an error too, some 35 functions.
@njit(cache=True, nogil=True)
def copy(values, out, size):  # type: ignore[no-untyped-def]
    """Write the first `size` values of an array into another."""
    for x in range(size):
        out[x] = values[x]


@njit(cache=True, nogil=True)
def grown(array, size):  # type: ignore[no-untyped-def]
    """Return an array of twice the room whose first `size` values are those of `array`."""
    out = np.empty(2 * array.size, array.dtype)
    for x in range(size):
        out[x] = array[x]
    return out


# Hashes of what rows show under a pattern: sums over its columns.
@njit(cache=True, nogil=True)
def add_columns(table, start, heights, vectors, last, p, sums, at):  # type: ignore[no-untyped-def]
    """Bring the partial sums of hashes from pattern `last` (none: -1) to pattern p; return the line of `sums` with it.

    ``sums[at[j]]`` is the sum over the columns before j, so only the columns from the first difference on are added
    anew: lists of patterns in lexicographic order share most of the work. Columns at their top level add nothing.
    """
    m = vectors.shape[1]
    first = 0
    if last >= 0:
        while first < m and vectors[p, first] == vectors[last, first]:
            first += 1
    for j in range(first, m):
        level = vectors[p, j]
        if level == heights[j] and level > 0:
            at[j + 1] = at[j]
            continue
        line = table[start[j] + level]
        below = sums[at[j]]
        here = sums[j + 1]
        for i in range(line.size):
            here[i] = below[i] + line[i]
        at[j + 1] = j + 1
    return at[m]


# Random numbers by splitmix64, for kernels that keep its state in an array of their own.
#
# Source: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
STEP = np.uint64(0x9E3779B97F4A7C15)  # added to the state before each number


@njit(cache=True, nogil=True)
def fraction(state):  # type: ignore[no-untyped-def]
    """Return the number in [0, 1) that a state of the generator, uint64 with `STEP` added, stands for."""
    x = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return np.float64(x >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def picked(ladder, share):  # type: ignore[no-untyped-def]
    """Return the place that a share, in [0, 1), of the whole falls on; `ladder`, (g,), has the sums of its parts."""
    low, high, sought = 0, ladder.size - 1, share * ladder[-1]
    while low < high:
        middle = (low + high) >> 1
        if ladder[middle] <= sought:
            low = middle + 1
        else:
            high = middle
    return low
