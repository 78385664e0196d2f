"""A lower bound for a release that any solver made: prices, improved while time remains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import lagrangian as prices
from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.counting import per_row
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.instances import common_step
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.values import Bound, Int64, Plan, Problem

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances

__all__ = ["ReleaseBound", "improve_bound", "start_prices"]

# Masks with more patterns are not scanned: their bound is the counting bound.
MOST_PATTERNS = 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseBound:
    """A bound with what it was made from, so that a search can go on with it.

    Attributes
    ----------
    bound : Bound
        `checked` equals `value`: every part of it was recounted in integers.
    prices : (t,) float64
        Prices per row type in scaled cost units, those that give the bound.
    whole : (t,) int64
        The same in `parts` of a unit: the certificate.
    parts : int
    instances : Instances or None
        The kept instances with small reduced costs at the last scan (None: no scan was made).
    """

    bound: Bound
    prices: Float64
    whole: Int64
    parts: int
    instances: Instances | None


def improve_bound(
    problem: Problem,
    upper: int,
    watch: Watch,
    *,
    encoded: ProblemArrays | None = None,
    start: Float64 | None = None,
    rounds: int | None = None,
    steps: int | None = None,
    tau: float | None = None,
) -> ReleaseBound:
    """Return the best bound that prices give within the time.

    It is valid for the problem as it is: mask, costs, outlier rule. `upper` is the scaled cost of a release. The watch
    says when to stop; at least the counting bound is returned. `encoded` is the problem laid out, and `start`, (t,),
    are the first prices, best those of `start_prices` (default: the counting bound's).

    There are `rounds` rounds (12 by default) of `steps` price steps (160 by default), each round ending with a scan
    over the whole lattice. `tau` is the reduced cost up to which instances are stored between scans, in scaled cost
    units (default: one star on average, 0.3 of it where patterns are many).

    Notes
    -----
    A round takes O(stored pairs * steps) and one scan of O(p t). The sum over stored instances alone is no
    bound; only what a scan over all patterns confirmed in integers is returned.
    """
    own = tuning.DEFAULT
    rounds = own.release_rounds if rounds is None else rounds
    steps = own.release_steps if steps is None else steps
    e = encoded or encode(problem)
    with Workers(None) as workers:
        floor = per_row(problem, e, workers, watch)
    least = floor.least.astype(np.float64)
    unit = common_step([level.cost for level in problem.levels])
    top = e.row_costs(np.array(problem.top, np.int8))
    parts = prices.grain(np.array([int(e.costs.max(initial=1)) * len(problem.levels)]), e.counts)
    whole = floor.least * parts
    best = ReleaseBound(floor.bound(problem), least, whole, parts, None)
    patterns = problem.patterns.count()
    if best.bound.value >= upper or watch.stopped or patterns > MOST_PATTERNS or rounds < 1:
        return best
    closure = CanonicalPattern(problem, e)
    vectors = prices.all_vectors(problem)
    if tau is None:
        share = own.many_threshold if patterns > own.many_patterns else 1.0
        tau = share * float(top.max(initial=1)) / len(problem.levels)
    now = least if start is None else start
    if problem.outliers == "suppress" and problem.patterns.allows_full_suppression:
        now = np.minimum(now, top.astype(np.float64))
    target = max(own.release_target * upper, 0.5 * (best.bound.value + upper))
    stored: Instances | None = None
    value, stale = -np.inf, 0
    for _ in range(rounds):
        if stored is not None:
            _, now = prices.subgradient(stored, now, target=target, steps=steps, watch=watch, enough=upper)
        fresh = prices.whole_prices(now, parts)
        seen = prices.scan(problem, e, closure, fresh, parts, tau=int(tau * parts), vectors=vectors, watch=watch)
        if seen is None:
            break
        true = seen.value / parts
        stale = 0 if true > value + own.release_gain * upper else stale + 1
        bound = min(-(-seen.value // (parts * unit)) * unit, upper)
        if bound > best.bound.value:
            best = ReleaseBound(Bound(bound, bound, "prices per row type"), now, fresh, parts, seen.instances)
            watch.tell("bound", lower_bound=bound)
        value = max(value, true)
        target = max(target, value + 0.3 * (upper - value))
        if stored is None:
            stored = seen.instances
        else:
            limit = own.release_memory * tau
            close = prices.reduced_costs(stored, now, ceiling=limit) <= limit
            stored = seen.instances.union(stored.only(close))
        if best.bound.value >= upper or stale >= own.release_patience or watch.stopped:
            break
    return best


def start_prices(problem: Problem, plan: Plan) -> Float64:
    """Return what a row of each type costs in a plan, on average, shape (t,): good first prices."""
    each = np.zeros(plan.part_type.size)
    for j, level in enumerate(problem.levels):
        each += level.cost[plan.levels[plan.part_group, j], problem.types.codes[plan.part_type, j]]
    total = np.zeros(problem.types.t)
    np.add.at(total, plan.part_type, each * plan.part_rows)
    return total / problem.types.counts
