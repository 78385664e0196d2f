"""Entries of a table numbered by what they show at some levels, and the rows of each number added up."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import room, slot
from incrowd.loops import njit

__all__ = ["alike", "rows_of"]


@njit(cache=True, nogil=True)
def alike(nodes, lines, radix, entries, label):  # type: ignore[no-untyped-def]
    """Return numbers of entries by their label and the nodes they show, in the order of their first one.

    `nodes`, (levels of all columns, t) int32, is the node that shows each row type at each level of each column.
    `lines`, (p,) int64, are the lines of `nodes` that tell entries apart. `radix`, (p,) int64, is above every node of
    the line; the product over all lines and of the labels is below 2^62. `entries`, (e,) int64, is the row type of each
    entry, and `label`, (e,) int64, is from 0. Returned are the numbers, (e,) int64, and the first entry of each,
    (numbers,) int64.

    It takes O(e p) expected time. Whole keys are compared, so equal numbers show the same.
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


@njit(cache=True, nogil=True)
def rows_of(number, rows, numbers):  # type: ignore[no-untyped-def]
    """Return the rows of each number, shape (numbers,).

    `number` and `rows` are (e,) int64.
    """
    total = np.zeros(numbers, np.int64)
    for i in range(number.size):
        total[number[i]] += rows[i]
    return total
