"""The greedy heuristic of Bredereck, Nichterlein and Niedermeier, with repair of what it leaves over."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from incrowd.errors import Infeasible, PolicyError
from incrowd.tables.solve.bounds import counting
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.greedy.patterns_from_data import grow
from incrowd.tables.solve.greedy.repair import Repair, suppress_rest
from incrowd.tables.solve.greedy.ties import TIES, Ties, blocks_by, reason_against
from incrowd.tables.solve.greedy.with_requirements.greedy import NAME, release
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.partial_plan import PartialPlan
from incrowd.tables.solve.shared.pattern_scan import PatternScan, Workers
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_limit import for_bound, for_plan, is_over
from incrowd.tables.values import Bound, Int64, Plan, Problem, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.counting import CountingBound

__all__ = ["Greedy", "finished"]

# Masks with more patterns are not walked through to the end: the first ones, then patterns from the data.
HUGE = 1 << 20
FRONT = 16
NARROW = 16  # columns; in wider tables each visit takes longer
# Under requirements a row visit takes about so much longer, for the sensitive values are looked at too.
UNDER = 4
# Leftover types times row types up to which groups are also opened around full suppression: tens of milliseconds.
AROUND = 100_000


@dataclass(frozen=True, kw_only=True)
class Greedy:
    """Cheapest patterns first; every instance that k remaining rows agree with takes them all.

    Parameters
    ----------
    visits : int, default 2,000,000,000
        Row visits (row types times patterns) at most for the release, and again for its bound, at least 1.
        Whatever they run out on is finished by coarser means. They depend on nothing but the problem.
    threads : int, optional
        Threads, at least 1 (default: all cores). The release does not depend on it.
    ties : {"domains", "pattern", "first", "colexicographic"}, default "domains"
        Which of several patterns of equal cost comes first, see `incrowd.tables.solve.greedy.ties`.

    Notes
    -----
    Instances are taken by increasing cost per row; among equal ones fewer stars first, then larger domains
    suppressed, or as `ties` says. O(p t) time for p patterns and t row types, a few nanoseconds each, and O(m t)
    memory. Masks of more than 2^20 patterns are walked through for a sixteenth of the visits (for release and bound;
    for less beyond 16 columns, where a visit takes longer), then patterns are grown around the remaining rows
    (`incrowd.tables.solve.greedy.patterns_from_data`).

    Fewer than k leftover rows are fully suppressed where outliers may be (then the cost is at most m times the
    least one, Theorem 4, for stars and a mask that was walked through). Otherwise they are repaired at least
    cost (`incrowd.tables.solve.greedy.repair`), which carries no such factor.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4),
       Algorithm 1 and Theorem 4.
    """

    visits: int = 2_000_000_000
    threads: int | None = None
    ties: Ties = "domains"
    name: str = field(default=NAME, init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(default="cheapest patterns first, every crowd closes at once; quick, any size", init=False)

    def __post_init__(self) -> None:
        if self.visits < 1:
            raise PolicyError(f"visits must be at least 1 row visit, not {self.visits}")
        if self.threads is not None and self.threads < 1:
            raise PolicyError(f"threads must be at least 1, not {self.threads}")
        if self.ties not in TIES:
            raise PolicyError(f"ties must be one of {', '.join(TIES)}, not {self.ties!r}")

    def declines(self, problem: Problem) -> str | None:
        """Return why `ties` is not to be had for a problem, or None: it takes every other one."""
        return reason_against(self.ties, problem)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the greedy plan with its per-row bound, as far as the time goes.

        The plan has a second at any rate, and the bound half of one. Rows that no group was found for by then are
        suppressed, or join groups by the repair. A limit that nobody asked for (that of `auto`) does not count.

        Raises
        ------
        Infeasible
            If some row has no allowed instance that k rows agree with (`proven`), or if the mask holds no full
            suppression and no place was found for a leftover row (not `proven`).
        """
        if problem.requirements:
            return release(problem, watch, plain=self.solve, visits=self.visits // UNDER, threads=self.threads)
        limited, watch = watch, for_plan(watch)
        begun = time.perf_counter()
        encoded = encode(problem)
        with Workers(self.threads) as workers:
            sweep = PatternScan(encoded, problem.k, uniform=problem.uniform, workers=workers, watch=watch)
            notes = self._sweep(problem, sweep)
            cut_short = watch.stopped and sweep.left >= problem.k
            draft = PartialPlan.of(encoded, sweep.label, sweep.vectors)
            floor: CountingBound | None = None
            bounding = 0.0
            leftover = sweep.left
            if leftover and not problem.patterns.allows_full_suppression:
                # Counting may prove that no release exists before one is looked for in vain.
                floor, bounding = self._bound(problem, encoded, workers, limited, None)
            plan, cost = finished(problem, draft, watch)
            if leftover:
                notes.append(f"{leftover} leftover rows")
            solving = time.perf_counter() - begun - bounding
            watch.tell("solve", patterns=sweep.patterns, cost=cost, rows_left=0)
            bound, complete, proof = Bound(0, 0, "none"), False, None
            with release_kept(limited):
                if floor is None:
                    ceiling = counting.ceiling(problem, plan)
                    floor, bounding = self._bound(problem, encoded, workers, limited, ceiling)
                least = floor.bound(problem)
                # prices at the per-row minima leave no instance below 0, so they prove the same bound
                bound, complete, proof = least, floor.complete, by_prices(problem, cost, least, floor.least, 1)
        if not complete:
            notes.append("bound not taken to its end")
        watch.tell("bound", lower_bound=bound.value)
        cut_short = cut_short or (not complete and is_over(limited))
        status = ended(cost, bound.value, watch, cut_short=cut_short)
        seconds = {"solve": solving, "bound": bounding}
        return Solution(plan, bound, status, self.name, seconds, tuple(notes), proof)

    def _sweep(self, problem: Problem, sweep: PatternScan) -> list[str]:
        front = self._front(problem)
        done = sweep.run(blocks_by(self.ties, problem), budget=front)
        if done or sweep.watch.stopped or sweep.left < problem.k:
            return []
        seen = sweep.patterns
        rounds = grow(problem, sweep, budget=max(self.visits - sweep.visits, self.visits // FRONT))
        return [f"{seen} cheapest patterns, then {rounds} rounds of patterns grown from the data"]

    def _front(self, problem: Problem) -> int:
        """Return the work to spend on walking through the mask."""
        if problem.patterns.count() <= HUGE:
            return self.visits
        return self.visits // FRONT * NARROW // max(len(problem.levels), NARROW)

    def _bound(
        self, problem: Problem, encoded: ProblemArrays, workers: Workers, watch: Watch, ceiling: Int64 | None
    ) -> tuple[CountingBound, float]:
        begun = time.perf_counter()
        watch = for_bound(watch)
        floor = counting.per_row(problem, encoded, workers, watch, work=self._front(problem), ceiling=ceiling)
        return floor, time.perf_counter() - begun


def finished(problem: Problem, draft: PartialPlan, watch: Watch) -> tuple[Plan, int]:
    """Return the plan of a draft, and its cost: what is left over is suppressed where it may be, or repaired.

    The draft is changed in place. Infeasible is raised (not `proven`) if the mask holds no full suppression and no
    place was found for a leftover row.
    """
    if draft.rest_rows.size:
        repair = Repair(problem, watch)
        if not problem.patterns.allows_full_suppression:
            draft = repair.without_top(draft)
        elif problem.outliers == "suppress" or int(draft.rest_rows.sum()) >= problem.k:
            suppress_rest(problem, draft)
        else:
            draft = _cheaper(problem, repair, draft)
    plan = draft.plan()
    return plan, plan.cost(problem)


def _cheaper(problem: Problem, repair: Repair, draft: PartialPlan) -> PartialPlan:
    """Return the cheaper repair of fewer than k leftover rows: through full suppression, or around it."""
    through = repair.with_top(draft)
    if draft.rest_type.size * problem.types.t > AROUND:
        return through
    with contextlib.suppress(Infeasible):
        around = repair.without_top(draft)
        if around.plan().cost(problem) < through.plan().cost(problem):
            return around
    return through
