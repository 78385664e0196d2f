"""The bound of releases that meet requirements: prices per row type and sensitive value, from k-anonymity's own on.

Never below the bound of k alone, which prices give first; where that stays the larger its certificate stays too.
"""

from __future__ import annotations

import dataclasses
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import search_time
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds import tuning as bounds_tuning
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.cuts_over_lattice import by_lattice_cuts
from incrowd.tables.solve.bounds.under_requirements.layout import (
    CLOSE,
    Stopped,
    instances_of,
    possible_classes,
    rules_of,
)
from incrowd.tables.solve.bounds.under_requirements.prices import PricedRequirements, Proof, by_requirements
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.shared.instances import TooManyInstances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import k_alone, merged_types
from incrowd.tables.solve.shared.time_limit import EndsAtDeadline, TimeShare
from incrowd.tables.values import Bound

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.values import Plan, Problem, Solution


def priced(
    problem: Problem, solution: Solution, watch: Watch
) -> tuple[Solution, Pricing | None, RequirementsBound | None]:
    """Return a solution with the bound that prices give under its requirements, where that is above what it has.

    The prices for k alone come second, or None where there was no time for them. Those under requirements come third,
    or None where there was no time or they would take too much memory. Prices go on while they gain until `watch` says
    stop (without a time limit: for some steps). Prices for k alone have a share of the time first. Time and memory: O(p
    t) for k alone, then the pairs of row types and undominated instances; above a limit of pairs the bound stays that
    of k alone, and the solution says so.
    """
    share = tuning.DEFAULT.k_share if listable(problem) else None
    first = k_prices(problem, TimeShare.of(watch, share))
    if first is None:
        return solution, None, None
    solution = with_k_bound(problem, solution, first[0])
    watch.report("bound", lower_bound=solution.bound.value, of="k alone")
    if watch.stopped or solution.bound.value >= solution.plan.cost(problem):
        return solution, first[0], None
    begun = RequirementsBound.begun(problem, first[0], solution.plan.cost(problem), watch)
    if not isinstance(begun, RequirementsBound):
        noted = dataclasses.replace(solution, notes=(*solution.notes, begun)) if begun else solution
        return noted, first[0], None
    steps = math.inf if watch.deadline is not None else tuning.DEFAULT.required_steps
    while begun.prices.steps < steps and begun.step(watch):
        pass
    begun.end(watch)
    return begun.with_bound(solution), first[0], begun


def listable(problem: Problem) -> bool:
    """Whether there are few enough patterns and row types for all instances to be listed within some seconds.

    The problem has requirements.
    """
    return problem.patterns.count() * problem.types.t <= tuning.DEFAULT.listable


class RequirementsBound:
    """Prices under requirements that go on step by step, with the best bound recounted so far.

    `prices`: `prices.near(limit)` gives the instances that good releases open. `proof`: the best recounted so far.
    `bound`: what it proves, in scaled cost; 0 without one.
    """

    def __init__(self, prices: PricedRequirements) -> None:
        self.prices = prices
        self.proof: Proof | None = None
        self.bound = 0
        self._reached = -math.inf
        self._took = 0.0
        self._last = search_time()
        self._step = 0.0

    @classmethod
    def begun(cls, problem: Problem, pricing: Pricing, upper: int, watch: Watch) -> RequirementsBound | str:
        """Return prices under requirements from the prices of k alone on, or why there are none ("": no time).

        `pricing` is that of k alone, and `upper` the scaled cost of a release.
        """
        if not rules_of(problem):
            return "the bound is that of k alone: nothing is known in numbers of what is required"
        try:
            listed = instances_of(problem, watch=watch, most_pairs=bounds_tuning.DEFAULT.inner_pairs)
        except TooManyInstances as error:
            return f"the bound is that of k alone: about {error.estimate} pairs of row types and instances are too many"
        except Stopped:
            return ""
        start = pricing.best[merged_types(problem)]
        threads = os.cpu_count() or 1
        return cls(PricedRequirements(problem, listed, start, upper, below=whole_below(problem), threads=threads))

    def step(self, watch: Watch) -> bool:
        """Take one step, and now and then recount; return whether more of them are of use and in time."""
        prices = self.prices
        if prices.finished or watch.stopped or self._left(watch) < self._took + 2 * self._step:
            return False
        begun = search_time()
        if not prices.step(watch):
            return False
        self._step = max(search_time() - begun, 0.9 * self._step)
        pause = max(tuning.DEFAULT.recount_pause, tuning.DEFAULT.recount_share * self._took)
        if prices.value > self._reached and (self.proof is None or search_time() - self._last > pause):
            self._recount(watch)
        return True

    def end(self, watch: Watch) -> None:
        """Recount the best prices, if there is time for it."""
        if self.prices.value > self._reached and not watch.stopped and self._left(watch) > self._took:
            self._recount(watch)

    def with_bound(self, solution: Solution) -> Solution:
        """Return a solution with this bound and its certificate, where it is above what can be recounted of it."""
        if self.proof is None or self.bound <= solution.bound.checked:
            return solution
        problem, cost = self.prices.problem, solution.plan.cost(self.prices.problem)
        value = min(self.bound, cost)
        bound = Bound(max(value, solution.bound.value), value, "prices per row type under requirements")
        certificate = by_requirements(problem, self.prices.instances, cost, bound, self.proof)
        return dataclasses.replace(solution, bound=bound, certificate=certificate)

    def _recount(self, watch: Watch) -> None:
        begun, reached = search_time(), self.prices.value
        proof = self.prices.proof()
        self._last = search_time()
        self._took, self._reached = max(self._last - begun, 0.9 * self._took), reached
        bound = self.prices.bound(proof)
        if bound > self.bound:
            self.proof, self.bound = proof, bound
            watch.report("bound", lower_bound=bound)

    def _left(self, watch: Watch) -> float:
        return math.inf if watch.deadline is None else watch.deadline - search_time()


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
def k_bound(problem: Problem, solution: Solution, watch: Watch, *, cuts: bool = True) -> Solution:
    """Return a solution with the bound that prices give for k alone, where that is above what it can have recounted.

    The problem has requirements. The watch says when to stop; until then prices go on while they gain (without a time
    limit: a few rounds). `cuts` says whether cuts follow the prices where time allows. Time and memory as `improve`'s
    prices take: O(p t) a scan. Masks with more patterns than a scan takes get no prices.
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
        first = Greedy().solve(merged, EndsAtDeadline(watch))
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
