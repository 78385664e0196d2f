"""A release that shows ranges of some columns, with a lower bound over all ranges and what recounts it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from incrowd.kernels import dynamic_programs
from incrowd.progress import BOUNDS, search_time
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.ranges import search
from incrowd.tables.solve.ranges.lattice import MOST, RangeLattice, choices, ranged_places
from incrowd.tables.solve.ranges.search import RangePrices, dives_of, line_prices, opened, plan_of
from incrowd.tables.solve.ranges.search import search as search_search
from incrowd.tables.solve.shared.status import ended, head
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.tables.values import Advice, Bound, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.ranged_plan import RangedPlan
    from incrowd.tables.values import Int64, Problem

NAME, VERSION, SEVERAL = "incrowd ranges bound", 11, 12
MOST_PATTERNS = 1 << 20
MOST_CHOICES = 500_000_000  # of runs for all ranged columns but the first
TOO_DEAR = (
    "the ranges of all columns together are too many to be looked at in the time, so the lower bound is weak: take a "
    "larger step (round), more time, or give a column a hierarchy"
)
FIRST_SECONDS = 2.0  # for a first bound, where the limit is sooner


@dataclass(frozen=True, kw_only=True)
class RangeSearch:
    """Classes along the line, or the greedy's over some of the ranges; then prices over all of them, and annealing.

    Parameters
    ----------
    work : int, optional
        Moves of the annealing; default: as many as the time allows, without a time limit 50 per row type.
    seed : int, default 0
    gap : float, default 0.0
        Relative distance of cost and bound at which to stop.
    ranged : bool, default False
        Whether ranges on a grid are asked for; it makes nothing else.

    Notes
    -----
    The release is no worse than the first one. With one column that comes from a dynamic program over the sorted rows;
    classes that step over popular values are in it, but not all that there can be, so that the bound says how near to
    the least it is. Prices are scanned in O(p t) and a sweep of every class, p patterns of the other columns.
    """

    work: int | None = None
    seed: int = 0
    gap: float = 0.0
    ranged: bool = False
    name: str = field(default="ranges", init=False)
    summary: str = field(default="ranges of numbers on a grid, other columns by hierarchies, with a bound", init=False)
    cites = ("HansenMukherjee2003",)

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start."""
        if not ranged_places(problem):
            return "it makes ranges on a grid, so it goes with recoding=grid"
        patterns = 1
        for j, level in enumerate(problem.levels):
            patterns *= 1 if problem.ranges[j] is not None else level.height + 1
        ways = patterns * 3 ** len(ranged_places(problem))
        if problem.kinds is not None and ways > MOST:
            return f"with a mask the columns may show {ways:,} kinds of patterns, more than {MOST:,}: give fewer levels"
        first, *rest = (one for one in problem.ranges if one is not None)
        if math.prod(map(choices, rest)) > MOST_CHOICES:
            widest = max((first, *rest), key=choices)
            name = problem.columns[problem.ranges.index(widest)] if problem.columns else "the widest of them"
            return (
                f"the ranges of {len(rest) + 1} columns together are too many to look at; take a larger step (round) "
                f"or give {name}, which has {widest.cells:,} cells, a hierarchy"
            )
        if patterns > MOST_PATTERNS or not RangeLattice(problem).fits:
            return f"the columns beside the ranged one have {patterns:,} patterns, too many for ranges"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the best release found, with its bound. Infeasible is raised as the greedy does."""
        return _Run(self, problem, watch).run()


def release_cost(problem: Problem, *, rounds: int, work: int, seed: int, watch: Watch) -> int | None:
    """Return the scaled cost of the release that the search finds at a stated effort.

    The effort is `rounds` rounds of prices, at most, and `work` moves of the annealing. None is returned when the watch
    said stop: no cost is then that of the whole effort.
    """
    plan = _Run(RangeSearch(work=work, seed=seed, ranged=True), problem, watch.silent(), rounds).run().plan
    return None if watch.stopped else plan.cost(problem)


class _Run:
    """One run."""

    def __init__(
        self, options: RangeSearch, problem: Problem, watch: Watch, rounds: int = search.DEFAULT.rounds
    ) -> None:
        self.options, self.problem, self.watch = options, problem, watch
        self.begun, self.entered = search_time(), time.perf_counter()
        self.lattice = RangeLattice(problem)
        self.dives, self.rounds = 0, rounds
        self.notes: list[str] = []
        self.line = len(problem.levels) == 1 and problem.kinds is None
        self.timed = watch.deadline is not None and options.work is None

    def run(self) -> Solution:
        """Do all the steps that the time allows."""
        own = search.DEFAULT
        self.plan = self._first()
        self.cost = self.plan.cost(self.problem)
        lattice, plan = self.lattice, self.plan
        instances, _ = opened(lattice, plan)
        prices = RangePrices(lattice, self._paid(plan), instances, self.cost)
        self.prices = prices
        self._report()
        with release_kept(self.watch):
            self._price(TimeShare.of(self.watch, own.price_end if self.timed else None, since=self.begun))
        with release_kept(self.watch):
            if not self._done() and not self.line:
                self._search()
        with release_kept(self.watch):
            if self.timed and not self._done() and not (self.line and prices.finished):
                prices.now, prices.stale = prices.best, 0
                self._price(TimeShare.of(self.watch, None))
        bound = Bound(prices.bound, prices.bound, "prices per row type over all ranges")
        status = ended(self.cost, bound.value, self.watch, gap=self.options.gap)
        seconds = {"solve": time.perf_counter() - self.entered}
        if lattice.shares > 1 and prices.rounds < 2 and bound.value < self.cost:
            self.notes.append(Advice(TOO_DEAR))
        notes = (*self.notes, f"{prices.rounds} scans of all ranges", *([f"{self.dives} dives"] if self.dives else []))
        return Solution(self.plan, bound, status, self.options.name, seconds, notes, self._certificate(bound))

    def _first(self) -> RangedPlan:
        """Return the release to start from."""
        problem, lattice = self.problem, self.lattice
        if not self.line:
            watch = TimeShare.of(self.watch, search.DEFAULT.first_end if self.timed else None)
            watch.untold = BOUNDS  # what it proves is of some of the ranges alone
            found = Greedy().solve(problem, watch).plan
            full = (found.levels == np.array(problem.top, np.int8)).all(axis=1)
            class_ = found.part_class.astype(np.int64)
            class_ = np.where(full[class_], -1, class_) if lattice.free else class_
            return plan_of(lattice, found.part_type.astype(np.int64), class_, found.part_rows)
        # the order of the codes is that of their texts; along the line only the cells matter
        one = lattice.ranged[0]
        value, class_, rows = line_parts(
            lattice.cell[0], one.low, one.up, lattice.counts, problem.k, lattice.free, self.watch
        )
        return plan_of(lattice, value, class_, rows)

    def _paid(self, plan: RangedPlan) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return what a row of each type costs in a plan on average."""
        each = plan.paid(self.problem) * plan.part_rows
        total = np.bincount(plan.part_type, weights=each, minlength=self.problem.types.t)
        found: np.ndarray[Any, np.dtype[np.float64]] = total / self.problem.types.counts
        return found

    def _price(self, watch: TimeShare) -> None:
        prices, most = self.prices, self.rounds
        rounds = 0
        if not prices.rounds and self.cost:
            # where several columns make a scan dear, a weak bound first, and not beyond a default limit
            dear = self.lattice.shares > 1
            if dear:
                prices.now = prices.best = prices.now * search.DEFAULT.dear
            if self.line:
                one = self.lattice.ranged[0]
                raised = line_prices(
                    self.lattice.cell[0], one.low, one.up, self.lattice.counts, self.problem.k, self.watch
                )
                prices.now = prices.best = prices.now if raised is None else raised
            first = self.watch if dear and not self.watch.asked else self.watch.first_answer(FIRST_SECONDS)
            if not prices.round(first):
                return
            rounds += 1
            self._report()
        while not (watch.stopped or prices.finished or self._done()) and (self.timed or rounds < most):
            if not prices.round(watch):
                return
            rounds += 1
            self._report()

    def _search(self) -> None:
        """Look for a better release among the instances that prices favour."""
        own, lattice = search.DEFAULT, self.lattice
        until = TimeShare.of(self.watch, own.search_end if self.timed else None, since=self.begun)
        work = None if self.timed else self.options.work or 50 * lattice.t
        self._offer(search_search(self.prices, self.plan, until, seed=self.options.seed, work=work, heard=self._report))
        if self.timed and not self._done():
            dives = dives_of(self.prices, self.plan, self.options.seed)
            dives.run(TimeShare.of(self.watch, own.dive_end, since=self.begun), self._report)
            self._offer(cast("RangedPlan", dives.plan()))
            self.dives = dives.programs

    def _offer(self, plan: RangedPlan) -> None:
        """Take a release if it is cheaper."""
        cost = plan.cost(self.problem)
        if cost < self.cost:
            self.plan, self.cost = plan, cost
            self.prices.upper = cost
            self._report()

    def _done(self) -> bool:
        bound = self.prices.bound
        return self.watch.stopped or self.cost - bound <= self.options.gap * bound

    def _report(self, cost: int | None = None) -> None:
        self.watch.report("solve", cost=min(self.cost, cost or self.cost), lower_bound=self.prices.bound)

    def _certificate(self, bound: Bound) -> dict[str, Any]:
        made = head(self.problem, self.cost, bound, NAME, VERSION if len(self.lattice.columns) == 1 else SEVERAL)
        return {
            **made,
            **self._grids(),
            "parts": self.prices.parts,
            "prices": self.prices.whole.tolist(),
        }

    def _grids(self) -> dict[str, Any]:
        """Return which columns are ranged, by which steps."""
        columns, steps = list(self.lattice.columns), [list(one.step) for one in self.lattice.ranged]
        return {"column": columns[0], "step": steps[0]} if len(columns) == 1 else {"columns": columns, "steps": steps}


# One column: classes along its sorted rows, by a dynamic program.
PIECE = 100_000_000  # sizes of classes tried between two looks at the watch


def least_steps(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, free: bool, watch: Watch | None = None
) -> int:
    """Return what classes along the line cost.

    `cell` and `counts` are (d,): the cell and the rows of each value. `low` and `up` are (G,), as in `RangedColumn`.
    `free` says whether rows may be suppressed without a crowd. The watch is asked on the way; when it says stop, the
    other rows are placed in sorted order, k and k.
    """
    return _placed(cell, low, up, counts, k, free, watch)[0]


def line_parts(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, free: bool, watch: Watch | None = None
) -> tuple[Int64, Int64, Int64]:
    """Return the parts of the classes: value, class (-1: suppressed) and rows of each.

    All parameters are as in `least_steps`. Values of one cell are taken in the order given. O(n k) time for n rows,
    some 30 bytes a row.
    """
    _, label, order, first = _placed(cell, low, up, counts, k, free, watch)
    value = np.repeat(order, np.diff(first))
    pairs, rows = np.unique(np.stack([value, label], axis=1), axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], rows.astype(np.int64)


def _placed(
    cell: Int64, low: Int64, up: Int64, counts: Int64, k: int, free: bool, watch: Watch | None = None
) -> tuple[int, Int64, Int64, Int64]:
    own = search.DEFAULT
    order = np.argsort(cell, kind="stable").astype(np.int64)
    first = np.concatenate(([0], np.cumsum(counts[order]))).astype(np.int64)
    rows = int(first[-1])
    stride = 1 if rows * k <= own.every_size else max(1, k // own.sizes)
    star = int(up[-1] - low[0]) if free else -1
    value = np.repeat(np.arange(len(order), dtype=np.int32), np.diff(first))
    best, came = np.full(rows + 1, dynamic_programs.NONE, np.int64), np.full(rows + 1, -1, np.int64)
    kind, label, skipped = np.zeros(rows + 1, np.int8), np.zeros(rows, np.int64), own.skipped
    places = cell[order].astype(np.int64)
    best[0] = 0
    piece, begin = max(1, PIECE * stride // (2 * k)), 0
    while begin < rows:
        if watch is not None and watch.stopped:
            stride, skipped, piece = k, 0, rows
        end = min(begin + piece, rows)
        dynamic_programs.place(first, places, low, up, k, star, stride, skipped, begin, end, best, came, kind, value)
        begin = end
    dynamic_programs.labels(first, k, came, kind, value, label)
    return int(best[rows]), label, order, first
