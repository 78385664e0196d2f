"""How a matching ends early: pieces of work that ask the watch, lists that may not grow without bound."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import Behind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch

__all__ = ["LISTED", "Stopped", "TooMany", "ask", "late", "per_row", "slices"]

# Pairs or triples that are listed at once: some hundred megabytes. Above, rows list their best ones only.
LISTED = 8_000_000
# A row lists at least so many.
LEAST = 16
# Seconds for what must be said after the time is over: a release, a certificate.
GRACE = 1.0


class Stopped(Exception):
    """The watch says stop; what is half done is dropped."""


class TooMany(Exception):
    """More pairs or triples than may be listed."""


def ask(watch: Watch | None) -> None:
    """Ask whether to go on.

    Raises
    ------
    Stopped
        If not.
    """
    if watch is not None and watch.stopped:
        raise Stopped


def late(watch: Watch) -> Watch:
    """Return a watch for what is said last: it has a moment more, and hears the same interruption."""
    if watch.deadline is None:
        return watch
    return Behind(watch, max(watch.deadline, time.perf_counter() + GRACE))


def per_row(rows: int, most: int = 0) -> int:
    """Return how many pairs each of so many rows may list, at most `most` (0: no matter)."""
    share = max(LISTED // max(rows, 1), LEAST)
    return min(share, most) if most else share


def slices(work: NDArray[np.integer] | NDArray[np.floating], budget: float) -> list[tuple[int, int]]:
    """Cut items that take so much work each into runs (first, last) of about `budget`; at least one item each."""
    if not work.size:
        return []
    part = np.cumsum(work, dtype=np.float64) // budget
    cuts = np.flatnonzero(np.diff(part)) + 1
    return list(zip([0, *cuts.tolist()], [*cuts.tolist(), int(work.size)], strict=True))
