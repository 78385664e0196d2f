"""The approximation of Liang and Yuan: equal rows stay together, all others make one class."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.row_numbers import first_of
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.counting import ceiling, per_row
from incrowd.tables.solve.shared.partial_plan import as_plan, joined
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.refusals import beyond_k
from incrowd.tables.solve.shared.row_assignment import closed
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.user_units import offset_of
from incrowd.tables.values import Int64, Plan, Problem, Solution

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from incrowd.progress import Watch
    from incrowd.tables.values import Int8


@dataclass(frozen=True, kw_only=True)
class Approximation:
    """Theorem 10: at most m times the optimum, m the number of quasi-identifiers, for every k, in linear time.

    Notes
    -----
    Let C_1, C_2, ... be the classes of equal rows by falling size, s the last of k rows or more, and S the rows of
    all smaller ones.

    1. No row in S: C_1, ..., C_s, at no cost.
    2. |S| >= k: C_1, ..., C_s, and S.
    3. |S| < k and sum of (|C_i| - k) >= k - |S|: S is filled up to k rows from what the classes have above k.
    4. Else: C_1, ..., C_(s-1), and C_s with S.

    Proof of the factor. A row of S cannot be shown as it is, so it costs at least the cheapest other pattern, `low`;
    a row costs at most the dearest, `high`. In 2 the release costs at most |S| high, in 3 only S and fewer than k
    further rows change; in the paper k <= 2 |S| is not needed, since then some row of S is in a class of k rows,
    none of which is shown as it is: the optimum is at least k low, the release at most k high. In 4 every release
    changes all rows of some class C_i: else each class keeps a class of its own of k rows, and fewer than k rows are
    left for the class that holds a row of S. So the optimum is at least (|S| + |C_s|) low, the release at most
    (|S| + |C_s|) high. With weights 1 and all patterns low = 1 and high = m.

    Where fully suppressed rows need no crowd, S is fully suppressed in 3 and 4. The class S gets the cheapest pattern
    that makes it alike, which is never dearer. Its bound is the per-row bound. O(t log t) time beside that.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 10.
    """

    name: str = field(default="approximation", init=False)
    cites = ("LiangYuan",)
    summary: str = field(
        default="equal rows stay, all others are one group (Liang, Yuan): at most m times the optimum", init=False
    )

    def declines(self, problem: Problem) -> str | None:
        """Return why the solver will not start: other requirements, or a mask without no star or all stars."""
        reason = beyond_k(problem)
        if reason is not None:
            return reason
        if not problem.patterns.allows((0,) * problem.types.m):
            return "it leaves equal rows as they are, which the mask does not allow"
        if not problem.patterns.allows_full_suppression:
            return "it may suppress rows fully, which the mask does not allow"
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the release of Theorem 10 with the per-row bound."""
        begun = time.perf_counter()
        plan = _closed(problem, encode(problem), release_of(problem))
        worst = factor(problem)
        notes = () if worst is None else (f"at most {_written(worst)} times the optimum (Liang, Yuan, Theorem 10)",)
        return _bounded(problem, watch, self.name, plan, notes, begun)


def release_of(problem: Problem) -> Plan:
    """Return the release of the theorem, its mixed class fully suppressed."""
    types, k = problem.types, problem.k
    order = np.lexsort((np.arange(types.t), -types.counts))
    large = order[types.counts[order] >= k]
    small = order[types.counts[order] < k]
    kept: Int64 = types.counts.copy()
    kept[small] = 0
    spare = types.counts[large] - k
    lacking = k - int(types.counts[small].sum())
    if small.size and lacking > 0 and problem.outliers == "forbid":
        if int(spare.sum()) >= lacking:
            # As much as each has above k, the largest class first.
            kept[large] -= first_of(spare, lacking)
        else:
            kept[large[-1]] = 0
    shown = np.flatnonzero(kept)
    none = np.zeros(types.m, np.int8)
    classes = [(none, np.array([i]), kept[i : i + 1]) for i in shown]
    classes.append((np.array(problem.top, np.int8), np.arange(types.t), types.counts - kept))
    return as_plan(problem, classes)


def factor(problem: Problem) -> Fraction | None:
    """Return the dearest pattern's cost over the cheapest one's but for showing a row as it is (None: that is free).

    For every row by its own costs, the worst of all rows: one line of each column has to change at least.
    """
    high = int(problem.row_costs(problem.top).max())
    reach = problem.patterns.reach()
    cheapest = [
        int(level.cost[1][problem.types.codes[:, j]].min()) for j, level in enumerate(problem.levels) if reach[j]
    ]
    low = min(cheapest, default=0)
    return Fraction(high, low) if low else None


def _closed(problem: Problem, encoded: ProblemArrays, plan: Plan) -> Plan:
    """Return a plan with the cheapest pattern for each class; classes that then show the same are one."""
    vectors, _ = closed(problem, plan, encoded)
    return joined(problem, vectors, plan.part_type, plan.part_class, plan.part_rows)


def _written(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.3g}"


# What approximations share: which problems their theorems cover, and classes as a release that names its ratio.
def outside(problem: Problem) -> str | None:
    """Return why a theorem about k-anonymity with every pattern allowed says nothing of the problem, or None.

    Classes that share a row are united at no more than the sum of their costs per row: of each column the higher of
    their two nodes above that row shows both. With stars, weights and hierarchies alike, but the united pattern has to
    be allowed: so every one has to be.
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
    classes: Sequence[Mapping[int, int]] | None,
    claim: tuple[Fraction, str],
    begun: float,
) -> Solution:
    """Return classes as a release with the per-row bound, and with the ratio in its notes.

    Each class is the rows by row type, and classes are disjoint; rows in none of them are suppressed fully. With None
    for the classes the method was cut short, and the release is that in which equal rows stay and all others are one
    class; it carries no ratio. `name` is the solver's. `claim` is (ratio, source): by which factor the release is at
    most dearer than the cheapest, and who says so. `begun` is when the solver started, on the clock of
    `time.perf_counter`. Every class gets the lowest level per column at which its rows are alike.
    """
    cut_short = classes is None
    plan = release_of(problem)
    if classes is not None:
        left = problem.types.counts.copy()
        pieces = []
        for class_ in classes:
            types = np.fromiter(class_.keys(), np.int64, len(class_))
            rows = np.fromiter(class_.values(), np.int64, len(class_))
            left[types] -= rows
            pieces.append((_common(problem, types), types, rows))
        pieces.append((np.array(problem.top, np.int8), np.arange(problem.types.t), left))
        plan = as_plan(problem, pieces)
    ratio, source = claim
    notes = () if cut_short else (f"at most {_guarantee_written(ratio)} times the optimum ({source})",)
    return _bounded(problem, watch, name, plan, notes, begun, cut_short=cut_short)


def _bounded(
    problem: Problem, watch: Watch, name: str, plan: Plan, notes: tuple[str, ...], begun: float, *,
    cut_short: bool = False,
) -> Solution:  # fmt: skip
    """Return a plan with the per-row bound and its certificate."""
    solved = time.perf_counter()
    with Workers() as workers:
        floor = per_row(problem, encode(problem), workers, watch, ceiling=ceiling(problem, plan))
    bound, cost = floor.bound(problem), plan.cost(problem)
    status = ended(cost, bound.value, watch, cut_short=cut_short)
    seconds = {"solve": solved - begun, "bound": time.perf_counter() - solved}
    watch.report("solve", cost=cost, lower_bound=bound.value)
    notes = () if offset_of(problem) else notes  # a ratio is of costs that begin at 0
    return Solution(plan, bound, status, name, seconds, notes, by_prices(problem, cost, bound, floor.least, 1))


def _common(problem: Problem, types: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Int8:
    """Return the lowest level of each column at which the types are alike."""
    vector = np.zeros(problem.types.m, np.int8)
    for j, level in enumerate(problem.levels):
        nodes = level.up[:, problem.types.codes[types, j]]
        vector[j] = int(np.argmax((nodes == nodes[:, :1]).all(axis=1)))
    return vector


def _guarantee_written(number: Fraction) -> str:
    """Return a ratio with no more than it has: rounded up at the third digit after the point."""
    return str(number.numerator) if number.denominator == 1 else f"{math.ceil(number * 1000) / 1000:g}"


# Disjoint classes of k rows or more out of sets that overlap.
class DisjointClasses:
    """Classes that a cover grows into, one set of rows after the other.

    `types` is the number of row types; every class holds at least k rows.

    Notes
    -----
    As Meyerson and Williams turn a cover into a partition: of two sets that share a row, the larger gives it
    away if it has more than k rows; two sets of k rows become one, of at most 2 k - 1. So a class made of several
    sets has at most 2 k - 1 rows, and a row of it costs at most the sum of what one costs in each of those sets.

    References
    ----------
    .. [1] A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004.
    """

    def __init__(self, types: int, k: int) -> None:
        self.k = k
        self.rows: list[dict[int, int]] = []
        self._sizes: list[int] = []
        self._holders: list[set[int]] = [set() for _ in range(types)]

    @property
    def classes(self) -> list[dict[int, int]]:
        """The classes: rows of each row type."""
        return [class_ for class_ in self.rows if class_]

    def add(self, fresh: dict[int, int], others: Iterable[int]) -> None:
        """Add a set: rows that no class holds yet and, where these are fewer than k, rows of the types `others`.

        `fresh` is the rows by row type, at least one row. The `others` are the set's row types, nearest first; with the
        fresh ones they have k rows at least. O(classes that hold a row of these types) time.
        """
        have = sum(fresh.values())
        new, at = dict(fresh), len(self.rows)
        near = list(others) if have < self.k else []
        for i in near:
            for g in sorted(self._holders[i]):
                take = min(self._sizes[g] - self.k, self.rows[g][i], self.k - have)
                if take > 0:
                    self._give(g, i, take)
                    new[i] = new.get(i, 0) + take
                    have += take
            if have == self.k:
                break
        if have < self.k:
            at = min(g for i in near for g in self._holders[i])
        else:
            self.rows.append({})
            self._sizes.append(0)
        for i, rows in new.items():
            self.rows[at][i] = self.rows[at].get(i, 0) + rows
            self._holders[i].add(at)
        self._sizes[at] += have

    def _give(self, class_: int, row_type: int, rows: int) -> None:
        """Take rows from a class that has more than k."""
        self._sizes[class_] -= rows
        self.rows[class_][row_type] -= rows
        if not self.rows[class_][row_type]:
            del self.rows[class_][row_type]
            self._holders[row_type].remove(class_)


# How far row types are from each other: what one row pays in a class that holds both.
def distances(problem: Problem, types: Int64) -> Int64:
    """Return the distances of some row types to all, shape (x, t).

    The problem has t row types, and every pattern is allowed. `types` is (x,): which row types. Per column the cost of
    the lowest node above both values. It is a metric: the triangle inequality holds column by column, as of the nodes
    above one value the higher costs no less. O(x t L) time, L the sum of the heights.
    """
    total: Int64 = np.zeros((len(types), problem.types.t), np.int64)
    for j, level in enumerate(problem.levels):
        codes = problem.types.codes[:, j]
        for x in range(level.height):
            step = (level.cost[x + 1] - level.cost[x])[codes[types]]
            apart = level.up[x][codes[types]][:, None] != level.up[x][codes][None, :]
            total += apart * step[:, None]
    return total
