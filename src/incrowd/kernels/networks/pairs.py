"""Smallest class of every pair and triple of nodes, on layers held as bit sets or on a distance matrix."""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["layer_bits", "pairs_from", "triples_from"]


@njit(cache=True, nogil=True)
def _ones(x):  # type: ignore[no-untyped-def]
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def layer_bits(distances, layers):  # type: ignore[no-untyped-def]
    """Return the layer sets and their sizes: `bits`, (n, layers, words) uint64, and `sizes`, (n, layers) int64.

    `distances` is (n, n) int16 and holds layer numbers: 0 at the node itself, 1..layers elsewhere.
    """
    n = distances.shape[0]
    bits = np.zeros((n, layers, (n + 63) >> 6), np.uint64)
    sizes = np.zeros((n, layers), np.int64)
    for v in range(n):
        for x in range(n):
            d = distances[v, x]
            if d > 0:
                bits[v, d - 1, x >> 6] |= np.uint64(1) << np.uint64(x & 63)
                sizes[v, d - 1] += 1
    return bits, sizes


@njit(cache=True, nogil=True)
def pairs_from(distances, bits, sizes, u, first, wanted):  # type: ignore[no-untyped-def]
    """Find the smallest class over the pairs (u, v), v >= first; return its size and v.

    The classes of a pair are the meetings of a layer of u with one of v, without u and v themselves; the last of a row
    or column follows by subtraction. `distances`, `bits` and `sizes` are those of `layer_bits`. The search ends at a
    class of `wanted` nodes or fewer, and returns n and -1 where there is no pair. O(n d^2 n / 64) time for d layers.
    """
    n, layers, words = bits.shape
    least = n
    where = -1
    columns = np.zeros(layers, np.int64)
    for v in range(first, n):
        if v == u:
            continue
        duv = distances[u, v] - 1
        for j in range(layers):
            columns[j] = sizes[v, j]
        columns[duv] -= 1  # u itself
        smallest = n
        for i in range(layers):
            row = sizes[u, i]
            if i == duv:
                row -= 1  # v itself
            for j in range(layers):
                if j == layers - 1:
                    c = row
                elif i == layers - 1:
                    c = columns[j]
                elif row == 0 or columns[j] == 0:
                    c = 0
                else:
                    c = 0
                    for w in range(words):
                        c += _ones(bits[u, i, w] & bits[v, j, w])
                row -= c
                columns[j] -= c
                if 0 < c < smallest:
                    smallest = c
        if smallest < least:
            least = smallest
            where = v
            if least <= wanted:
                break
    return least, where


@njit(cache=True, nogil=True)
def triples_from(distances, layers, u, v, wanted):  # type: ignore[no-untyped-def]
    """Find the smallest class over the triples (u, v, w), w > v; return its size and w.

    `distances` is (n, n) int16 and holds layer numbers: 0 at the node itself, 1..layers elsewhere. The search ends at a
    class of `wanted` nodes or fewer, and returns n and -1 where there is no triple. O(n^2) time, and O(n layers) for
    each w at worst.
    """
    n = distances.shape[0]
    pair = np.empty(n, np.int32)
    for x in range(n):
        pair[x] = -1 if x in (u, v) else np.int32(distances[u, x] - 1) * layers + distances[v, x] - 1
    # number the pair classes that occur
    names = np.full(layers * layers, -1, np.int32)
    found = 0
    for x in range(n):
        if pair[x] >= 0:
            if names[pair[x]] < 0:
                names[pair[x]] = found
                found += 1
            pair[x] = names[pair[x]]
    counts = np.zeros(found * layers, np.int32)
    least = n
    where = -1
    for w in range(v + 1, n):
        counts[:] = 0
        for x in range(n):
            if pair[x] >= 0 and x != w:
                counts[pair[x] * layers + distances[w, x] - 1] += 1
        for c in counts:
            if 0 < c < least:
                least = c
                where = w
        if least <= wanted:
            break
    return least, where
