"""A release that shows ranges of one column, with a lower bound over all ranges and what recounts it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import PolicyError
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.ranges import tuning
from incrowd.tables.solve.ranges.classes import extents, plan_of
from incrowd.tables.solve.ranges.lattice import RangeLattice, ranged_place
from incrowd.tables.solve.ranges.one_column import line_parts
from incrowd.tables.solve.ranges.prices import RangePrices
from incrowd.tables.solve.ranges.search import search
from incrowd.tables.solve.shared.certificate_head import head
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_share import TimeShare
from incrowd.tables.values import Bound, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.ranged_plan import RangedPlan
    from incrowd.tables.values import Problem

__all__ = ["NAME", "VERSION", "RangeSearch"]

NAME, VERSION = "incrowd ranges bound", 1
MOST_PATTERNS = 1 << 20


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
    the least it is. Prices are scanned in O(p t) and a sweep of every group, p patterns of the other columns.
    """

    work: int | None = None
    seed: int = 0
    gap: float = 0.0
    ranged: bool = False
    name: str = field(default="ranges", init=False)
    summary: str = field(
        default="ranges of one column on a grid, other columns by hierarchies, with a bound", init=False
    )
    cites = ("HansenMukherjee2003",)

    def __post_init__(self) -> None:
        if self.work is not None and self.work < 1:
            raise PolicyError(f"work must be at least 1 move, not {self.work}")
        if not 0 <= self.seed < 2**63:
            raise PolicyError(f"seed must be at least 0 and below 2^63, not {self.seed}")
        if not self.gap >= 0:
            raise PolicyError(f"gap must be at least 0, not {self.gap}")

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start."""
        if ranged_place(problem) < 0:
            return "it makes ranges on a grid, so it goes with recoding=grid"
        if problem.requirements:
            return "ranges on a grid are for k-anonymity alone as yet"
        patterns = 1
        for j, level in enumerate(problem.levels):
            patterns *= 1 if problem.ranges[j] is not None else level.height + 1
        if patterns > MOST_PATTERNS or not RangeLattice(problem).fits:
            return f"the columns beside the ranged one have {patterns:,} patterns, too many for ranges"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the best release found, with its bound.

        Raises
        ------
        Infeasible
            As the greedy does.
        """
        return _Run(self, problem, watch).run()


class _Run:
    """One run."""

    def __init__(self, options: RangeSearch, problem: Problem, watch: Watch) -> None:
        self.options, self.problem, self.watch = options, problem, watch
        self.begun = time.perf_counter()
        self.lattice = RangeLattice(problem)
        self.timed = watch.deadline is not None and options.work is None

    def run(self) -> Solution:
        """Do all the steps that the time allows."""
        own = tuning.DEFAULT
        self.plan = self._first()
        self.cost = self.plan.cost(self.problem)
        lattice, plan = self.lattice, self.plan
        prices = RangePrices(lattice, self._paid(plan), self._instances(plan), self.cost)
        self.prices = prices
        self._tell()
        self._price(TimeShare.of(self.watch, own.price_end if self.timed else None, since=self.begun))
        if not self._done() and len(lattice.others):
            until = TimeShare.of(self.watch, own.search_end if self.timed else None, since=self.begun)
            work = None if self.timed else self.options.work or 50 * lattice.t
            found = search(prices, plan, until, seed=self.options.seed, work=work, heard=self._tell)
            cost = found.cost(self.problem)
            if cost < self.cost:
                self.plan, self.cost = found, cost
                prices.upper = cost
                self._tell()
        if self.timed and not self._done():
            prices.now, prices.stale = prices.best, 0
            self._price(TimeShare.of(self.watch, None))
        bound = Bound(prices.bound, prices.bound, "prices per row type over all ranges")
        status = ended(self.cost, bound.value, self.watch, gap=self.options.gap)
        seconds = {"solve": time.perf_counter() - self.begun}
        notes = (f"{prices.rounds} scans of all ranges",)
        return Solution(self.plan, bound, status, self.options.name, seconds, notes, self._certificate(bound))

    def _first(self) -> RangedPlan:
        """Return the release to start from."""
        problem, lattice = self.problem, self.lattice
        if lattice.others:
            watch = TimeShare.of(self.watch, tuning.DEFAULT.first_end if self.timed else None)
            found = Greedy().solve(problem, watch).plan
            full = (found.levels == np.array(problem.top, np.int8)).all(axis=1)
            group = found.part_group.astype(np.int64)
            group = np.where(full[group], -1, group) if lattice.free else group
            return plan_of(lattice, found.part_type.astype(np.int64), group, found.part_rows)
        # the order of the codes is that of their texts; along the line only the cells matter
        value, group, rows = line_parts(lattice.cell, lattice.ranged.below, lattice.counts, problem.k, lattice.free)
        return plan_of(lattice, value, group, rows)

    def _paid(self, plan: RangedPlan) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return what a row of each type costs in a plan on average."""
        problem, j = self.problem, plan.column
        each = np.zeros(plan.part_type.size)
        for i, level in enumerate(problem.levels):
            own = level.cost[plan.levels[plan.part_group, i], problem.types.codes[plan.part_type, i]]
            if i == j:
                runs = plan.runs[plan.part_group]
                shown = self.lattice.ranged.cost(*np.maximum(runs, 0).T)
                own = np.where(runs[:, 0] >= 0, shown, own)
            each += own
        total = np.bincount(plan.part_type, weights=each * plan.part_rows, minlength=problem.types.t)
        found: np.ndarray[Any, np.dtype[np.float64]] = total / problem.types.counts
        return found

    def _instances(self, plan: RangedPlan) -> Any:
        full = (plan.levels == np.array(self.problem.top, np.int8)).all(axis=1) & self.lattice.free
        number = np.cumsum(~full) - 1
        inside = ~full[plan.part_group]
        return extents(
            self.lattice, plan.part_type[inside].astype(np.int64), number[plan.part_group[inside]], int((~full).sum())
        )

    def _price(self, watch: TimeShare) -> None:
        prices, most = self.prices, tuning.DEFAULT.rounds
        rounds = 0
        while not (watch.stopped or prices.finished or self._done()) and (self.timed or rounds < most):
            if rounds or prices.rounds:
                prices.climb(watch)
            if not prices.scan(watch):
                return
            rounds += 1
            self._tell()

    def _done(self) -> bool:
        bound = self.prices.bound
        return self.watch.stopped or self.cost - bound <= self.options.gap * bound

    def _tell(self, cost: int | None = None) -> None:
        self.watch.tell("solve", cost=min(self.cost, cost or self.cost), lower_bound=self.prices.bound)

    def _certificate(self, bound: Bound) -> dict[str, Any]:
        made = head(self.problem, self.cost, bound, NAME, VERSION)
        return {
            **made,
            "column": self.lattice.column,
            "step": list(self.lattice.ranged.step),
            "parts": self.prices.parts,
            "prices": self.prices.whole.tolist(),
        }
