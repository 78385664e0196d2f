"""One column: classes along its sorted rows, by a dynamic program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.dynamic_programs import line_classes
from incrowd.tables.solve.ranges import tuning

if TYPE_CHECKING:
    from incrowd.tables.values import Int64

__all__ = ["least_steps", "line_parts"]


def least_steps(cell: Int64, below: Int64, counts: Int64, k: int, free: bool) -> int:
    """Return what classes along the line cost, in distinct values beside the first, summed over the rows.

    Parameters
    ----------
    cell : (d,) int64
        Cell of each value.
    below : (G + 1,) int64
        Distinct values below each cell.
    counts : (d,) int64
        Rows of each value.
    k : int
    free : bool
        Whether rows may be suppressed without a crowd.
    """
    return _placed(cell, below, counts, k, free)[0]


def line_parts(cell: Int64, below: Int64, counts: Int64, k: int, free: bool) -> tuple[Int64, Int64, Int64]:
    """Return the parts of the classes: value, class (-1: suppressed) and rows of each.

    Parameters
    ----------
    cell, below, counts, k, free
        As in `least_steps`.

    Notes
    -----
    Values of one cell are taken in the order given. O(n k) time for n rows, some 30 bytes a row.
    """
    _, label, order, first = _placed(cell, below, counts, k, free)
    value = np.repeat(order, np.diff(first))
    pairs, rows = np.unique(np.stack([value, label], axis=1), axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], rows.astype(np.int64)


def _placed(cell: Int64, below: Int64, counts: Int64, k: int, free: bool) -> tuple[int, Int64, Int64, Int64]:
    own = tuning.DEFAULT
    order = np.argsort(cell, kind="stable").astype(np.int64)
    first = np.concatenate(([0], np.cumsum(counts[order]))).astype(np.int64)
    rows = int(first[-1])
    label = np.zeros(rows, np.int64)
    stride = 1 if rows * k <= own.every_size else max(1, k // own.sizes)
    star = int(below[-1]) - 1 if free else -1
    cost = line_classes.classes(first, cell[order].astype(np.int64), below, k, star, stride, own.skipped, label)
    return int(cost), label, order, first
