"""The instances worth a try by prices under requirements, and the bound that comes with them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.improve.bound_of_requirements import priced
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.shared.instances import Instances, extents
from incrowd.tables.solve.shared.refusals import merged_types
from incrowd.tables.solve.shared.row_assignment import closed, rows_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.column_generation import Pricing
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int64, Plan, Problem, Solution


def prices_of_requirements(
    problem: Problem, encoded: ProblemArrays, solution: Solution, watch: Watch, whole: Watch
) -> Favoured:
    """Return the bound under requirements, and the instances with small reduced costs at its prices.

    Where there are no such prices, those for k alone say it. The `solution` is a release of the problem. `watch` says
    when prices end, and `whole` when the search does.
    """
    found, of_k, near = priced(problem, encoded, solution, watch, whole)
    if near is not None:
        return _near(found, *near)
    if of_k is None:
        return Favoured(found, None, np.zeros(0))
    return favoured_by_k(problem, found, of_k, watch)


def _near(found: Solution, listed: Instances, rc: NDArray[np.float64]) -> Favoured:
    """Return the instances with the least reduced costs, up to a number of pairs."""
    few = listed.nearest(rc, tuning.DEFAULT.candidate_pairs)
    kept = listed.only(few)
    # prices have the types of an instance by sensitive value, everybody else has them by number
    members = kept.members[np.lexsort((kept.members, kept.owners))]
    return Favoured(found, dataclasses.replace(kept, members=members), rc[few], near=True)


# The instances worth a try under requirements, by the prices of k-anonymity alone.

# Seconds for the last scans, beyond the end of the prices' time.
LISTING = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Favoured:
    """What prices say.

    `solution`: the one given, with the better bound. `instances`: kept instances of the problem, over its own row types
    (None: none are known). `rc`: (g,) float64, their reduced costs in scaled cost units. `near`: whether these are
    prices under the requirements.
    """

    solution: Solution
    instances: Instances | None
    rc: NDArray[np.float64]
    near: bool = False


def favoured_by_k(problem: Problem, found: Solution, pricing: Pricing, watch: Watch) -> Favoured:
    """Return a solution with the instances that prices for k alone favour.

    `found` has its bound so far, and `pricing` is for k alone. The last scan stores as many pairs of a type and an
    instance as the search takes. What a requirement needs may cost far more than what k alone does, so reduced costs at
    these prices are a weak advice: the reach is long.
    """
    nothing = np.zeros(0)
    if watch.interrupted:
        return Favoured(found, None, nothing)
    listed = _listed(pricing, watch)
    if listed is None:
        return Favoured(found, None, nothing)
    rc = lagrangian.reduced_costs(listed, np.minimum(pricing.best, lagrangian.price_caps(listed)))
    return Favoured(found, over_types(problem, listed), rc)


def _listed(pricing: Pricing, watch: Watch) -> Instances | None:
    """Return instances up to a reduced cost at which they are not too many, or those at hand where that takes long."""
    own = tuning.DEFAULT
    whole = lagrangian.whole_prices(pricing.best, pricing.parts)
    late = watch.without_deadline()
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


# What the search under requirements may open, over row types told apart by sensitive values.
@dataclass(frozen=True, slots=True, eq=False)
class ClassCandidates:
    """Instances that may be opened.

    `instances`: cheapest first, free ones last. `rc`: (g,) float64, reduced costs at some prices: what is small is
    opened often. `rows`: (p,) int64, the release to start from: rows per pair.
    """

    instances: Instances
    rc: NDArray[np.float64]
    rows: Int64


def over_types(problem: Problem, merged: Instances) -> Instances:
    """Return instances over row types without sensitive values as instances over the problem's types.

    The `merged` instances are over the types that `merged_types` numbers.
    """
    number = merged_types(problem)
    begins = np.searchsorted(number, np.arange(merged.t + 1)).astype(np.int64)
    widths = np.diff(begins)[merged.members]
    ends = np.cumsum(widths)
    members = np.arange(int(widths.sum())) + np.repeat(begins[merged.members] - (ends - widths), widths)
    held = np.concatenate(([0], ends))[merged.begins]
    return Instances(
        merged.vectors, merged.costs, merged.needs, held.astype(np.int64), members.astype(np.int32),
        problem.types.counts, merged.suppressed,
    )  # fmt: skip


def gather(
    problem: Problem, encoded: ProblemArrays, plan: Plan, listed: Instances, rc: NDArray[np.float64]
) -> ClassCandidates:
    """Return the listed instances, those of a release, and the fully suppressed one.

    The `plan` is the release to start from. The `listed` instances are over the problem's types, and `rc` is (g,):
    their reduced costs. O((instances + pairs) log) time; 12 bytes a pair.
    """
    own = extents(problem, encoded, *closed(problem, plan, encoded))
    if problem.patterns.allows_full_suppression:
        top = np.array([problem.top], np.int8)
        own = own.union(extents(problem, encoded, top, np.zeros(1, np.int32)))
    far = float(rc.max(initial=0.0))
    united = listed.union(own)
    priced = np.concatenate((rc, np.full(united.size - listed.size, far)))
    instances, order = united.cheapest_first()
    rows = rows_in(problem, encoded, instances, plan)
    assert rows is not None, "the plan's instances are listed"
    return ClassCandidates(instances, priced[order], rows)
