"""How many moves an annealing makes in one call, and how far through its run it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.tables.solve.shared.time_share import TimeShare

__all__ = ["calls"]

# Moves of one call: some tens of milliseconds; and those of the first, for a move may take long.
CHUNK, FIRST = 512, 16
SECONDS = 0.03


def calls(watch: TimeShare, *, total: int | None, temperatures: int) -> Iterator[tuple[float, int]]:
    """Yield the share of the run that is over, 0 to 1, and the moves to make next, until the run is over.

    A run of `total` moves makes them in calls of equal size, at least `temperatures` of them. With None it makes as
    many moves as the watch allows, in calls of about equal time.
    """
    begun, span = search_time(), watch.left
    chunk = FIRST if total is None else int(np.clip(total // temperatures, 1, CHUNK))
    made = 0
    while not watch.stopped and (total is None or made < total):
        now = search_time()
        share = (now - begun) / span if total is None else made / total
        moves = chunk if total is None else min(chunk, total - made)
        yield min(max(share, 0.0), 1.0), moves
        made += moves
        if total is None:
            spent = max(search_time() - now, 1e-6)
            chunk = int(np.clip(chunk * min(2.0, SECONDS / spent), 1, 1 << 16))
