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

__all__ = ["k_bound", "k_prices"]


def k_bound(problem: Problem, solution: Solution, watch: Watch) -> Solution:
    """Return a solution with the bound that prices give for k alone, where that is above what it can have recounted.

    Parameters
    ----------
    problem : Problem
        With requirements.
    solution : Solution
    watch : Watch
        Says when to stop; until then prices go on while they gain (without a time limit: a few rounds).

    Notes
    -----
    Time and memory as `improve`'s prices take: O(p t) a scan. Masks with more patterns than a scan takes get no prices.
    """
    return k_prices(problem, solution, watch)[0]


def k_prices(problem: Problem, solution: Solution, watch: Watch) -> tuple[Solution, Pricing | None]:
    """Return what `k_bound` does, and the prices that it comes from (None: there was no time for any).

    They speak of the row types of `k_alone`.
    """
    merged = k_alone(problem)
    try:
        first = Greedy().solve(merged, Hurried(watch))
    except Infeasible:  # none was found in time
        return solution, None
    if watch.stopped:
        return solution, None
    pricing = Pricing(merged, encode(merged), first.plan, first.bound)
    if not pricing.scannable:
        return solution, None
    _price(pricing, first.plan, watch)
    cost = solution.plan.cost(problem)
    bound = pricing.bound
    if bound.value <= solution.bound.checked:
        return solution, pricing
    return dataclasses.replace(solution, bound=bound, certificate=_certificate(merged, pricing, cost, bound)), pricing


def _price(pricing: Pricing, plan: Plan, watch: Watch) -> None:
    """Raise the bound by prices while they gain, then by cuts where the linear program is small for the time."""
    timed, own = watch.deadline is not None, tuning.DEFAULT
    pricing.first_look(watch)
    values: list[float] = []
    while not (pricing.finished or watch.stopped) and (timed or len(values) < own.price_rounds):
        if len(values) > own.k_rounds and values[-1] - values[-1 - own.k_rounds] < own.k_gain * pricing.upper:
            break
        if not pricing.round(watch):
            return
        values.append(pricing.value)
    listed = pricing.cuttable(plan) if timed and not (watch.stopped or pricing.bound.value >= pricing.upper) else None
    if listed is not None and listed.pairs <= own.cut_speed * TimeShare.of(watch, None).left:
        pricing.cut(listed, watch)


def _certificate(problem: Problem, pricing: Pricing, cost: int, bound: Bound) -> dict[str, Any]:
    """Return what recounts the bound, over row types without sensitive values."""
    if pricing.proof is not None:
        return by_lattice_cuts(problem, cost, bound, pricing.proof, pricing.parts)
    return by_prices(problem, cost, bound, pricing.whole, pricing.parts)
