"""Equal lines of a table of integers: numbered in their order, and found in another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    Int64 = NDArray[np.int64]


def row_keys(columns: Iterable[NDArray[np.integer]], lines: int) -> Int64:
    """Return one number a line, equal where lines are, in their order (the first column decides first), shape (lines,).

    Every column has `lines` integers.
    """
    keys, room = np.zeros(lines, np.int64), 1
    for column in columns if lines else ():
        low = int(column.min())
        size = int(column.max()) - low + 1
        if room * size >= 2**62:
            keys, room = np.unique(keys, return_inverse=True)[1].reshape(-1).astype(np.int64), lines
        keys = keys * size + (column.astype(np.int64) - low)
        room *= size
    return keys


def row_numbers(columns: Iterable[NDArray[np.integer]], lines: int) -> tuple[Int64, Int64]:
    """Return numbers of lines from 0 on, equal ones alike, smaller ones first, as of `row_keys`.

    The answer is the first line of each number, (c,), and the number of each line, (lines,). One sort of integers: a
    tenth of the time of ``np.unique(..., axis=0)``, which gives the same.
    """
    _, first, number = np.unique(row_keys(columns, lines), return_index=True, return_inverse=True)
    return first.astype(np.int64), number.reshape(-1).astype(np.int64)


def runs(begin: Int64, many: Int64) -> tuple[Int64, Int64]:
    """Return for each place in some runs of places which run it is in, and the place; both (r,), as the runs come.

    `begin` and `many`, both (x,), are where each run begins and how many places it has.
    """
    return np.repeat(np.arange(many.size), many), places_in_runs(begin, many)


def places_in_runs(begin: Int64, many: Int64) -> Int64:
    """Return the places in some runs of places, (r,), as the runs come; both (x,), as `runs` takes them."""
    ends = np.cumsum(many)
    return np.arange(ends[-1] if ends.size else 0) - np.repeat(ends - many - begin, many)


def added_up(place: NDArray[np.integer], what: NDArray[np.integer], size: int) -> Int64:
    """Return the sum of what lies at each place from 0 on, shape (size,); both (x,)."""
    total = np.zeros(size, np.int64)
    np.add.at(total, place, what)
    return total


def first_of(rows: Int64, most: int) -> Int64:
    """Return how many rows of each entry are among the first `most` of all, shape of `rows`."""
    first: Int64 = np.clip(most - (np.cumsum(rows) - rows), 0, rows)
    return first


def before_each(key: NDArray[np.integer], what: Int64) -> Int64:
    """Return what earlier entries with the same key come to, for each entry; both (x,)."""
    order = np.argsort(key, kind="stable")
    total = np.cumsum(what[order]) - what[order]
    first = np.diff(key[order], prepend=key[order][:1] - 1) != 0
    before = np.empty_like(total)
    before[order] = total - total[first][np.cumsum(first) - 1]
    return before


class Alike:
    """Which keys of a second list are equal to each of a first one.

    `pairs`: how many pairs there are. The keys are (x,) and (y,) int.
    """

    def __init__(self, first: Int64, second: Int64) -> None:
        self._order = np.argsort(second, kind="stable")
        self._begin = np.searchsorted(second[self._order], first, "left")
        self._many = np.searchsorted(second[self._order], first, "right") - self._begin
        self.pairs = int(self._many.sum())

    def places(self) -> tuple[Int64, Int64]:
        """Return the places of both keys of every pair, by the first key's, (p,) each."""
        one, other = runs(self._begin, self._many)
        return one, self._order[other]
