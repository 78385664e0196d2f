"""Prices in exact integers: what a stranger needs to recompute the bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels import matching_columns
from incrowd.tables.solve.matching.pricing import cheap_pairs
from incrowd.tables.solve.matching.region import Prices

if TYPE_CHECKING:
    from incrowd.tables.solve.matching.core import Core
    from incrowd.tables.values import Int64

__all__ = ["SCALE", "Certificate", "certify"]

SCALE = 1 << 20


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


def certify(core: Core, prices: Prices) -> Certificate:
    """Round prices to integers and lower those for which some pair, triple or exit is too cheap.

    Notes
    -----
    One pass over all pairs. Prices that come out of floating point are first rounded down; what is still too
    high is lowered exactly, which makes no other group too cheap. Numbers stay below 2**52 and fractions are
    of a power of two, so the floating point kernels are exact here.
    """
    z = np.floor(prices.z * SCALE).astype(np.int64)
    exact = prices.y == np.rint(prices.y)
    y = np.where(exact, prices.y * SCALE, np.floor(prices.y * SCALE)).astype(np.int64)
    kept = z > 0
    sets = tuple(s for s, k in zip(prices.sets, kept, strict=True) if k)
    z = z[kept]
    if np.abs(y).max(initial=0) + int(z.sum()) >= 1 << 51:
        return certify(core, Prices(np.minimum(prices.y, 1 << 30), (), np.zeros(0)))
    starts = np.concatenate(([0], np.cumsum([s.size for s in sets]))).astype(np.int64)
    flat = np.concatenate(sets) if sets else np.zeros(0, np.int64)
    mptr, mids = matching_columns.members(core.n, starts, flat)
    share = z / SCALE
    lift = np.zeros(core.n, np.int64)
    np.add.at(lift, flat, np.repeat(z, np.diff(starts)))
    over = np.flatnonzero(core.real & (y + lift > core.exits * SCALE))
    y[over] = core.exits[over] * SCALE - lift[over]
    lifted = (y + lift) / SCALE
    left, right, costs = cheap_pairs(core.metric, lifted, 0.0, 0, (mptr, mids, share), core.n)
    groups = np.column_stack((left, right, np.full(left.size, -1))).astype(np.int64)
    _lower(y, lift, groups, 2 * costs, mptr, mids, share)
    if sets:
        room = 1 << 12
        while True:
            lifted = (y + lift) / SCALE

            def look(room: int = room, lifted: Any = lifted) -> tuple[Int64, int]:
                found: tuple[Int64, int] = core.metric.settled(
                    lambda f, _: matching_columns.set_triples(
                        f, starts, flat, lifted, mptr, mids, share, -0.5 / SCALE, room
                    )
                )
                return found

            triples, count = look()
            _lower(y, lift, triples, 3 * core.metric.costs(triples), mptr, mids, share)
            if count <= room:
                break
            room *= 4
    return Certificate(core.who, y, sets, z, SCALE, core.metric.divisor)


def _lower(y: Int64, lift: Int64, groups: Int64, costs: Int64, mptr: Int64, mids: Int64, share: Any) -> None:
    """Lower one price of each group that is too cheap, exactly."""
    for g in range(len(groups)):
        one = groups[g : g + 1]
        rc = matching_columns.reduced(one, costs[g : g + 1], (y + lift) / SCALE, mptr, mids, share)[0]
        if rc < 0:
            rows = one[0][one[0] >= 0]
            # The highest price is the one with something to give.
            y[rows[np.argmax(y[rows])]] += round(rc * SCALE)
