"""Prices over all ranges: rounds of price steps on stored instances, each ended by a scan over every instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.ranges import tuning
from incrowd.tables.solve.shared.instances import common_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.ranges.lattice import Listed, RangeLattice
    from incrowd.tables.values import Int64

    Float64 = NDArray[np.float64]

__all__ = ["RangePrices"]


class RangePrices:
    """Prices, the bound they give, and the instances they favour; better with every `round`.

    Parameters
    ----------
    lattice : RangeLattice
    paid : (t,) float64
        What a row of each type costs in a release, scaled.
    listed : Listed
        The release's instances.
    upper : int
        Scaled cost of the release.

    Attributes
    ----------
    bound : int
        The best so far, scaled and rounded up to a cost that a release can have.
    whole : (t,) int64
        The prices that it comes from, in `parts` of a scaled unit.
    stored : Listed
    best : (t,) float64
    """

    def __init__(self, lattice: RangeLattice, paid: Float64, listed: Listed, upper: int) -> None:
        self.lattice = lattice
        self.upper = upper
        levels = lattice.problem.levels
        self.step = common_step([*(levels[j].cost for j in lattice.others), np.array([lattice.ranged.unit])])
        most = np.array([lattice.top], np.int64)
        self.parts = lagrangian.grain(most, lattice.counts)
        self.star = max(lattice.top / max(len(lattice.problem.levels), 1), 1.0)
        crowd = max(lattice.problem.k / 5, 1.0)
        self.near = tuning.DEFAULT.near * self.star * crowd
        self.cap = np.minimum(np.maximum(paid, np.mean(paid)) * tuning.DEFAULT.cap, float(lattice.top))
        own = tuning.DEFAULT
        self.now = np.minimum(paid * own.first_price, own.first_cap * self.star * crowd)
        self.best = self.now
        self.stored = listed
        self.value = 0
        self.bound = 0
        self.whole: Int64 = np.zeros(lattice.t, np.int64)
        self.stale = 0
        self.rounds = 0
        self.shrink = 1.0

    def scan(self, watch: Watch | None) -> bool:
        """Price everything at the prices now; False where the watch cut it short.

        Parameters
        ----------
        watch : Watch or None
        """
        whole = lagrangian.whole_prices(self.now, self.parts)
        near = int(self.near * self.parts)
        found = self.lattice.scan(whole, self.parts, near, tuning.DEFAULT.pairs, watch)
        if found is None:
            return False
        value, listed = found
        if value > self.value:
            self.stale = 0 if value - self.value > tuning.DEFAULT.gain * self.upper * self.parts else self.stale + 1
            self.value, self.whole, self.best = value, whole, self.now
            unit = self.parts * self.step
            self.bound = max(self.bound, min(-(-value // unit) * self.step, self.upper))
            self.shrink = min(1.0, 1.5 * self.shrink)
        else:
            self.stale += 1
            self.shrink *= 0.7
        rc = lagrangian.reduced_costs(self.lattice.instances(self.stored), self.now)[: self.stored.size]
        kept = self.stored.only(np.flatnonzero(rc <= tuning.DEFAULT.memory * self.near))
        self.stored = kept.union(listed)
        self.rounds += 1
        return True

    def climb(self, watch: Watch) -> None:
        """Take price steps on the stored instances.

        Parameters
        ----------
        watch : Watch
        """
        own = tuning.DEFAULT
        target = own.target * self.upper
        _, prices = lagrangian.subgradient(
            self.lattice.instances(self.stored), self.now, target=target, steps=own.steps, watch=watch
        )
        box = own.box * self.star * self.shrink
        self.now = np.clip(np.clip(prices, self.best - box, self.best + box), 0.0, self.cap)

    @property
    def finished(self) -> bool:
        """Whether more rounds would gain nothing."""
        return self.bound >= self.upper or (self.stale > tuning.DEFAULT.patience and self.rounds > 4)
