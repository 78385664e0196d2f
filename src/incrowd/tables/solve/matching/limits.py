"""Limits of a matching: pieces of work between which it can be stopped, and lists of limited length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import Behind, search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

__all__ = ["LISTED", "Stopped", "TooMany", "ask", "late", "per_row", "slices"]

# Pairs or triples that are listed at once: some hundred megabytes. Above, rows list their best ones only.
LISTED = 8_000_000
# A row lists at least so many.
LEAST = 16
# Seconds for what must be said after the time is over: a release, a certificate.
GRACE = 0.5


class Stopped(Exception):
    """Raised where the watch stops the run; unfinished work is dropped."""


class TooMany(Exception):
    """More pairs or triples than may be listed."""


def ask(watch: Watch | None) -> None:
    """Ask whether to go on, and raise Stopped if not; None is for a run that nothing stops."""
    if watch is not None and watch.stopped:
        raise Stopped


def late(watch: Watch) -> Watch:
    """Return a watch for the last pieces of work: it allows half a second more, and passes on the same interruption.

    A watch without a deadline is returned itself.
    """
    if watch.deadline is None:
        return watch
    return Behind(watch, max(watch.deadline, search_time() + GRACE))


def per_row(rows: int, most: int = 0) -> int:
    """Return how many pairs each row may list, so that the lists stay below 8 million or 16 a row.

    `rows` is how many rows list pairs, at most `most` each; 0 for no such limit.
    """
    share = max(LISTED // max(rows, 1), LEAST)
    return min(share, most) if most else share


def slices(work: NDArray[np.integer] | NDArray[np.floating], budget: float) -> list[tuple[int, int]]:
    """Cut items into runs (first, last) of about equal work.

    `work` is (items,): the steps that each takes. `budget` is the steps of a run, above 0. Item `last` is the first one
    behind the run; each run has one item at least.
    """
    if not work.size:
        return []
    part = np.cumsum(work, dtype=np.float64) // budget
    cuts = np.flatnonzero(np.diff(part)) + 1
    return list(zip([0, *cuts.tolist()], [*cuts.tolist(), int(work.size)], strict=True))
