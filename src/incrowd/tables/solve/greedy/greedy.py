"""The greedy heuristic of Bredereck, Nichterlein and Niedermeier, with repair of what it leaves over."""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from incrowd.errors import Infeasible, PolicyError
from incrowd.kernels.grouping import frequent
from incrowd.tables.solve.bounds import counting
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.greedy.with_requirements.class_plan import ClassPlan
from incrowd.tables.solve.greedy.with_requirements.greedy import NAME, release
from incrowd.tables.solve.greedy.with_requirements.moves import settle
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.pattern_scan import PatternScan, Workers
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_limit import for_bound, for_plan, is_over
from incrowd.tables.values import Bound, Int8, Int32, Int64, PatternBlock, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.counting import CountingBound

# Masks with more patterns are not walked through to the end: the first ones, then patterns from the data.
HUGE = 1 << 20
FRONT = 16
NARROW = 16  # columns; in wider tables each visit takes longer
MADE = 1000  # visits that take as long as to make one of so many patterns
# Leftover types times row types up to which they join classes too, where that is cheaper: tens of milliseconds.
AROUND = 100_000
# Under requirements a row visit takes about so much longer, for the sensitive values are looked at too.
UNDER = 4


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
        Which of several patterns of equal cost comes first, see `incrowd.tables.solve.greedy.greedy`.

    Notes
    -----
    Instances are taken by increasing cost per row; among equal ones fewer stars first, then larger domains
    suppressed, or as `ties` says. O(p t) time for p patterns and t row types, a few nanoseconds each, and O(m t)
    memory. Masks of more than 2^20 patterns are walked through for a sixteenth of the visits (for release and bound;
    for less beyond 16 columns, where a visit takes longer), then patterns are grown around the remaining rows
    (`incrowd.tables.solve.greedy.greedy`). To make one of these takes as long as 1,000 visits, and counts so.

    Fewer than k leftover rows are fully suppressed where outliers may be (then the cost is at most m times the
    least one, Theorem 4, for stars and a mask that was walked through). Otherwise rows
    are lent to them, or they join classes, the cheapest first, which carries no such factor.

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

        The plan has a second at any rate, and the bound half of one. Rows that no class was found for by then are
        suppressed, or join classes by the repair. A limit that nobody asked for (that of `auto`) does not count.
        Infeasible is raised if some row has no allowed instance that k rows agree with (`proven`), or if the mask holds
        no full suppression and no place was found for a leftover row (not `proven`).
        """
        if problem.requirements:
            return release(problem, watch, plain=self.solve, visits=self.visits // UNDER, threads=self.threads)
        limited, watch = watch, for_plan(watch)
        begun = time.perf_counter()
        encoded = encode(problem)
        with Workers(self.threads) as workers:
            sweep, notes = self._swept(problem, encoded, workers, watch)
            cut_short = watch.stopped and sweep.left >= problem.k
            floor: CountingBound | None = None
            bounding = 0.0
            leftover = sweep.left
            if leftover and not problem.patterns.allows_full_suppression:
                # Counting may prove that no release exists before one is looked for in vain.
                floor, bounding = self._bound(problem, encoded, workers, limited, None)
            plan, cost = finished(problem, encoded, sweep.label, sweep.vectors, watch)
            if leftover:
                notes.append(f"{leftover} leftover rows")
            solving = time.perf_counter() - begun - bounding
            watch.report("solve", patterns=sweep.patterns, cost=cost, rows_left=0)
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
        watch.report("bound", lower_bound=bound.value)
        cut_short = cut_short or (not complete and is_over(limited))
        status = ended(cost, bound.value, watch, cut_short=cut_short)
        seconds = {"solve": solving, "bound": bounding}
        return Solution(plan, bound, status, self.name, seconds, tuple(notes), proof)

    def cost(self, problem: Problem, watch: Watch) -> int:
        """Return the scaled cost of the plan for k alone, without a bound; Infeasible is raised as by `solve`."""
        encoded = encode(problem)
        with Workers(self.threads) as workers:
            sweep, _ = self._swept(problem, encoded, workers, watch)
            return finished(problem, encoded, sweep.label, sweep.vectors, watch)[1]

    def _swept(
        self, problem: Problem, encoded: ProblemArrays, workers: Workers, watch: Watch
    ) -> tuple[PatternScan, list[str]]:
        sweep = PatternScan(encoded, problem.k, uniform=problem.uniform, workers=workers, watch=watch)
        notes = []
        done = sweep.run(blocks_by(self.ties, problem), budget=self._front(problem))
        if not done and not watch.stopped and sweep.left >= problem.k:
            seen = sweep.patterns
            rounds = grow(problem, sweep, budget=max(self.visits - sweep.visits, self.visits // FRONT))
            notes.append(f"{seen} cheapest patterns, then {rounds} rounds of patterns grown from the data")
        return sweep, notes

    def _front(self, problem: Problem) -> int:
        """Return the work to spend on walking through the mask."""
        if problem.patterns.count() <= HUGE:
            return self.visits
        t = problem.types.t
        return self.visits // FRONT * NARROW * t // (max(len(problem.levels), NARROW) * (t + MADE))

    def _bound(
        self, problem: Problem, encoded: ProblemArrays, workers: Workers, watch: Watch, ceiling: Int64 | None
    ) -> tuple[CountingBound, float]:
        begun = time.perf_counter()
        watch = for_bound(watch)
        floor = counting.per_row(problem, encoded, workers, watch, work=self._front(problem), ceiling=ceiling)
        return floor, time.perf_counter() - begun


def finished(
    problem: Problem, encoded: ProblemArrays, label: Int32, vectors: list[Int8], watch: Watch
) -> tuple[Plan, int]:
    """Return the plan in which each row type lies whole in class `label`, (t,) (-1: in none yet), and its cost.

    `vectors` are those of the classes. What is left over is suppressed where it may be, or finds a place by `settle`.
    Infeasible is raised (not `proven`) if the mask holds no full suppression and no place was found for a leftover row.
    """
    inside, left = (np.flatnonzero(some).astype(np.int32) for some in (label >= 0, label < 0))
    listed = np.array(vectors, np.int8).reshape(len(vectors), encoded.start.size)
    counts = encoded.counts

    def placed(*, suppress: bool) -> Plan:
        state = ClassPlan(problem, encoded, watch, (listed.copy(), inside, label[inside], counts[inside]))
        settle(state, left, counts[left], (), suppress=suppress)
        return state.plan()

    best = placed(suppress=problem.patterns.allows_full_suppression)
    lent = problem.outliers == "forbid" and 0 < int(counts[left].sum()) < problem.k
    if lent and problem.patterns.allows_full_suppression and left.size * problem.types.t <= AROUND:
        with contextlib.suppress(Infeasible):
            best = min(best, placed(suppress=False), key=lambda plan: plan.cost(problem))
    return best, best.cost(problem)


# Patterns made from the data, for masks with more patterns than can be walked through.
SEEDS = 1024
SAMPLE = 8192
WINDOW = 64
STEPS = 8
# Of a round's patterns, the cheapest share that is used; rows of the others may fare better next time.
SHARE = 2


def grow(problem: Problem, sweep: PatternScan, *, budget: int) -> int:
    """Let the remaining rows close crowds under patterns grown around them; return the rounds.

    `sweep` holds the remaining rows and is changed in place. `budget` is the number of row visits after which to stop.
    Each round picks up to 1,024 remaining row types, evenly spread, grows a crowd of k near rows around each, closes
    what the crowd has not in common to a cheapest allowed pattern, and walks through these patterns, cheapest first.
    Rows are looked for among 8,192 remaining ones, evenly spread, and the 128 next to the seed in the order of the
    codes. Every round in which some crowd has an allowed pattern closes a class.
    """
    e = sweep.encoded
    floors = problem.floor_costs()
    closures: dict[tuple[int, ...], tuple[int, ...] | None] = {}
    limit = sweep.visits + budget
    rounds = 0
    while sweep.left >= sweep.k and sweep.visits < limit and not sweep.watch.stopped:
        live = np.flatnonzero(sweep.alive).astype(np.int32)
        places = _spread(live.size, SEEDS, rounds)
        sample = live[_spread(live.size, SAMPLE, rounds)]

        def look(piece: Int64, live=live, places=places, sample=sample) -> Int8:  # type: ignore[no-untyped-def]
            if sweep.watch.stopped:
                piece = piece[:0]
            here = places[piece]
            found: Int8 = frequent.common_levels(
                e.nodes, e.start, e.heights, e.costs, live[here], here, live, sample, WINDOW, e.weights,
                sweep.k, STEPS,
            )  # fmt: skip
            return found

        pool = sweep.workers.pool
        pieces = np.array_split(np.arange(places.size), 4 * sweep.workers.threads)
        grown = np.concatenate(list(map(look, pieces) if pool is None else pool.map(look, pieces)))
        sweep.visits += places.size * (sample.size + 2 * WINDOW)
        vectors = set()
        for key in {tuple(int(level) for level in vector) for vector in grown}:
            if key not in closures:
                closures[key] = problem.patterns.cheapest_above(key, floors)
            closed = closures[key]
            if closed is not None:
                vectors.add(closed)
        if not vectors:
            break
        order = sorted((sum(floors[j][level] for j, level in enumerate(v)), v) for v in vectors)
        used = order[: max(len(order) // SHARE, 1)] if live.size > SEEDS else order
        block = PatternBlock(
            np.array([vector for _, vector in used], np.int8), np.array([cost for cost, _ in used], np.int64)
        )
        before = sweep.left
        sweep.run([block], budget=max(limit - sweep.visits, 0))
        rounds += 1
        if sweep.left == before and len(used) == len(order):
            break
    return rounds


def _spread(length: int, most: int, turn: int) -> Int64:
    """Return at most `most` places, evenly spread and shifted from turn to turn."""
    if length <= most:
        return np.arange(length, dtype=np.int64)
    step = length / most
    return ((np.arange(most) + (turn * 0.618034) % 1.0) * step).astype(np.int64)


# Which of several patterns of equal cost the greedy tries first.
#
# Algorithm 1 of Bredereck, Nichterlein and Niedermeier sorts the patterns by their stars and leaves open what comes
# first among equal ones; the release depends on it.
Ties = Literal["domains", "pattern", "first", "colexicographic"]
TIES = get_args(Ties)
# Patterns whose written order is kept: all of them are listed for it.
MOST_WRITTEN = 1 << 20
# Orders are sums of integers, which have 62 bits.
LARGEST = 1 << 62


def reason_against(ties: Ties, problem: Problem) -> str | None:
    """Return why an order is not to be had for a problem, or None."""
    if ties == "domains":
        return None
    if problem.requirements:
        return f"ties {ties!r} is an order for k-anonymity alone; leave it out under further requirements"
    if ties == "pattern":
        if not problem.patterns.written:
            return "ties 'pattern' keeps the order of listed patterns, and the mask lists none"
        if problem.patterns.count() > MOST_WRITTEN:
            return f"ties 'pattern' keeps the order of up to {MOST_WRITTEN:,} patterns, and the mask allows more"
    elif math.prod(top + 1 for top in problem.patterns.heights) >= LARGEST:
        return f"ties {ties!r} orders patterns of up to 61 columns of two levels; leave it out for wider tables"
    return None


def blocks_by(ties: Ties, problem: Problem) -> Iterable[PatternBlock]:
    """Return all patterns, cheapest first, in blocks.

    `ties` says what comes first among equal costs. ``pattern``: what the user wrote first (a stable sort by cost). The
    others first take fewer stars, then ``domains``: larger domains suppressed, then stars in earlier columns;
    ``first``: stars in the first columns, as texts of levels sorted downwards; ``colexicographic``: stars in the last
    columns, as such texts read backwards and sorted downwards. `reason_against` must say nothing against the problem.
    Time as `PatternSet.by_cost`, O(count log count) for a small set; ``pattern`` lists all patterns, O(count m) memory.
    """
    floors = problem.floor_costs()
    if ties == "domains":
        return problem.patterns.by_cost(floors, problem.ties())
    heights = problem.patterns.heights
    if ties == "pattern":
        none = [[0] * (top + 1) for top in heights]
        return [_as_written(problem.patterns.by_cost(floors, none), problem.patterns.written)]
    # a vector read as a number: the larger one comes first
    places = _places(heights if ties == "colexicographic" else heights[::-1])
    places = places if ties == "colexicographic" else places[::-1]
    return problem.patterns.by_cost(
        floors, [[place * level for level in range(top + 1)] for place, top in zip(places, heights, strict=True)]
    )


def _places(heights: Sequence[int]) -> list[int]:
    """Return what one level in each column is worth: the product of the levels before it."""
    places = [1]
    for top in heights[:-1]:
        places.append(places[-1] * (top + 1))
    return places[: len(heights)]


def _as_written(blocks: Iterable[PatternBlock], written: Sequence[tuple[int, ...]]) -> PatternBlock:
    """Return all patterns by cost, among equal ones in the order written; those not written come last."""
    every = list(blocks)
    levels, costs = np.concatenate([b.levels for b in every]), np.concatenate([b.costs for b in every])
    place = {vector: at for at, vector in reversed(list(enumerate(written)))}
    rank: Int64 = np.array([place.get(tuple(vector), len(written)) for vector in levels.tolist()], np.int64)
    order = np.lexsort((rank, costs))
    return PatternBlock(levels[order], costs[order])
