"""First prices for one column alone: raised together as far as its runs allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.dynamic_programs import line_rooms
from incrowd.tables.solve.ranges import tuning

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int64

__all__ = ["line_prices"]

PIECE = 20_000_000  # rows looked at between two looks at the watch, about


def line_prices(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, watch: Watch | None = None
) -> NDArray[np.float64] | None:
    """Return prices at which hardly any k rows of a run are priced above its cost; None if the watch said stop.

    `cell` is (t,): the cell of each row type, in any order; `counts` is (t,). `low` and `up` are (G,), as in
    `RangedColumn`.

    Notes
    -----
    They begin at what k rows cost nearby, on average. Then all rise, or fall, by the room that is least among the runs
    that hold them, which leaves no run in debt, since each of its k rows rises by at most a k-th of what it leaves; now
    and then all shrink, so that those rise that were held back. Prices are a heuristic; a scan says what they prove.
    """
    own = tuning.DEFAULT
    order = np.argsort(cell, kind="stable")
    cells, rows = cell[order].astype(np.int64), counts[order].astype(np.int64)
    free = rows >= k  # a class of one value costs nothing
    upto = np.concatenate(([0], np.cumsum(rows)))
    first = np.searchsorted(upto, upto[:-1] - own.near_rows * k, side="right").clip(1, len(rows)) - 1
    last = np.searchsorted(upto, upto[1:] + own.near_rows * k).clip(1, len(rows)) - 1
    near = (up[cells[last]] - low[cells[first]]).astype(np.float64)
    prices = np.where(free, 0.0, 0.9 * k * near / (upto[last + 1] - upto[first]))
    best, most, room = prices, -np.inf, np.empty(len(rows))
    piece = max(64, PIECE // (k * k))
    for turn in range(own.rises * own.shrinks):
        room.fill(line_rooms.NONE)
        for begin in range(0, len(rows), piece):
            if watch is not None and watch.stopped:
                return None
            line_rooms.rooms(cells, low, up, rows, k, prices, begin, min(begin + piece, len(rows)), room)
        held = np.where(room == line_rooms.NONE, 0.0, room)
        risen = np.where(free, 0.0, np.maximum(prices + held, 0.0))
        worth = float((risen * rows).sum()) if held.min(initial=0.0) >= -1e-6 else -np.inf
        if worth > most:
            best, most = risen, worth
        prices = own.shrink * risen if turn % own.rises == own.rises - 1 else risen
    found: NDArray[Any] = np.empty(len(rows))
    found[order] = best
    return found
