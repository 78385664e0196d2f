"""One column: classes along its sorted rows, by a dynamic program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.dynamic_programs import line_classes
from incrowd.tables.solve.ranges import tuning

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Int64

__all__ = ["least_steps", "line_parts"]

PIECE = 100_000_000  # sizes of classes tried between two looks at the watch


def least_steps(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, free: bool, watch: Watch | None = None
) -> int:
    """Return what classes along the line cost.

    `cell` and `counts` are (d,): the cell and the rows of each value. `low` and `up` are (G,), as in `RangedColumn`.
    `free` says whether rows may be suppressed without a crowd. The watch is asked on the way; when it says stop, the
    other rows are placed in sorted order, k and k.
    """
    return _placed(cell, low, up, counts, k, free, watch)[0]


def line_parts(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, free: bool, watch: Watch | None = None
) -> tuple[Int64, Int64, Int64]:
    """Return the parts of the classes: value, class (-1: suppressed) and rows of each.

    All parameters are as in `least_steps`. Values of one cell are taken in the order given. O(n k) time for n rows,
    some 30 bytes a row.
    """
    _, label, order, first = _placed(cell, low, up, counts, k, free, watch)
    value = np.repeat(order, np.diff(first))
    pairs, rows = np.unique(np.stack([value, label], axis=1), axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], rows.astype(np.int64)


def _placed(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, free: bool, watch: Watch | None = None
) -> tuple[int, Int64, Int64, Int64]:
    own = tuning.DEFAULT
    order = np.argsort(cell, kind="stable").astype(np.int64)
    first = np.concatenate(([0], np.cumsum(counts[order]))).astype(np.int64)
    rows = int(first[-1])
    stride = 1 if rows * k <= own.every_size else max(1, k // own.sizes)
    star = int(up[-1] - low[0]) if free else -1
    value = np.repeat(np.arange(len(order), dtype=np.int32), np.diff(first))
    best, came = np.full(rows + 1, line_classes.NONE, np.int64), np.full(rows + 1, -1, np.int64)
    kind, label, skipped = np.zeros(rows + 1, np.int8), np.zeros(rows, np.int64), own.skipped
    places = cell[order].astype(np.int64)
    best[0] = 0
    piece, begin = max(1, PIECE * stride // (2 * k)), 0
    while begin < rows:
        if watch is not None and watch.stopped:
            stride, skipped, piece = k, 0, rows
        end = min(begin + piece, rows)
        line_classes.place(first, places, low, up, k, star, stride, skipped, begin, end, best, came, kind, value)
        begin = end
    line_classes.labels(first, k, came, kind, value, label)
    return int(best[rows]), label, order, first
