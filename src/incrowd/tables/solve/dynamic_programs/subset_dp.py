"""Dynamic programming over the sets of rows that are left: the optimum of small tables under any requirements."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from incrowd.errors import Infeasible, PolicyError, about
from incrowd.kernels.dynamic_programs import NEVER, list_classes, take_classes, take_listed
from incrowd.milp import Linear, Program, rows_of
from incrowd.tables.solve.bounds.under_requirements.optimum import with_certificate
from incrowd.tables.solve.dynamic_programs import subsets
from incrowd.tables.solve.dynamic_programs.subsets import Joins, join_types
from incrowd.tables.solve.shared.instances import common_step
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.requirement_check import (
    closed_under_union,
    judge,
    refuse_hopeless,
    requirements_in_words,
)
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Bound, Int64, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.requirement_check import RequirementCheck

Recursion = Literal["first_group", "halves", "thirds"]

# Multisets per look at the watch, in classes looked at.
SLICE = 20_000_000
# Classes listed at most.
ROOM = 4_000_000
# Rows up to which the estimate counts sets of rows.
ROWS = 64


@dataclass(frozen=True, kw_only=True)
class SubsetDp:
    """The least cost of every set of rows, from those of smaller ones.

    Parameters
    ----------
    recursion : {"first_group", "halves", "thirds"}
        ``first_group``: ours. Let L be what is left. Its first row lies in some class G, so
        f(L) = min over G of cost(G) + f(L - G). Multisets of row types instead of sets of rows, and only those
        that can be left are met. For k-anonymity alone classes of fewer than 2k rows suffice: a larger one is two
        that show the same. With requirements classes of every size are tried. Best classes first: by prices from a
        linear program over all classes (see `row_prices`) only classes and multisets are looked at that a release
        of a limited cost can use, the limit rising from the prices' bound until there is one.
        ``halves``: Theorem 1.3 of [1], literally; k-anonymity alone, tables of up to 14 rows.
        ``thirds``: Theorem 8 of [2], literally; tables of up to 14 rows.
    most_mb : int, default 1024
        Memory up to which it starts, at least 1: 12 or 16 bytes for each multiset of row types.
    most_groups : int, default 10^11
        Classes that it would come to look at without prices, at least 1; in practice it looks at far fewer.

    Notes
    -----
    Under masks, weights, hierarchies, both outlier rules and all requirements that hold for the union of two classes
    if they hold for both (classes that show the same are published as one). With n distinct rows: 2^n sets in
    memory, at worst 3^(n - 1) pairs of a set and a class, and, where the prices are good, a few passes over the
    classes (2^n with requirements, n^(2k - 1) without). For k-anonymity alone its word is the bound's proof; under
    requirements prices and a tree prove it wherever they close the gap (`bounds.under_requirements.optimum`).

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Theorem 1.3.
    .. [2] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 8.
    """

    recursion: Recursion = "first_group"
    most_mb: int = 1024
    most_classes: int = 100_000_000_000
    name: str = field(default="subset_dp", init=False)
    cites = ("LiangYuan", "BlockiWilliams2010")
    summary: str = field(
        default=(
            "the optimum under any requirements, over all sets of rows; a few dozen rows (as the papers have it, up to "
            "14 rows: recursion=thirds is Theorem 8 of Liang and Yuan, for any requirements; recursion=halves is "
            "Theorem 1.3 of Blocki and Williams, for k-anonymity alone)"
        ),
        init=False,
    )

    def __post_init__(self) -> None:
        if self.recursion not in ("first_group", "halves", "thirds"):
            raise PolicyError(f"recursion must be first_group, halves or thirds, not {self.recursion!r}")
        if self.most_mb < 1 or self.most_classes < 1:
            raise PolicyError("most_mb and most_groups must be at least 1")

    @property
    def few_copies(self) -> bool:
        """Whether equal rows that cannot matter are taken away beforehand; the literal recursions get them all."""
        return self.recursion == "first_group"

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: a requirement that merging breaks, or too many sets of rows."""
        reason = closed_under_union(problem)
        if reason is not None:
            return f"{reason}, and it builds a release from groups that may show the same"
        if self.recursion != "first_group":
            return subsets.reason_against(problem, self.recursion)
        megabytes, classes = work_of(problem)
        if megabytes > self.most_mb:
            return (
                f"it would keep {about(megabytes)} MB for all sets of the {problem.types.n} rows, more than "
                f"{self.most_mb}; take a heuristic, or solver 'exact' for k-anonymity"
            )
        if classes > self.most_classes:
            return (
                f"it would look at up to {about(classes)} groups of the {problem.types.n} rows, more than "
                f"{about(self.most_classes)}; take a heuristic, or solver 'exact' for k-anonymity"
            )
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the least release. Infeasible is raised if there is no release, or it did not end in time."""
        begun = time.perf_counter()
        refuse_hopeless(problem)
        if self.recursion == "first_group":
            plan = self._first_class(problem, watch)
        else:
            plan = subsets.least(problem, self.recursion, watch)
        if plan is None:
            raise hopeless(problem)
        cost = plan.cost(problem)
        bound = Bound(cost, 0, subsets.METHODS.get(self.recursion, "all sets of rows"))
        watch.report("solve", cost=cost, lower_bound=bound.value)
        status = ended(cost, bound.value, watch)
        seconds = {"solve": time.perf_counter() - begun}
        return with_certificate(problem, Solution(plan, bound, status, self.name, seconds), watch)

    def _first_class(self, problem: Problem, watch: Watch) -> Plan | None:
        types = problem.types
        joins, verdicts = join_types(problem), judge(problem)
        free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        most = types.n if problem.requirements else min(2 * problem.k - 1, types.n)
        classes = Classes(problem, joins, verdicts, free=free, most=most)
        full = int((classes.radix * types.counts).sum())
        came: NDArray[np.integer] = np.zeros(full + 1, np.int32 if full < np.iinfo(np.int32).max else np.int64)
        value = classes.value(watch)
        if value is None:
            raise _stopped(problem)
        # Releases up to a limit: the bound, then more and more above it.
        step = common_step([level.cost for level in problem.levels])
        bound = max(-(-value.total // (value.parts * step)) * step, 0)
        if bound > classes.worst:
            return None
        above = 0
        spent = np.empty(full + 1, np.int64)
        while True:
            limit = min(bound + above, classes.worst) * value.parts
            listed = classes.listed(value, limit - value.total, ROOM) if classes.width <= 64 else None
            spent.fill(NEVER)
            spent[full] = 0
            take: Callable[[int, int], int]
            if listed is None:
                take = partial(take_classes, spent, came, *classes.rules)
            else:
                take = partial(
                    take_listed, spent, came, classes.radix, types.counts, *listed, value.each, value.parts, limit,
                    classes.packs, np.uint64(classes.guards),
                )  # fmt: skip
            self._run(problem, watch, full, take)
            if spent[0] < NEVER:
                return _walked(problem, joins, came, classes.radix, free)
            if listed is None or bound + above >= classes.worst:
                return None
            above = 2 * above + step

    def _run(self, problem: Problem, watch: Watch, full: int, take: Callable[[int, int], int]) -> None:
        """Go through all multisets, looking at the watch every so often by what the last stretch cost."""
        first, stretch = full, 1
        while first > 0:
            last = max(first - stretch + 1, 1)
            looked = take(first, last)
            first = last - 1
            if watch.stopped and first > 0:
                raise _stopped(problem)
            watch.report("solve", sets_left=first)
            stretch = min(2 * stretch, max(1, stretch * SLICE // max(looked, 1)))


def work_of(problem: Problem) -> tuple[int, int]:
    """Return the megabytes (2^20 bytes) and the classes that `first_group` may need, from above."""
    counts = problem.types.counts.tolist()
    states = math.prod(c + 1 for c in counts)
    megabytes = -(-states * (12 if states < np.iinfo(np.int32).max else 16) >> 20)
    # Every pair of a multiset and a part of it that holds its first row.
    classes = math.prod((c + 1) * (c + 2) // 2 for c in counts) // 2
    n = problem.types.n
    if n <= ROWS:
        # The same by rows. If r rows before the first one left are in classes, at most r * others later ones are.
        others = n if problem.requirements else 2 * problem.k - 2
        by_rows = sum(
            math.comb(n - r - 1, later) * sum(math.comb(later, more) for more in range(min(others, later) + 1))
            for r in range(n)
            for later in range(max(0, n - r - 1 - r * others), n - r)
        )
        classes = min(classes, by_rows)
    return megabytes, classes


def hopeless(problem: Problem) -> Infeasible:
    """Return the error that says there is no release, since all were tried."""
    return Infeasible(
        f"no release can meet {requirements_in_words(problem)} under this mask: no way to cut the rows into groups "
        "does; allow full suppression, allow more patterns or ask for less",
        requirement=requirements_in_words(problem),
        proven=True,
    )


def _stopped(problem: Problem) -> Infeasible:
    return Infeasible(
        "not all sets of rows were looked at within the limit; give more time",
        requirement=requirements_in_words(problem),
        proven=False,
    )


def _walked(problem: Problem, joins: Joins, came: NDArray[np.integer], radix: Int64, free: bool) -> Plan:
    """Return the plan that led to nothing being left."""
    classes, state = [], 0
    while state != len(came) - 1:
        before = int(came[state])
        size = problem.types.counts + 1
        rows: Int64 = (before // radix) % size - (state // radix) % size
        types = np.flatnonzero(rows)
        starred = free and int(rows.sum()) < problem.k
        vector = problem.top if starred else joins.vectors[joins.of(types)]
        classes.append((vector, types, rows[types]))
        state = before
    return as_plan(problem, classes)


# What rows are worth: prices under which no class costs less than its rows, to look at the best classes first.
#
# With prices y such that y(G) <= cost(G) for every class G, the rows of any multiset L cost at least y(L) in classes.
# So a release of at most some cost passes only through multisets with spent + y(left) up to that, by classes with
# cost(G)
# - y(G) up to what remains: few, if y is good. The best y are the duals of the linear program over all classes; they
# are found by adding the classes that cost less than their rows are worth, until there are none.
ROUNDS = 60
PARTS = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class WholePrices:
    """Prices in whole parts of a cost unit.

    `each`: (t,) int64. `total`: of all rows: a bound on every release, in parts.
    """

    each: Int64
    parts: int
    total: int


class Listed(NamedTuple):
    """Classes by first type, then by cost above worth; see `incrowd.kernels.dynamic_programs.take_listed`.

    `begins`: (t + 1,) int64, the classes with first type i are ``begins[i]:begins[i + 1]``. `place`: (g,) int64, number
    of the multiset of row types. `packed`: (g,) uint64, its copies of every type in one word. `cost`: (g,) int64, in
    scaled cost. `over`: (g,) int64, cost above worth, in parts.
    """

    begins: Int64
    place: Int64
    packed: np.ndarray[tuple[int], np.dtype[np.uint64]]
    cost: Int64
    over: Int64


class Classes:
    """All classes of a problem's rows, listed only on request.

    `radix`: (t,) int64. `packs`: (t,) uint64. `guards`: see `incrowd.kernels.dynamic_programs`. `worst`: no
    release costs more.
    """

    def __init__(self, problem: Problem, joins: Joins, verdicts: RequirementCheck, *, free: bool, most: int) -> None:
        counts = problem.types.counts
        self.problem = problem
        self.radix = np.concatenate(([1], np.cumprod(counts + 1)[:-1])).astype(np.int64)
        bits = [int(c).bit_length() + 1 for c in counts]
        self.width = sum(bits)
        shifts = np.concatenate(([0], np.cumsum(bits)[:-1])).tolist() if self.width <= 64 else [0] * len(bits)
        self.packs = np.array([1 << x for x in shifts], np.uint64)
        self.guards = sum(1 << (x + b - 1) for x, b in zip(shifts, bits, strict=True)) if self.width <= 64 else 0
        top = problem.row_costs(problem.top)
        self.worst = int((top * counts).sum())
        self.rules = (
            self.radix, counts, joins.alone, joins.table, joins.price, top, problem.k, most, free, verdicts.radix,
            verdicts.fit,
        )  # fmt: skip

    def value(self, watch: Watch) -> WholePrices | None:
        """Find good prices by a linear program over all classes, whose classes join when they are too cheap.

        None is returned if the watch stopped it. There are at most 60 rounds, each with one pass over all classes.
        """
        problem = self.problem
        t, counts = problem.types.t, problem.types.counts
        n = problem.types.n
        parts = max(1, min(PARTS, (1 << 60) // ((self.worst + 1) * n)))
        most = float(min(self.worst + 1, (1 << 60) // (n * parts)))
        program = Program(
            -counts.astype(np.float64), np.full(t, -most), np.full(t, most), np.zeros(t, np.bool_),
            rows_of([(np.zeros(0), np.zeros(0), np.zeros(0))], [(np.zeros(0), np.zeros(0))]),
        )  # fmt: skip
        linear = Linear(program, method="simplex")
        each = np.zeros(t, np.int64)
        known: set[int] = set()
        for _ in range(ROUNDS):
            if watch.stopped:
                return None
            answer = linear.solve(watch)
            if answer.x is None:
                break
            each = np.floor(answer.x * parts).astype(np.int64)
            place, cost, below = self._bargains(each, parts)
            fresh = [g for g in np.argsort(below, kind="stable").tolist() if int(place[g]) not in known]
            if not fresh:
                break
            known.update(int(place[g]) for g in fresh)
            held = place[fresh][:, None] // self.radix % (counts + 1)
            row, column = np.nonzero(held)
            linear.add(
                rows_of(
                    [(row, column, held[row, column])],
                    [(np.full(len(fresh), -np.inf), cost[fresh].astype(np.float64))],
                )
            )
        # Exactly: no row is worth so much that a class costs less than its rows.
        _, _, below = self._bargains(each, parts)
        each = each + min(int(below.min(initial=0)), 0)
        return WholePrices(each, parts, int((each * counts).sum()))

    def listed(self, value: WholePrices, limit: int, room: int) -> Listed | None:
        """List the classes that cost at most a little more than their worth; None where there are more than `room`.

        `limit` is in parts of a cost unit.
        """
        size = 1 << 12
        while True:
            place, cost, over, first = (np.zeros(size, np.int64) for _ in range(4))
            packed = np.zeros(size, np.uint64)
            found = self._search(value.each, value.parts, limit, place, packed, cost, over, first)[0]
            if found > room:
                return None
            if found <= size:
                break
            size = found
        order = np.lexsort((over[:found], first[:found]))
        begins = np.searchsorted(first[:found][order], np.arange(self.radix.size + 1)).astype(np.int64)
        return Listed(begins, place[order], packed[order], cost[order], over[order])

    def _bargains(self, each: Int64, parts: int) -> tuple[Int64, Int64, Int64]:
        """Return classes that cost less than their rows are worth: the worst per first and last type."""
        none = np.zeros(0, np.int64)
        _, best, place, cost = self._search(each, parts, -NEVER, none, np.zeros(0, np.uint64), none, none, none)
        low = best < 0
        return place[low], cost[low], best[low]

    def _search(
        self, each: Int64, parts: int, limit: int, *out: np.ndarray[tuple[int], np.dtype[np.integer]]
    ) -> tuple[int, Int64, Int64, Int64]:
        t = self.radix.size
        best, place, cost = np.full((t, t), NEVER, np.int64), np.zeros((t, t), np.int64), np.zeros((t, t), np.int64)
        kernel: Any = list_classes
        found = kernel(*self.rules, each, parts, limit, self.packs, *out, best, place, cost)
        return int(found), best, place, cost
