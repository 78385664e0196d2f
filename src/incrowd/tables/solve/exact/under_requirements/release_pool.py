"""Releases of one component, told apart by what they put into the hub: the cheapest of each is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.shared.row_assignment import cost_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

__all__ = ["ReleasePool"]

MOST = 400  # releases kept


class ReleasePool:
    """The cheapest releases found, one for each number of rows of every kind in the hub.

    `kinds`, (t,), is the combination of sensitive values of each type. There are at most `MOST` releases of 16 bytes a
    used pair; the dearest goes first.
    """

    def __init__(self, instances: Instances, kinds: NDArray[np.integer]) -> None:
        self._instances = instances
        self._mine = np.flatnonzero(instances.owners == instances.hub)
        self._kinds = kinds[instances.members[self._mine]]
        self._held: dict[bytes, tuple[int, Int64, Int64]] = {}

    def take(self, rows: Int64) -> None:
        """Keep a release, rows per pair, if none as cheap puts the same into the hub."""
        cost = cost_of(self._instances, rows)
        key = np.bincount(self._kinds, weights=rows[self._mine]).tobytes()
        if key not in self._held or cost < self._held[key][0]:
            used = np.flatnonzero(rows)
            self._held[key] = (cost, used, rows[used].astype(np.int64))
            if len(self._held) > MOST:
                del self._held[max(self._held, key=lambda other: self._held[other][0])]

    def releases(self) -> list[tuple[int, Int64]]:
        """Return the cost and the rows per pair, shape (p,), of all that are kept, the cheapest first."""
        found = []
        for cost, used, many in sorted(self._held.values(), key=lambda held: held[0]):
            rows = np.zeros(self._instances.pairs, np.int64)
            rows[used] = many
            found.append((cost, rows))
        return found
