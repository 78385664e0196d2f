"""Mondrian: parts of the table are cut at the median of their widest column as long as both sides may stand."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.tables.solve.bounds import counting
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.greedy.repair import Repair
from incrowd.tables.solve.mondrian.median_splits import Parts, cut_up
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import PartialPlan
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.requirement_check import meets
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_limit import for_bound, for_plan, is_over
from incrowd.tables.values import Plan, Problem, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch

__all__ = ["Mondrian"]


@dataclass(frozen=True, kw_only=True)
class Mondrian:
    """Strict Mondrian with the lowest common levels of every part as its output.

    Parameters
    ----------
    relaxed : bool, default False
        Cut in the middle of the rows, so that equal values may come to both sides, instead of between values.
    median : bool, default False
        Cut a column after its median or not at all, as in the paper; by default where the smaller side is largest,
        which cuts on where the median cannot.
    ranges : bool, default False
        Leave the parts as they are, for an output that shows the range of each in columns where its rows differ:
        such a column is at its top, and parts that show the same otherwise stay apart.

    Notes
    -----
    A part is cut in its widest column (its span as a share of the column's) where the smaller side is largest,
    if both sides have k rows and meet every further requirement; else in the next widest one. Values lie in the
    order of `Problem.places` where a column has one (numbers), else of their codes, and a hierarchy's nodes stay
    together: cuts between the nodes just below the lowest common one are tried first, lower ones after them.
    With requirements, one cut per column and level is tried, so a part may stay whole that another cut would have
    divided.

    Every part then shows the cheapest allowed level vector above the lowest levels at which its rows agree
    (`incrowd.tables.solve.shared.canonical_pattern`); parts that show the same are one. Where the mask holds no vector
    for a part (no full suppression), its rows are repaired as the greedy's leftovers are.

    O(m t r) time for r rounds of cuts, about log2(n / k) where the medians halve, and O(m t) memory; relaxed
    O(m t r log t). The paper's output, ranges, would cost other amounts; here a part that spans two values of
    a column without hierarchy is a star in it.

    References
    ----------
    .. [1] K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006, Figure 6
       (strict) and Section 3.2 (relaxed).
    """

    relaxed: bool = False
    median: bool = False
    ranges: bool = False
    name: str = field(default="mondrian", init=False)
    cites = ("LeFevreDeWittRamakrishnan2006",)
    summary: str = field(default="parts cut at medians, the peer all papers compare with; quick, any size", init=False)

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: ranges need a mask that allows everything."""
        if self.ranges and problem.patterns.count() < math.prod(height + 1 for height in problem.top):
            return "a range may be shown in any column, so ranges go with no mask"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return Mondrian's plan with the per-row bound, as far as the time goes.

        The plan has a second at any rate, and the bound half of one: parts that were not cut by then stay whole.

        Raises
        ------
        Infeasible
            If the whole table does not meet a requirement, some row has no allowed instance that k rows agree
            with, or the mask holds no full suppression and no place was found for a part.
        """
        begun = time.perf_counter()
        limited, watch = watch, for_plan(watch)
        encoded = encode(problem)
        parts = cut_up(problem, relaxed=self.relaxed, watch=watch, median=self.median)
        plan, apart = (_apart(problem, encoded, parts), 0) if self.ranges else _shown(problem, encoded, parts, watch)
        cost = plan.cost(problem)
        solving = time.perf_counter() - begun
        watch.tell("solve", parts=parts.count, groups=plan.groups, cost=cost)
        watch = for_bound(limited)
        with Workers(None) as workers:
            least = counting.per_row(problem, encoded, workers, watch, ceiling=counting.ceiling(problem, plan))
        bound = least.bound(problem)
        if self.ranges:  # true of ranges too, whose shown cells agree in every part, but no certificate says so
            bound = dataclasses.replace(bound, checked=0)
        watch.tell("bound", lower_bound=bound.value)
        status = ended(cost, bound.value, watch, cut_short=is_over(limited))
        notes = [f"{parts.count} parts"]
        if apart:
            notes.append(f"{apart} rows of parts that the mask does not let show anything in common")
        if not least.complete:
            notes.append("bound not taken to its end")
        proof = None if problem.requirements or self.ranges else by_prices(problem, cost, bound, least.least, 1)
        seconds = {"solve": solving, "bound": time.perf_counter() - begun - solving}
        return Solution(plan, bound, status, self.name, seconds, tuple(notes), proof)


def _apart(problem: Problem, encoded: ProblemArrays, parts: Parts) -> Plan:
    """Return the plan of the parts as they are: at the top wherever a part's rows differ."""
    top = np.array(problem.top, np.int8)
    common = CanonicalPattern(problem, encoded).levels(np.tile(top, (parts.count, 1)), parts.begins, parts.types)
    group = np.repeat(np.arange(parts.count, dtype=np.int32), np.diff(parts.begins))
    order = np.lexsort((group, parts.types))
    return Plan(np.where(common > 0, top, 0).astype(np.int8), parts.types[order], group[order], parts.rows[order])


def _shown(problem: Problem, encoded: ProblemArrays, parts: Parts, watch: Watch) -> tuple[Plan, int]:
    """Return the plan in which every part shows the least it may, and the rows of parts that had to be repaired."""
    closure = CanonicalPattern(problem, encoded)
    top = np.array(problem.top, np.int8)
    common = closure.levels(np.tile(top, (parts.count, 1)), parts.begins, parts.types)
    vectors = closure.first(common, parts.types[parts.begins[:-1]])
    lost = vectors.min(axis=1, initial=0) < 0
    group = np.repeat(np.arange(parts.count, dtype=np.int32), np.diff(parts.begins))
    away = lost[group]
    rest, place = np.unique(parts.types[away], return_inverse=True)
    rest_rows = np.zeros(rest.size, np.int64)
    np.add.at(rest_rows, place, parts.rows[away])
    inside = ~away
    draft = PartialPlan(
        encoded, np.maximum(vectors, 0), parts.types[inside], group[inside], parts.rows[inside], rest, rest_rows
    )
    apart = int(rest_rows.sum())
    if apart:
        if problem.requirements:
            raise _nowhere(problem, apart)
        draft = Repair(problem, watch).without_top(draft)
    return _judged(problem, draft.plan()), apart


def _judged(problem: Problem, plan: Plan) -> Plan:
    """Return a plan whose groups meet every requirement: parts that became one by showing the same may not.

    Only a requirement that is not closed under union can refuse such a group; its rows are fully suppressed, and
    where that does not do, all rows are, which the whole table's parts were checked for.
    """
    if not problem.requirements:
        return plan
    top = np.array(problem.top, np.int8)
    for _ in range(3):
        good = meets(problem, plan.part_group, plan.part_type, plan.part_rows, plan.groups)
        if good.all():
            return plan
        if not problem.patterns.allows_full_suppression:
            break
        starred = (plan.levels == top).all(axis=1)
        whole = bool((starred & ~good).any())
        plan = _suppressed(problem, plan, np.ones_like(good) if whole else ~good)
    raise _nowhere(problem, int(plan.sizes()[~good].sum()))


def _suppressed(problem: Problem, plan: Plan, which: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Plan:
    """Return the plan with the rows of some groups fully suppressed."""
    levels = np.where(which[:, None], np.array(problem.top, np.int8), plan.levels)
    none = np.zeros(0, np.int32)
    draft = PartialPlan(
        encode(problem), levels, plan.part_type, plan.part_group, plan.part_rows, none, np.zeros(0, np.int64)
    )
    return draft.plan()


def _nowhere(problem: Problem, rows: int) -> Infeasible:
    return Infeasible(
        f"no release was found: the mask holds no pattern for groups of {rows} rows, or none that keeps every "
        "requirement; allow full suppression or more patterns",
        requirement=f"k={problem.k}",
        proven=False,
    )
