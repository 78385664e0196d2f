"""Equal lines of a table of integers, numbered in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from incrowd.tables.values import Int64


def row_numbers(columns: Iterable[NDArray[np.integer]], lines: int) -> tuple[Int64, Int64]:
    """Return numbers of lines from 0 on, equal ones alike, smaller ones first (the first column decides first).

    The answer is the first line of each number, (c,), and the number of each line, (lines,); every column has `lines`
    integers. O(columns lines log lines) time, by sorting integers: a tenth of that of ``np.unique(..., axis=0)``, which
    gives the same.
    """
    first, number = np.zeros(min(lines, 1), np.int64), np.zeros(lines, np.int64)
    for column in columns if lines else ():
        low = int(column.min())
        key = number * (int(column.max()) - low + 1) + (column.astype(np.int64) - low)
        _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), number.reshape(-1).astype(np.int64)
