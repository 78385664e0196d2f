"""The bound of k-anonymity for releases that meet more: prices for what is left of the time.

Whatever meets requirements beside its k rows is a release of the problem of k alone, so no release of the first
costs less than the cheapest of the second. Prices speak of row types without their sensitive values, and so does the
certificate.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from incrowd.errors import Infeasible
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.lattice_certificate import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.time_limit import Hurried
from incrowd.tables.solve.shared.time_share import TimeShare
from incrowd.tables.solve.shared.without_requirements import k_alone

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Bound, Plan, Problem, Solution

__all__ = ["k_bound", "k_prices", "with_k_bound"]


def k_bound(problem: Problem, solution: Solution, watch: Watch, *, cuts: bool = True) -> Solution:
    """Return a solution with the bound that prices give for k alone, where that is above what it can have recounted.

    The problem has requirements. The watch says when to stop; until then prices go on while they gain (without a time
    limit: a few rounds). `cuts` says whether cuts follow the prices where time allows.

    Time and memory as `improve`'s prices take: O(p t) a scan. Masks with more patterns than a scan takes get no prices.
    """
    first = k_prices(problem, watch)
    if first is None:
        return solution
    if cuts and not watch.stopped:
        _cut(*first, watch)
    return with_k_bound(problem, solution, first[0])


def k_prices(problem: Problem, watch: Watch) -> tuple[Pricing, Plan] | None:
    """Return prices for k alone that gain no more, or as far as time allows, and the release they began with.

    None where there was no time for a release, or where the mask has more patterns than a scan takes. The problem's
    requirements are left out, and the watch is that of the whole search.
    """
    merged = k_alone(problem)
    try:
        first = Greedy().solve(merged, Hurried(watch))
    except Infeasible:  # none was found in time
        return None
    if watch.stopped:
        return None
    pricing = Pricing(merged, encode(merged), first.plan, first.bound)
    if not pricing.scannable:
        return None
    _price(pricing, watch)
    return pricing, first.plan


def with_k_bound(problem: Problem, solution: Solution, pricing: Pricing) -> Solution:
    """Return a solution with the bound that prices for k alone have, where that is above what it can have recounted.

    The problem has requirements; `pricing` is for k alone.
    """
    cost = solution.plan.cost(problem)
    bound = pricing.bound
    if bound.value <= solution.bound.checked:
        return solution
    return dataclasses.replace(solution, bound=bound, certificate=_certificate(pricing.problem, pricing, cost, bound))


def _price(pricing: Pricing, watch: Watch) -> None:
    """Raise the bound by prices while they gain."""
    timed, own = watch.deadline is not None, tuning.DEFAULT
    pricing.first_look(watch)
    values: list[float] = []
    while not (pricing.finished or watch.stopped) and (timed or len(values) < own.price_rounds):
        if len(values) > own.k_rounds and values[-1] - values[-1 - own.k_rounds] < own.k_gain * pricing.upper:
            break
        if not pricing.round(watch):
            return
        values.append(pricing.value)


def _cut(pricing: Pricing, plan: Plan, watch: Watch) -> None:
    """Raise the bound by cuts where the linear program is small for the time."""
    if watch.deadline is None or pricing.bound.value >= pricing.upper:
        return
    listed = pricing.cuttable(plan)
    if listed is not None and listed.pairs <= tuning.DEFAULT.cut_speed * TimeShare.of(watch, None).left:
        pricing.cut(listed, watch)


def _certificate(problem: Problem, pricing: Pricing, cost: int, bound: Bound) -> dict[str, Any]:
    """Return what recounts the bound, over row types without sensitive values."""
    if pricing.proof is not None:
        return by_lattice_cuts(problem, cost, bound, pricing.proof)
    return by_prices(problem, cost, bound, pricing.whole, pricing.parts)
