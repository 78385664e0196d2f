"""The approximation of Liang and Yuan: equal rows stay together, all others make one group."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.counting import ceiling, per_row
from incrowd.tables.solve.shared.pattern_scan import Workers
from incrowd.tables.solve.shared.plan_of_groups import as_plan
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.refusals import beyond_k
from incrowd.tables.solve.shared.row_assignment import closed
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.values import Int64, Plan, Problem, Solution

if TYPE_CHECKING:
    from incrowd.progress import Watch

__all__ = ["Approximation", "factor"]


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
    further rows change; in the paper k <= 2 |S| is not needed, since then some row of S is in a group of k rows,
    none of which is shown as it is: the optimum is at least k low, the release at most k high. In 4 every release
    changes all rows of some class C_i: else each class keeps a group of its own of k rows, and fewer than k rows are
    left for the group that holds a row of S. So the optimum is at least (|S| + |C_s|) low, the release at most
    (|S| + |C_s|) high. With weights 1 and all patterns low = 1 and high = m.

    Where fully suppressed rows need no crowd, S is fully suppressed in 3 and 4. The group S gets the cheapest pattern
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
        encoded = encode(problem)
        plan = _closed(problem, encoded, release_of(problem))
        solved = time.perf_counter()
        with Workers(None) as workers:
            floor = per_row(problem, encoded, workers, watch, ceiling=ceiling(problem, plan))
        bound = floor.bound(problem)
        cost = plan.cost(problem)
        worst = factor(problem)
        notes = () if worst is None else (f"at most {_written(worst)} times the optimum (Liang, Yuan, Theorem 10)",)
        status = ended(cost, bound.value, watch, cut_short=False)
        seconds = {"solve": solved - begun, "bound": time.perf_counter() - solved}
        watch.tell("solve", cost=cost, lower_bound=bound.value)
        proof = by_prices(problem, cost, bound, floor.least, 1)
        return Solution(plan, bound, status, self.name, seconds, notes, proof)


def release_of(problem: Problem) -> Plan:
    """Return the release of the theorem, its mixed group fully suppressed."""
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
            given = np.minimum(spare, np.maximum(lacking - (np.cumsum(spare) - spare), 0))
            kept[large] -= given
        else:
            kept[large[-1]] = 0
    shown = np.flatnonzero(kept)
    none = np.zeros(types.m, np.int8)
    groups = [(none, np.array([i]), kept[i : i + 1]) for i in shown]
    groups.append((np.array(problem.top, np.int8), np.arange(types.t), types.counts - kept))
    return as_plan(problem, groups)


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
    """Return a plan with the cheapest pattern for each group; groups that then show the same are one."""
    vectors, _ = closed(problem, plan, encoded)
    order = np.argsort(plan.part_group, kind="stable")
    begins = np.searchsorted(plan.part_group[order], np.arange(plan.groups + 1))
    pieces = [
        (vectors[g], plan.part_type[order[a:b]], plan.part_rows[order[a:b]])
        for g, (a, b) in enumerate(itertools.pairwise(begins))
    ]
    return as_plan(problem, pieces)


def _written(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.3g}"
