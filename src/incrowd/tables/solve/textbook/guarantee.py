"""What approximations share: which problems their theorems cover, and groups as a release that names its ratio."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.counting import ceiling, per_row
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import beyond_k
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.textbook.approximation import release_of
from incrowd.tables.values import Solution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.progress import Watch
    from incrowd.tables.values import Int8, Problem

__all__ = ["harmonic", "outside", "released"]


def outside(problem: Problem) -> str | None:
    """Return why a theorem about k-anonymity with every pattern allowed says nothing of the problem, or None.

    Notes
    -----
    Groups that share a row are united at no more than the sum of their costs per row: of each column the higher of
    their two nodes above that row shows both. With stars, weights and hierarchies alike, but the united
    pattern has to be allowed: so every one has to be.
    """
    reason = beyond_k(problem)
    if reason is not None:
        return reason
    every = math.prod(level.height + 1 for level in problem.levels)
    allowed = problem.patterns.count()
    if allowed < every:
        return f"its guarantee holds where every pattern is allowed, and the mask allows {allowed} of {every}"
    return None


def harmonic(k: int) -> Fraction:
    """Return 1 + 1/2 + ... + 1/k."""
    return sum((Fraction(1, j) for j in range(1, k + 1)), Fraction(0))


def released(
    problem: Problem,
    watch: Watch,
    name: str,
    groups: Sequence[Mapping[int, int]] | None,
    claim: tuple[Fraction, str],
    begun: float,
) -> Solution:
    """Return groups as a release with the per-row bound, and with the ratio in its notes.

    Each group is the rows by row type, and groups are disjoint; rows in none of them are suppressed fully. With None
    for the groups the method was cut short, and the release is that in which equal rows stay and all others are one
    group; it carries no ratio. `name` is the solver's. `claim` is (ratio, source): by which factor the release is at
    most dearer than the cheapest, and who says so. `begun` is when the solver started, on the clock of
    `time.perf_counter`.

    Every group gets the lowest level per column at which its rows are alike.
    """
    cut_short = groups is None
    plan = release_of(problem)
    if groups is not None:
        left = problem.types.counts.copy()
        pieces = []
        for group in groups:
            types = np.fromiter(group.keys(), np.int64, len(group))
            rows = np.fromiter(group.values(), np.int64, len(group))
            left[types] -= rows
            pieces.append((_common(problem, types), types, rows))
        pieces.append((np.array(problem.top, np.int8), np.arange(problem.types.t), left))
        plan = as_plan(problem, pieces)
    solved = time.perf_counter()
    encoded = encode(problem)
    with Workers(None) as workers:
        floor = per_row(problem, encoded, workers, watch, ceiling=ceiling(problem, plan))
    bound, cost = floor.bound(problem), plan.cost(problem)
    ratio, source = claim
    notes = () if cut_short else (f"at most {_written(ratio)} times the optimum ({source})",)
    status = ended(cost, bound.value, watch, cut_short=cut_short)
    seconds = {"solve": solved - begun, "bound": time.perf_counter() - solved}
    watch.tell("solve", cost=cost, lower_bound=bound.value)
    return Solution(plan, bound, status, name, seconds, notes, by_prices(problem, cost, bound, floor.least, 1))


def _common(problem: Problem, types: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Int8:
    """Return the lowest level of each column at which the types are alike."""
    vector = np.zeros(problem.types.m, np.int8)
    for j, level in enumerate(problem.levels):
        nodes = level.up[:, problem.types.codes[types, j]]
        vector[j] = int(np.argmax((nodes == nodes[:, :1]).all(axis=1)))
    return vector


def _written(number: Fraction) -> str:
    """Return a ratio with no more than it has: rounded up at the third digit after the point."""
    return str(number.numerator) if number.denominator == 1 else f"{math.ceil(number * 1000) / 1000:g}"
