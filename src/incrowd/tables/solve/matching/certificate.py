"""Prices in exact integers, from which the bound can be computed again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.matching import columns
from incrowd.tables.solve.matching.all_pairs import Sets, cheap_pairs
from incrowd.tables.solve.matching.odd_set_lp import Prices
from incrowd.tables.solve.matching.triples import triples_in_sets

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.matching.active_rows import ActiveRows
    from incrowd.tables.values import Int64

__all__ = ["SCALE", "Certificate", "certify"]

SCALE = 1 << 20
# Pairs too cheap that a row lists, and triples listed at once.
FEW, AT_ONCE = 64, 1 << 16


@dataclass(frozen=True, eq=False)
class Certificate:
    """Integer prices: one unit of cost is `scale` of them.

    Attributes
    ----------
    who : (n,) int64
        Row type of each priced row; all other rows are priced 0.
    y : (n,) int64
    sets : tuple of (s,) int64
        Odd sets of priced rows.
    z : (k,) int64
        At least 0.
    scale, divisor : int
        All costs are multiples of `divisor`; the bound is ceil((sum y + sum z) / scale) times that.
    """

    who: Int64
    y: Int64
    sets: tuple[Int64, ...]
    z: Int64
    scale: int
    divisor: int

    @property
    def bound(self) -> int:
        """Return the bound, in units of the divisor."""
        return -(-(int(self.y.sum()) + int(self.z.sum())) // self.scale)

    def as_dict(self) -> dict[str, Any]:
        """Return it as numbers and lists; types go by their index."""
        return {
            "scale": self.scale,
            "divisor": self.divisor,
            "rows": self.who.tolist(),
            "prices": self.y.tolist(),
            "sets": [{"rows": s.tolist(), "price": int(z)} for s, z in zip(self.sets, self.z, strict=True)],
        }


def certify(core: ActiveRows, prices: Prices, watch: Watch | None = None) -> Certificate:
    """Round prices to integers and lower those for which some pair, triple or exit is too cheap.

    The `prices` are over the core, in floating point. Raises Stopped when the watch says so; prices that are sure take
    no time.

    Notes
    -----
    One pass over all pairs. Prices that come out of floating point are first rounded down; what is still too
    high is lowered exactly, which makes no other group too cheap. Numbers stay below 2**52 and fractions are
    of a power of two, so the floating point kernels are exact here.
    """
    z = np.floor(prices.z * SCALE).astype(np.int64)
    if np.abs(prices.y).max(initial=0) * SCALE + int(z.sum()) >= 1 << 51:
        return certify(core, Prices(np.minimum(prices.y, 1 << 30), (), np.zeros(0), sure=prices.sure), watch)
    exact = prices.y == np.rint(prices.y)
    y = np.where(exact, prices.y * SCALE, np.floor(prices.y * SCALE)).astype(np.int64)
    if prices.sure:
        return Certificate(core.who, y, (), np.zeros(0, np.int64), SCALE, core.metric.divisor)
    kept = z > 0
    sets = tuple(s for s, k in zip(prices.sets, kept, strict=True) if k)
    z = z[kept]
    starts = np.concatenate(([0], np.cumsum([s.size for s in sets]))).astype(np.int64)
    flat = np.concatenate(sets) if sets else np.zeros(0, np.int64)
    mptr, mids = columns.members(core.n, starts, flat)
    held = mptr, mids, z / SCALE
    lift = np.zeros(core.n, np.int64)
    np.add.at(lift, flat, np.repeat(z, np.diff(starts)))
    over = np.flatnonzero(core.real & (y + lift > core.exits * SCALE))
    y[over] = core.exits[over] * SCALE - lift[over]
    left, right, costs = cheap_pairs(core.metric, (y + lift) / SCALE, 0.0, 0, held, core.n, watch, most=FEW)
    groups = np.column_stack((left, right, np.full(left.size, -1))).astype(np.int64)
    # A row with so many may have more of them: by as much as the worst of its list it is lowered at once.
    many = np.bincount(left, minlength=core.n) >= FEW
    excess = np.zeros(core.n, np.int64)
    short = columns.reduced(groups, 2 * costs, (y + lift) / SCALE, *held)
    np.maximum.at(excess, left, np.rint(-short * SCALE).astype(np.int64))
    y[many] -= excess[many]
    rest = ~many[left]
    _lower(y, lift, groups[rest], 2 * costs[rest], held)
    while sets:
        triples = triples_in_sets(core.metric, starts, flat, (y + lift) / SCALE, held, -0.5 / SCALE, watch, AT_ONCE)
        _lower(y, lift, triples, 3 * core.metric.costs(triples), held)
        if len(triples) < AT_ONCE:
            break
    return Certificate(core.who, y, sets, z, SCALE, core.metric.divisor)


def _lower(y: Int64, lift: Int64, groups: Int64, costs: Int64, sets: Sets) -> None:
    """Lower one price of each group that is too cheap, exactly."""
    lifted = (y + lift) / SCALE
    for g in range(len(groups)):
        one = groups[g : g + 1]
        rc = columns.reduced(one, costs[g : g + 1], lifted, *sets)[0]
        if rc < 0:
            rows = one[0][one[0] >= 0]
            # The highest price is the one with something to give.
            row = rows[np.argmax(y[rows])]
            y[row] += round(rc * SCALE)
            lifted[row] = (y[row] + lift[row]) / SCALE
