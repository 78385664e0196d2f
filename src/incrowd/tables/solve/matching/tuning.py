"""What tunes the search of `matching`: speed only, never what is proven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import WithDeadline, search_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The constants of `matching`, chosen by ``benchmarks/run.py --case matching``.

    ``benchmarks/run.py --off`` switches some mechanisms off and says what each is worth.
    """

    # --- assignment ---
    # Nearest rows of every row that are looked at first.
    neighbours: int = 10
    # Pairs too cheap for the prices that join: of a row and a block of others, and of a row in all.
    pairs_per_block: int = 3
    pairs_per_row: int = 64
    # Share of those pairs whose slack is at most what "near" means later.
    near_share: float = 0.2

    # --- repair ---
    # Rows that one search may visit for a class of a row that the cycles leave over.
    repair_rows: int = 4000

    # --- the region of the linear program ---
    # Rows of the failed searches' trees up to which all of them are inside at first.
    tree_rows: int = 1500
    # Rows that join when it grows first (twice as many each time).
    ring_rows: int = 30
    # Share of all rows above which all are taken in; 0: at the first growth.
    region_share: float = 0.4
    # Near pairs per row that are in the program at first.
    near_pairs: int = 12
    # Pairs of a row, and triples within odd sets, that join at once.
    joining_pairs: int = 64
    joining_triples: int = 20_000
    # Nodes of the integer program that is asked before the region grows.
    stay_nodes: int = 20
    # What leaving the region costs there, in units of the costs' divisor.
    leaving_cost: float = 0.01

    # --- odd sets ---
    # Least violation of a cut.
    violation: float = 1e-4
    # Rows of a fractional component that is a cut, at most.
    component_rows: int = 600


DEFAULT = Tuning()


# Limits of a matching: pieces of work between which it can be stopped, and lists of limited length.

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
    return WithDeadline(watch, max(watch.deadline, search_time() + GRACE))


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
