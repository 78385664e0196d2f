"""How fine a proof's numbers may be so that who checks it can add them up in 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds.lagrangian import reduced_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.solve.bounds.cuts.counting import Cut
    from incrowd.tables.solve.bounds.lagrangian import Float64, Scan
    from incrowd.tables.solve.shared.instances import Instances

__all__ = ["ROOM", "NamedSums", "amount_of", "below", "countable"]

ROOM = 2**61  # no sum of a proof reaches it


def below(scan: Scan) -> Instances:
    """Return the instances that a check lists by itself at a scan's prices: those that add something below 0."""
    return scan.instances.only((scan.rc < 0) | (scan.instances.needs == 0))


def countable(
    instances: Instances,
    cuts: Sequence[Cut],
    multipliers: Float64,
    prices: Float64,
    parts: int,
    scan: Scan | None = None,
) -> int:
    """Return the finest grain, `parts` or that halved so often, at which a proof can be added up by who checks it.

    `instances`, `cuts` and `multipliers` are as of `cuts_over_lattice.proven`, and `prices`, (t,), are in scaled cost
    units. The scan is at these prices; without one the instances are taken for all that there are.
    """
    if scan is None:
        listed = instances.only((reduced_costs(instances, prices) < 0) | (instances.needs == 0))
    else:
        listed = below(scan)
    named = NamedSums(instances, cuts, listed)
    price = float(np.abs(prices).max(initial=0.0))
    while parts > 1:
        amounts = [amount_of(cut, multiplier, parts) for cut, multiplier in zip(cuts, multipliers, strict=True)]
        if named.fits(amounts, int(price * parts) + 1, parts):
            break
        parts //= 2
    return parts


def amount_of(cut: Cut, multiplier: float, parts: int) -> int:
    """Return a multiplier in parts, a multiple of its cut's divisor."""
    return round(float(multiplier) * parts / cut.divisor) * cut.divisor


class NamedSums:
    """The instances that a check lists, because cuts name them or at the prices, and what sums over them can come to.

    A check bounds its sums before it makes them, and knows how large multipliers are but not how their terms cancel:
    4 (R P + W (G + k)) has to stay below 2^61, with W the multipliers times their cuts' largest coefficients, P the
    largest price and cost and W, R the rows of the table and of the G listed instances [B4]. Here it stays below half
    of that: a check may list some that a scan has hidden behind equal ones.
    """

    def __init__(self, instances: Instances, cuts: Sequence[Cut], listed: Instances) -> None:
        J = instances
        of = [part for cut in cuts for part in (cut.instances, J.owners[cut.pairs])]
        named = np.zeros(J.size, np.bool_)
        named[np.concatenate([np.zeros(0, np.int64), *of]).astype(np.int64)] = True
        self.rows = int(J.counts.sum()) + int((J.counts[J.members] * named[J.owners]).sum())
        self.rows += int(listed.counts[listed.members].sum())
        self.dearest = max(int(J.costs[named].max(initial=0)), int(listed.costs.max(initial=0)))
        self.more = int(named.sum()) + listed.size + int(J.needs.max(initial=0))
        self.steepest = [max(1, int(np.abs(cut.opens).max(initial=1))) for cut in cuts]

    def fits(self, amounts: Sequence[int], price: int, parts: int) -> bool:
        """Return whether the sums of a proof with these multipliers and largest price can be bounded."""
        weighed = sum(amount * steep for amount, steep in zip(amounts, self.steepest, strict=True))
        largest = price + self.dearest * parts + weighed
        return (largest * self.rows + weighed * self.more) * 8 < ROOM
