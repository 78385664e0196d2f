"""The instances worth a try under requirements, by the prices of k-anonymity alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.candidates import told_apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.column_generation import Pricing
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Problem, Solution

__all__ = ["Favoured", "favoured_by_k"]

# Seconds for the last scans, beyond the end of the prices' time.
LISTING = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Favoured:
    """What prices say.

    Attributes
    ----------
    solution : Solution
        The one given, with the better bound.
    instances : Instances or None
        Kept instances of the problem, over its own row types (None: none are known).
    rc : (g,) float64
        Their reduced costs in scaled cost units.
    """

    solution: Solution
    instances: Instances | None
    rc: NDArray[np.float64]


def favoured_by_k(problem: Problem, found: Solution, pricing: Pricing, watch: Watch) -> Favoured:
    """Return a solution with the instances that prices for k alone favour.

    `found` has its bound so far, and `pricing` is for k alone.

    Notes
    -----
    The last scan stores as many pairs of a type and an instance as the search takes. What a requirement needs may cost
    far more than what k alone does, so reduced costs at these prices are a weak advice: the reach is long.
    """
    nothing = np.zeros(0)
    if watch.interrupted:
        return Favoured(found, None, nothing)
    listed = _listed(pricing, watch)
    if listed is None:
        return Favoured(found, None, nothing)
    rc = lagrangian.reduced_costs(listed, np.minimum(pricing.best, lagrangian.price_caps(listed)))
    return Favoured(found, told_apart(problem, listed), rc)


def _listed(pricing: Pricing, watch: Watch) -> Instances | None:
    """Return instances up to a reduced cost at which they are not too many, or those at hand where that takes long."""
    own = tuning.DEFAULT
    whole = lagrangian.whole_prices(pricing.best, pricing.parts)
    late = watch.patient()
    late.deadline = None if watch.deadline is None else max(watch.deadline, search_time() + LISTING)
    reach = own.reach * max(pricing.problem.k / 5.0, 1.0) * pricing.star
    for last in range(1, own.tries + 1):
        scan = lagrangian.scan(
            pricing.problem, pricing.encoded, pricing.closure, whole, pricing.parts, tau=int(reach * pricing.parts),
            most_pairs=own.candidate_pairs, vectors=pricing.vectors, watch=late,
        )  # fmt: skip
        if scan is None:
            return pricing.stored
        if scan.instances.pairs <= own.candidate_pairs or last == own.tries:
            return scan.instances
        reach /= own.narrowing
    return None
