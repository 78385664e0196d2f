"""Lists of triples, in pieces that ask the watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.matching import columns
from incrowd.tables.solve.matching.limits import LISTED, ask, slices

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.metric import Metric
    from incrowd.tables.values import Int64

__all__ = ["TRIED", "listed", "triples_in_sets"]

# Triples looked at between two looks at the watch.
TRIED = 10_000_000
# Room that a piece's list has at first.
ROOM = 1 << 12


def listed(
    metric: Metric,
    runs: list[tuple[int, int]],
    most: int,
    watch: Watch | None,
    look: Callable[[Any, int, int, int], tuple[Int64, int]],
) -> Int64:
    """Return what a kernel lists over pieces (first, last), one after another, at most `most` lines.

    `look` is given the record, the room for a list and a piece (first, last), and returns the list and how many lines
    it would have. Raises Stopped when the watch says so.
    """
    found: list[Int64] = [np.zeros((0, 3), np.int64)]
    count = 0
    for first, last in runs:
        room = ROOM
        while True:
            ask(watch)

            def call(flat: Any, _: Any, room: int = room, first: int = first, last: int = last) -> tuple[Int64, int]:
                return look(flat, room, first, last)

            groups, here = metric.settled(call, watch)
            if here <= room or room >= most - count:
                break
            room = min(here, most - count)
        found.append(groups[: most - count])
        count += len(found[-1])
        if count >= most:
            break
    return np.concatenate(found)


def triples_in_sets(
    metric: Metric,
    starts: Int64,
    rows: Int64,
    lifted: NDArray[np.float64],
    sets: tuple[Int64, Int64, NDArray[np.float64]],
    ceiling: float,
    watch: Watch | None,
    most: int = LISTED + 1,
) -> Int64:
    """Return the triples inside a set with z > 0 whose rc is at most `ceiling`, at most `most`, shape (c, 3).

    ``rows[starts[s]:starts[s + 1]]`` are the rows of set s; `starts` is (s + 1,). `lifted` is (n,): the price of each
    row plus the z of its sets. `sets` is (mptr, mids, z): the sets per row, see `incrowd.kernels.matching.columns`, and
    the z of each set. Raises Stopped when the watch says so.
    """
    sizes = np.diff(starts)
    work = np.repeat(sizes * sizes, sizes) / 2
    return listed(
        metric, slices(work, TRIED), most, watch,
        lambda flat, room, first, last: columns.set_triples(
            flat, starts, rows, lifted, *sets, ceiling, room, first, last
        ),
    )  # fmt: skip
