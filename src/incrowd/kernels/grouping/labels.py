"""Rows of equal hash numbered as crowds."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["number_crowds", "warm"]


@njit(cache=True, nogil=True)
def number_crowds(hashes, weights, least):  # type: ignore[no-untyped-def]
    """Give a number to hashes that at least `least` rows share, in the order of their first entry.

    Parameters
    ----------
    hashes : (r,) uint64
    weights : (r,) int64
        Rows of each entry.
    least : int

    Returns
    -------
    label : (r,) int64
        Number of the crowd, -1 where there is none.
    crowds : int

    Notes
    -----
    O(r) expected time: a table with open addressing of at least 2 r slots.
    """
    r = hashes.size
    room = 16
    while room < 2 * r:
        room *= 2
    wide = np.uint64(room - 1)
    keys = np.empty(room, np.uint64)
    tally = np.zeros(room, np.int64)
    number = np.full(room, -1, np.int64)
    slot = np.empty(r, np.int64)
    for i in range(r):
        s = (hashes[i] ^ (hashes[i] >> np.uint64(31))) & wide
        while tally[s] > 0 and keys[s] != hashes[i]:
            s = (s + np.uint64(1)) & wide
        keys[s] = hashes[i]
        tally[s] += weights[i]
        slot[i] = s
    label = np.full(r, -1, np.int64)
    crowds = 0
    for i in range(r):
        s = slot[i]
        if tally[s] >= least:
            if number[s] < 0:
                number[s] = crowds
                crowds += 1
            label[i] = number[s]
    return label, crowds


def warm() -> None:
    """Compile."""
    number_crowds(np.zeros(1, np.uint64), np.ones(1, np.int64), 1)
