"""The bound of releases that meet requirements: prices per row type and sensitive value, from k-anonymity's own on.

Prices of k alone come first where the release is near their bound; where that stays the larger its certificate stays.
"""

from __future__ import annotations

import dataclasses
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import MOST_PATTERNS, Pricing, star_of
from incrowd.tables.solve.bounds.cuts_over_lattice import by_lattice_cuts
from incrowd.tables.solve.bounds.under_requirements.layout import CLOSE, possible_classes, rules_of
from incrowd.tables.solve.bounds.under_requirements.prices import PricedRequirements, by_requirements, prices_of
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import k_alone, merged_types
from incrowd.tables.solve.shared.time_limit import EndsAtDeadline, TimeShare
from incrowd.tables.values import Bound

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Plan, Problem, Solution


def priced(
    problem: Problem, encoded: ProblemArrays, solution: Solution, watch: Watch, whole: Watch
) -> tuple[Solution, tuple[Instances, Float64] | None]:
    """Return a solution with the bound that prices give under its requirements, where that is above what it has.

    The instances that good releases open come second, over the problem's types, with their reduced costs, (g,) float64,
    in scaled cost; None where there was no time. Prices go on while they gain until `watch` says stop (without a time
    limit: for some rounds), and are recounted before `whole` does. They begin where those of the solution's certificate
    ended; else those for k alone have a share of the time first, unless the release is so far from its bound that they
    say nothing. Time and memory: O(p t) a scan, of which there are some.
    """
    own, cost = tuning.DEFAULT, solution.plan.cost(problem)
    told = bool(rules_of(problem)) and problem.patterns.count() <= MOST_PATTERNS
    far = told and cost > own.k_from * solution.bound.value
    known = prices_of(solution.certificate)
    first = None if far or known is not None else k_prices(problem, TimeShare.of(watch, own.k_share if told else None))
    pricing = None if first is None else first[0]
    if pricing is not None:
        solution = with_k_bound(problem, solution, pricing)
        watch.report("bound", lower_bound=solution.bound.value, of="k alone")
    if not rules_of(problem):
        note = "the bound is that of k alone: nothing is known in numbers of what is required"
        solution = dataclasses.replace(solution, notes=(*solution.notes, note))
    if watch.stopped or solution.bound.value >= cost or not told:
        return solution, None
    start = np.zeros(problem.types.t) if known is None else known
    if pricing is not None and pricing.value > 0:
        start = pricing.best[merged_types(problem)]
    prices = PricedRequirements(
        problem, encoded, start, cost, known=known is not None, below=whole_below(problem), threads=os.cpu_count() or 1
    )
    rounds = math.inf if watch.deadline is not None else own.required_rounds
    while prices.rounds < rounds and not (prices.finished or watch.stopped) and prices.round(watch):
        watch.report("bound", lower_bound=solution.bound.value, rounds=prices.rounds)
    reach = own.near(cost, max(prices.value, solution.bound.value), problem.types.t)
    found = (
        prices.prove(reach * max(problem.k / 5.0, 1.0) * star_of(problem, encoded), whole) if prices.rounds else None
    )
    if found is None:
        return solution, None
    proof, near = found[0], found[1:]
    value = min(prices.bound(proof), cost)
    if value <= solution.bound.checked:
        return solution, near
    bound = Bound(max(value, solution.bound.value), value, "prices per row type under requirements")
    certificate = by_requirements(problem, cost, bound, proof)
    watch.report("bound", lower_bound=bound.value)
    return dataclasses.replace(solution, bound=bound, certificate=certificate), near


def whole_below(problem: Problem) -> int:
    """Return the rows below which classes are looked at in whole numbers."""
    own = tuning.DEFAULT
    below = own.listed_below
    while below > problem.k and possible_classes(problem, below) > own.listed_classes:
        below -= 1
    if below > max(problem.k, own.listed_below // 3):
        return below
    wanted = 1
    for _, rule in rules_of(problem):
        if rule.family == Family.SHARES:
            # So many rows that the largest share is `shares_below` of them.
            wanted = max(wanted, int(np.ceil(own.shares_below / max(float(rule.share.max()), 0.05))))
        elif rule.family in CLOSE:
            wanted = max(wanted, own.close_below)
    return min(wanted, 41)


# The bound of k-anonymity for releases that meet more: prices for what is left of the time.
#
# Whatever meets requirements beside its k rows is a release of the problem of k alone, so no release of the first costs
# less than the cheapest of the second. Prices speak of row types without their sensitive values, and so does the
# certificate.
def k_bound(problem: Problem, solution: Solution, watch: Watch) -> Solution:
    """Return a solution with the bound that prices give for k alone, where that is above what it can have recounted.

    The problem has requirements. The watch says when to stop; until then prices go on while they gain (without a time
    limit: a few rounds); cuts follow where time allows. Time and memory as `improve`'s prices take: O(p t) a scan.
    Masks with more patterns than a scan takes get no prices.
    """
    first = k_prices(problem, watch)
    if first is None:
        return solution
    if not watch.stopped:
        _cut(*first, watch)
    return with_k_bound(problem, solution, first[0])


def k_prices(problem: Problem, watch: Watch) -> tuple[Pricing, Plan] | None:
    """Return prices for k alone that gain no more, or as far as time allows, and the release they began with.

    None where there was no time for a release, or where the mask has more patterns than a scan takes. The problem's
    requirements are left out, and the watch is that of the whole search.
    """
    merged = k_alone(problem)
    try:
        first = Greedy().solve(merged, EndsAtDeadline(watch.silent()))
    except Infeasible:  # none was found in time
        return None
    if watch.stopped:
        return None
    pricing = Pricing(merged, encode(merged), first.plan, first.bound)
    if not pricing.scannable:
        return None
    pricing.settle(watch, math.inf if watch.deadline is not None else tuning.DEFAULT.price_rounds)
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


def _cut(pricing: Pricing, plan: Plan, watch: Watch) -> None:
    """Raise the bound by cuts where the linear program is small for the time."""
    if watch.deadline is None or pricing.bound.value >= pricing.upper:
        return
    if not pricing.leveled and pricing.cuttable(tuning.DEFAULT.cut_speed * TimeShare.of(watch, None).left):
        pricing.cut_blocks(plan, watch, np.random.default_rng(0))


def _certificate(problem: Problem, pricing: Pricing, cost: int, bound: Bound) -> dict[str, Any]:
    """Return what recounts the bound, over row types without sensitive values."""
    if pricing.proof is not None:
        return by_lattice_cuts(problem, cost, bound, pricing.proof)
    return by_prices(problem, cost, bound, pricing.whole, pricing.parts)
