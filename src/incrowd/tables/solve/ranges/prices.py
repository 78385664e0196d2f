"""Prices over all ranges: rounds of price steps on stored instances, each ended by a scan over every instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.ranges import tuning

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Scan
    from incrowd.tables.solve.ranges.lattice import RangeLattice
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64

    Float64 = NDArray[np.float64]

__all__ = ["RangePrices"]


class RangePrices:
    """Prices, the bound they give, and the instances they favour; better with every `round`.

    `paid` is (t,): what a row of each type costs in a release, scaled. `listed` are the release's instances, with the
    free one, and `upper` is its scaled cost.

    Attributes
    ----------
    bound : int
        The best so far, scaled and rounded up to a cost that a release can have.
    whole : (t,) int64
        The prices that it comes from, in `parts` of a scaled unit.
    stored : Instances
        Those of small reduced costs, and the free one.
    best : (t,) float64
    """

    def __init__(self, lattice: RangeLattice, paid: Float64, listed: Instances, upper: int) -> None:
        self.lattice = lattice
        self.upper = upper
        self.step = lattice.step
        most = np.array([lattice.top], np.int64)
        self.parts = lagrangian.grain(most, lattice.counts)
        self.star = max(lattice.top / max(len(lattice.problem.levels), 1), 1.0)
        own, crowd = tuning.DEFAULT, lattice.problem.k / 5
        line = not lattice.others and len(lattice.columns) == 1 and lattice.t > own.short
        self.box, aim, self.patience = own.box, own.aim, own.patience
        self.gain = own.gain
        if line:  # what rows cost there is small beside the star
            self.star = min(self.star, own.mean * upper / int(lattice.counts.sum()))
            self.box, aim, self.gain, self.patience = own.line_box, own.line_aim, own.line_gain, 0
        self.reach = self.star * max(crowd, 0.5)
        if crowd > 1:
            self.reach = self.star * crowd**own.growth
        self.pairs = int(own.pairs * max(crowd, 1.0) ** 0.5)
        if line:
            self.pairs = max(self.pairs, own.along * lattice.t)
        self.now = own.start * paid
        self.best = self.now
        self.target = aim * upper
        self.stored = listed
        self.value = -(1 << 62)
        self.bound = 0
        self.whole: Int64 = np.zeros(lattice.t, np.int64)
        self.stale = 0
        self.rounds = 0
        self.shrink = 1.0

    @property
    def finished(self) -> bool:
        """Whether more rounds would gain nothing."""
        return self.bound >= self.upper or self.stale > self.patience

    def round(self, watch: Watch | None, *, steps: int | None = None) -> bool:
        """Take price steps and scan; return whether the scan came to its end.

        `steps` are those of the prices; by default about as many as tuning says.
        """
        own = tuning.DEFAULT
        steps = own.steps if steps is None else steps
        if steps and self.rounds:
            _, self.now = lagrangian.subgradient(
                self.stored, self.now, target=self.target, steps=steps, watch=watch, enough=float(self.upper)
            )
            box = self.box * self.star * self.shrink
            self.now = np.clip(np.clip(self.now, self.best - box, self.best + box), 0.0, None)
        whole = lagrangian.whole_prices(self.now, self.parts)
        found = self.lattice.scan(whole, self.parts, int(own.near * self.reach * self.parts), self.pairs, watch)
        if found is None:
            return False
        self.rounds += 1
        self.take(found, whole)
        self._store(found)
        return True

    def take(self, found: Scan, whole: Int64) -> None:
        """Take what a scan over all patterns says that prices are worth.

        `whole` is (t,): the prices.
        """
        value, last = found.value, self.value
        self.shrink = min(1.0, 1.5 * self.shrink) if value > last else 0.7 * self.shrink
        if value > last + self.gain * self.upper * self.parts:
            self.stale = 0
        else:
            self.stale += 1
        if value > last:
            self.value, self.whole, self.best = value, whole, self.now
            self.settle(value)

    def settle(self, value: int) -> None:
        """Take a proven value, in parts, as the bound."""
        unit = self.parts * self.step
        self.bound = max(self.bound, min(-(-value // unit) * self.step, self.upper))

    def _store(self, found: Scan) -> None:
        both = found.instances.union(self.stored)
        rc = np.where(both.needs == 0, -np.inf, lagrangian.reduced_costs(both, self.now))
        order = np.argsort(rc, kind="stable")
        within = np.cumsum(np.diff(both.begins)[order]) <= self.pairs
        keep = np.zeros(both.size, np.bool_)
        keep[order[within]] = True
        keep[both.needs == 0] = True
        keep[: found.instances.size] |= rc[: found.instances.size] < 0
        self.stored = both.only(keep)
