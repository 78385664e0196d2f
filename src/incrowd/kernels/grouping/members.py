"""Crowds in lists: put in another order, and what lies before each member."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]

__all__ = ["in_order", "rows_before"]

# Numbers of keys up to which they are counted in a table of their own.
DENSE = 1 << 22


@njit(cache=True, nogil=True)
def in_order(begins, members, order):  # type: ignore[no-untyped-def]
    """Return the members of groups in another order of the groups.

    With `begins`, (g + 1,) int64, and `members`, int32, group x holds ``members[begins[x]:begins[x + 1]]``. `order`,
    (s,) int64, has groups, not necessarily all. Returned are the new `begins`, (s + 1,) int64, and `members`, int32.
    """
    starts = np.zeros(order.size + 1, np.int64)
    for x in range(order.size):
        starts[x + 1] = starts[x] + begins[order[x] + 1] - begins[order[x]]
    chosen = np.empty(starts[-1], np.int32)
    for x in range(order.size):
        first = begins[order[x]]
        for at in range(starts[x + 1] - starts[x]):
            chosen[starts[x] + at] = members[first + at]
    return starts, chosen


@njit(cache=True, nogil=True)
def _before(key, rows, keys):  # type: ignore[no-untyped-def]
    before = np.empty(key.size, np.int64)
    seen = np.zeros(keys, np.int64)
    for i in range(key.size):
        before[i] = seen[key[i]]
        seen[key[i]] += rows[i]
    return before


def rows_before(key: Int64, rows: Int64, keys: int) -> Int64:
    """Return for each entry the rows of earlier ones with the same key, shape (r,) int64.

    `key` and `rows` are (r,); a key is from 0 to below `keys`. It takes O(r + keys) time for few keys, O(r log r) for
    more than 4 million.
    """
    if keys > DENSE:
        names, key = np.unique(key, return_inverse=True)
        key, keys = key.reshape(-1), names.size
    before: Int64 = _before(key, rows, keys)
    return before
