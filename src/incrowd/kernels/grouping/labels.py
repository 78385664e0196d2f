"""Rows of equal hash numbered as crowds."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.hash_table import room, slot
from incrowd.loops import njit

__all__ = ["number_crowds"]


@njit(cache=True, nogil=True)
def number_crowds(hashes, weights, least):  # type: ignore[no-untyped-def]
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
