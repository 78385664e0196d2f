"""Instances as lists of the row types that agree with them."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import room, slot
from incrowd.loops import njit


@njit(cache=True, nogil=True)
def common_levels(nodes, start, vectors, begins, members):  # type: ignore[no-untyped-def]
    """Return per class the lowest levels at which all its members agree, shape (g, m) int8.

    `nodes`, (t, L) int32, has a node per row type and line, and `start`, (m,) int64, is the first line of each column.
    `vectors`, (g, m) int8, are levels at which the members of each class are known to agree. With `begins`, (g + 1,)
    int64, and `members`, int32, class x holds the types ``members[begins[x]:begins[x + 1]]``. It takes O(members * m)
    steps: a column's level only rises while its members are gone through.
    """
    classes, m = vectors.shape
    common = np.zeros((classes, m), np.int8)
    for g in range(classes):
        first = members[begins[g]]
        for j in range(m):
            level = 0
            for x in range(begins[g] + 1, begins[g + 1]):
                while level < vectors[g, j] and (nodes[members[x], start[j] + level] != nodes[first, start[j] + level]):
                    level += 1
                if level == vectors[g, j]:
                    break
            common[g, j] = level
    return common


# Rows of equal hash numbered as crowds.
@njit(cache=True, nogil=True)
def number_classes(hashes, weights, least):  # type: ignore[no-untyped-def]
    """Give a number to hashes that at least `least` rows share, in the order of their first entry.

    `hashes` is (r,) uint64, and `weights`, (r,) int64, are the rows of each entry. Returned are the number of each
    entry's crowd, (r,) int64, -1 where there is none, and how many crowds there are. It takes O(r) expected time.
    """
    r = hashes.size
    size = room(r)
    keys = np.empty(size, np.uint64)
    tally = np.zeros(size, np.int64)
    number = np.full(size, -1, np.int64)
    place = np.empty(r, np.int64)
    for i in range(r):
        s = slot(keys, tally, 1, hashes[i], hashes[i] ^ (hashes[i] >> np.uint64(31)))
        keys[s] = hashes[i]
        tally[s] += weights[i]
        place[i] = s
    label = np.full(r, -1, np.int64)
    crowds = 0
    for i in range(r):
        s = place[i]
        if tally[s] >= least:
            if number[s] < 0:
                number[s] = crowds
                crowds += 1
            label[i] = number[s]
    return label, crowds


# Entries of a table numbered by what they show at some levels.
@njit(cache=True, nogil=True)
def alike(nodes, lines, radix, entries, label):  # type: ignore[no-untyped-def]
    """Return numbers of entries by their label and the nodes they show, in the order of their first one.

    `nodes`, (levels of all columns, t) int32, is the node that shows each row type at each level of each column.
    `lines`, (p,) int64, are the lines of `nodes` that tell entries apart. `radix`, (p,) int64, is above every node of
    the line; the product over all lines and of the labels is below 2^62. `entries`, (e,) int64, is the row type of each
    entry, and `label`, (e,) int64, is from 0. Returned are the numbers, (e,) int64, and the first entry of each,
    (numbers,) int64. It takes O(e p) expected time. Whole keys are compared, so equal numbers show the same.
    """
    e = entries.size
    size = room(e)
    keys = np.empty(size, np.uint64)
    held = np.full(size, -1, np.int64)
    number = np.empty(e, np.int64)
    first = np.empty(e, np.int64)
    found = 0
    for i in range(e):
        key = label[i]
        for p in range(lines.size):
            key = key * radix[p] + nodes[lines[p], entries[i]]
        word = np.uint64(key)
        spread = word * np.uint64(0x9E3779B97F4A7C15)
        at = slot(keys, held, 0, word, spread ^ (spread >> np.uint64(29)))
        if held[at] < 0:
            keys[at] = word
            held[at] = found
            first[found] = i
            found += 1
        number[i] = held[at]
    return number, first[:found].copy()
