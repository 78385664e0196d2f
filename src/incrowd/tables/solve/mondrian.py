"""Mondrian: parts of the table are cut at the median of their widest column as long as both sides may stand."""

from __future__ import annotations

import dataclasses
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.grouping import median_splits as kernel
from incrowd.tables.row_numbers import added_up, before_each
from incrowd.tables.solve.bounds import counting
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.greedy.with_requirements.class_plan import ClassPlan
from incrowd.tables.solve.greedy.with_requirements.moves import settle
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import joined
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.requirement_check import meets
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_limit import for_bound, for_plan, is_over
from incrowd.tables.values import Plan, Problem, Solution

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int32, Int64, Levels


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
        Infeasible is raised if the whole table does not meet a requirement, some row has no allowed instance that k
        rows agree with, or the mask holds no full suppression and no place was found for a part.
        """
        begun = time.perf_counter()
        limited, watch = watch, for_plan(watch)
        encoded = encode(problem)
        parts = cut_up(problem, relaxed=self.relaxed, watch=watch, median=self.median)
        plan, apart = (_apart(problem, encoded, parts), 0) if self.ranges else _shown(problem, encoded, parts, watch)
        cost = plan.cost(problem)
        solving = time.perf_counter() - begun
        watch.report("solve", parts=parts.count, classes=plan.classes, cost=cost)
        watch = for_bound(limited)
        with Workers() as workers:
            least = counting.per_row(problem, encoded, workers, watch, ceiling=counting.ceiling(problem, plan))
        bound = least.bound(problem)
        if self.ranges:  # true of ranges too, whose shown cells agree in every part, but no certificate says so
            bound = dataclasses.replace(bound, checked=0)
        watch.report("bound", lower_bound=bound.value)
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
    class_ = np.repeat(np.arange(parts.count, dtype=np.int32), np.diff(parts.begins))
    order = np.lexsort((class_, parts.types))
    return Plan(np.where(common > 0, top, 0).astype(np.int8), parts.types[order], class_[order], parts.rows[order])


def _shown(problem: Problem, encoded: ProblemArrays, parts: Parts, watch: Watch) -> tuple[Plan, int]:
    """Return the plan in which every part shows the least it may, and the rows of parts that had to be repaired."""
    vectors = CanonicalPattern(problem, encoded).of(parts.begins, parts.types)
    lost = vectors.min(axis=1, initial=0) < 0
    class_ = np.repeat(np.arange(parts.count, dtype=np.int32), np.diff(parts.begins))
    away = lost[class_]
    rest, place = np.unique(parts.types[away], return_inverse=True)
    rest_rows = added_up(place, parts.rows[away], rest.size)
    if rest.size and problem.requirements:
        raise _nowhere(problem, int(rest_rows.sum()))
    shown = np.maximum(vectors, 0), parts.types[~away], class_[~away], parts.rows[~away]
    state = ClassPlan(problem, encoded, watch, shown)
    settle(state, rest, rest_rows, (), suppress=False)
    return _judged(problem, state.plan()), int(rest_rows.sum())


def _judged(problem: Problem, plan: Plan) -> Plan:
    """Return a plan whose classes meet every requirement: parts that became one by showing the same may not.

    Only a requirement that is not closed under union can refuse such a class; its rows are fully suppressed, and where
    that does not do, all rows are, which the whole table's parts were checked for.
    """
    if not problem.requirements:
        return plan
    top = np.array(problem.top, np.int8)
    for _ in range(3):
        good = meets(problem, plan.part_class, plan.part_type, plan.part_rows, plan.classes)
        if good.all():
            return plan
        if not problem.patterns.allows_full_suppression:
            break
        starred = (plan.levels == top).all(axis=1)
        whole = bool((starred & ~good).any())
        plan = _suppressed(problem, plan, np.ones_like(good) if whole else ~good)
    raise _nowhere(problem, int(plan.sizes()[~good].sum()))


def _suppressed(problem: Problem, plan: Plan, which: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Plan:
    """Return the plan with the rows of some classes fully suppressed."""
    levels = np.where(which[:, None], np.array(problem.top, np.int8), plan.levels)
    return joined(problem, levels, plan.part_type, plan.part_class, plan.part_rows)


def _nowhere(problem: Problem, rows: int) -> Infeasible:
    return Infeasible(
        f"no release was found: the mask holds no pattern for groups of {rows} rows, or none that keeps every "
        "requirement; allow full suppression or more patterns",
        requirement=f"k={problem.k}",
        proven=False,
    )


# Mondrian's parts: the table cut at medians until no cut is left that may be made.
LENGTH = 1 << 30


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """Disjoint sets of rows that together are the table.

    `types`: (e,) int32, row types, one part after another; a type may lie in several. `rows`: (e,) int64, rows of each,
    at least 1. `begins`: (p + 1,) int64.
    """

    types: Int32
    rows: Int64
    begins: Int64

    @property
    def count(self) -> int:
        """Number of parts."""
        return self.begins.size - 1

    def of(self, which: NDArray[np.bool_]) -> Parts:
        """Return some of the parts."""
        sizes = np.diff(self.begins)
        entries = np.repeat(which, sizes)
        begins = np.concatenate(([0], np.cumsum(sizes[which]))).astype(np.int64)
        return Parts(self.types[entries], self.rows[entries], begins)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """The values of one column in a row.

    `rank`: (d,) int32, of each value code. `place`: (d,) int64, by rank: where it lies, from 0 to 2^30; does not fall.
    """

    rank: Int32
    place: Int64


def column_line(level: Levels, places: Int64 | None) -> Line:
    """Return the order of a column's values: by place (else code), but the leaves of every node together.

    `places` is (d,), see `Problem.places`. They are also distances, where the hierarchy keeps their order; otherwise
    neighbours are one apart.
    """
    d = level.up.shape[1]
    given = np.arange(d, dtype=np.int64) if places is None else places
    keys = [np.arange(d), given]
    for nodes in level.up[1:-1]:
        least = np.full(int(nodes.max(initial=0)) + 1, np.iinfo(np.int64).max)
        np.minimum.at(least, nodes, given)
        keys += [nodes, least[nodes]]
    order = np.lexsort(keys)
    rank = np.empty(d, np.int32)
    rank[order] = np.arange(d, dtype=np.int32)
    along = given[order]
    if (np.diff(along) < 0).any():
        along = np.arange(d, dtype=np.int64)
    span = int(along[-1] - along[0]) if d else 0
    place = np.zeros(d, np.int64)
    if span:
        place[:] = [(int(x) - int(along[0])) * LENGTH // span for x in along]
    return Line(rank, place)


def cut_up(problem: Problem, *, relaxed: bool, watch: Watch, median: bool = False) -> Parts:
    """Return Mondrian's parts; each has at least k rows and meets every requirement.

    All open parts are cut in one round, then their sides in the next one. When interrupted the parts at hand are
    returned. With `relaxed`, rows of one value may be on both sides of a cut. With `median`, a cut is at the median
    alone, and not tried elsewhere. Raises Infeasible if the whole table does not meet a requirement (a proof where
    requirements are closed under union).
    """
    types = problem.types
    lines = [
        column_line(level, problem.places[j] if problem.places else None) for j, level in enumerate(problem.levels)
    ]
    longest = max((line.rank.size for line in lines), default=0)
    heights = np.array([level.height for level in problem.levels], np.int64)
    first = np.concatenate(([0], np.cumsum(heights + 1)[:-1])).astype(np.int64)
    rank = np.empty((types.t, types.m), np.int32)
    place = np.zeros((types.m, longest), np.int64)
    node = np.zeros((int((heights + 1).sum()), longest), np.int32)
    for j, (line, level) in enumerate(zip(lines, problem.levels, strict=True)):
        rank[:, j] = line.rank[types.codes[:, j]]
        place[j, : line.place.size] = line.place
        node[first[j] : first[j] + heights[j] + 1, line.rank] = level.up
    still = Parts(np.arange(types.t, dtype=np.int32), types.counts.copy(), np.array([0, types.t], np.int64))
    _whole(problem, still)
    refused = np.zeros(1, np.int64)
    done: list[Parts] = []
    while still.count:
        column, cut, number = kernel.next_cuts(
            still.types,
            still.rows,
            still.begins,
            refused,
            rank,
            place,
            node,
            first,
            heights,
            problem.k,
            median,
            relaxed,
        )
        live = (column >= 0) & (not watch.stopped)
        done.append(still.of(~live))
        still = still.of(live)
        sides = divided(still, column[live], cut[live], rank, relaxed=relaxed)
        refused = np.zeros(sides.count, np.int64)
        if problem.requirements:
            class_ = np.repeat(np.arange(sides.count), np.diff(sides.begins))
            good = meets(problem, class_, sides.types, sides.rows, sides.count)
            both = good[0::2] & good[1::2]
            again = number[live][~both] + 1
            refused = np.concatenate((np.zeros(2 * int(both.sum()), np.int64), again))
            sides = _joined([sides.of(np.repeat(both, 2)), still.of(~both)])
        still = sides
        watch.report("solve", parts=sum(part.count for part in done) + still.count)
    return _joined(done)


def divided(parts: Parts, column: Int64, cut: Int64, rank: Int32, *, relaxed: bool) -> Parts:
    """Return the two sides of every part, one after another.

    `column` and `cut`, (p,), are as the kernel returns them, without -1. A relaxed cut may divide the rows of one type.
    """
    types, rows, part = parts.types, parts.rows, np.repeat(np.arange(parts.count), np.diff(parts.begins))
    if relaxed:
        order = np.lexsort((rank[types, column[part]], part))
        types, rows = types[order], rows[order]
        left = np.clip(cut[part] - before_each(part, rows), 0, rows)
    else:
        left = np.where(rank[types, column[part]] <= cut[part], rows, 0)
    some, side = np.concatenate((left, rows - left)), np.concatenate((2 * part, 2 * part + 1))
    order = np.argsort(side, kind="stable")
    order = order[some[order] > 0]
    begins = np.concatenate(([0], np.cumsum(np.bincount(side[order], minlength=2 * parts.count))))
    return Parts(np.tile(types, 2)[order], some[order], begins)


def _whole(problem: Problem, table: Parts) -> None:
    """Refuse a table that does not even meet the requirements as one class."""
    class_ = np.zeros(table.types.size, np.int64)
    for requirement in problem.requirements:
        alone = dataclasses.replace(problem, requirements=(requirement,))
        if not meets(alone, class_, table.types, table.rows, 1)[0]:
            proven = requirement.closed_under_union
            raise Infeasible(
                f"no release {'can meet' if proven else 'was found that meets'} {requirement.describe()}: all rows "
                "as one group do not meet it; lower the threshold",
                requirement=requirement.rule,
                proven=proven,
            )


def _joined(many: list[Parts]) -> Parts:
    """Return several lists of parts as one."""
    sizes = np.concatenate([np.diff(parts.begins) for parts in many])
    return Parts(
        np.concatenate([parts.types for parts in many]),
        np.concatenate([parts.rows for parts in many]),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
    )
