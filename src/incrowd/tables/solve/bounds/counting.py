"""A lower bound by counting alone: no row can be cheaper than its cheapest instance with a crowd.

In a release every row lies in an instance g that at least k_g rows of the table agree with, so it costs at least

    sum over row types i of  n_i * min{ w_g(i) : i agrees with g, N(g) >= k_g },

N(g) the rows of the table that agree with g, k_g = k but 0 for the fully suppressed instance where outliers
may be suppressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.grouping import cheapest
from incrowd.progress import Watch
from incrowd.tables.solve.shared.pattern_scan import Workers, batches
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.values import Bound, Int64, Plan, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CountingBound", "ceiling", "per_row", "per_row_bound"]

WORK = 2_000_000_000
BATCH = 1 << 23
NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class CountingBound:
    """What every row has to cost.

    Attributes
    ----------
    least : (t,) int64
        Lower bound on the scaled cost of one row of each type.
    complete : bool
        True when each is the cheapest instance with a crowd, False when the work ran out and some rows only
        got the cost of the cheapest pattern not looked at.
    patterns : int
        Patterns looked at.
    """

    least: Int64
    complete: bool
    patterns: int

    def bound(self, problem: Problem) -> Bound:
        """Return the bound for all rows."""
        value = int((self.least * problem.types.counts).sum())
        return Bound(value, checked=value, method="per row")


def per_row_bound(
    problem: Problem, watch: Watch | None = None, *, work: int = WORK, threads: int | None = None
) -> Bound:
    """Return the per-row bound of a problem, or a cheaper valid one where that takes too much work.

    `work` is how many row visits (row types times patterns) are made at most. The watch is asked between batches of
    patterns; when it says stop, the bound ends as if the work had run out. `threads` is all cores by default, and the
    value does not depend on it. Infeasible is raised if some row has no allowed instance with a crowd: then no release
    exists, which is a proof.

    Notes
    -----
    O(p t) time in the worst case, p patterns, t row types; patterns that no row needs are passed over. Memory
    O(m t). Rows are counted by 64-bit hashes. A collision can only make an instance look more crowded than it
    is, hence the minimum smaller: the bound stays valid, whatever the hashes are.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4).
    """
    with Workers(threads) as workers:
        return per_row(problem, encode(problem), workers, watch or Watch(), work=work).bound(problem)


def per_row(
    problem: Problem,
    encoded: ProblemArrays,
    workers: Workers,
    watch: Watch,
    *,
    work: int = WORK,
    ceiling: Int64 | None = None,
) -> CountingBound:
    """Return the least cost of every row.

    `ceiling`, (t,), holds costs above which not to look, for example those of a release, which no least cost exceeds.
    Too low a ceiling can only weaken the bound. Infeasible is raised as by `per_row_bound`.
    """
    best = np.full(encoded.t, NEVER, np.int64) if ceiling is None else ceiling.copy()
    patterns = problem.patterns
    if patterns.allows_full_suppression:
        # All rows agree on the all-star instance, and there are at least k of them.
        best = np.minimum(best, encoded.row_costs(np.array(problem.top, np.int8)))
    floors, ties = problem.floor_costs(), problem.ties()
    seen = visits = 0
    for batch in batches(patterns.by_cost(floors, ties), _sizes(encoded.t)):
        floor = int(batch.costs[0])
        if best.max() <= floor:
            break
        spent = encoded.t * len(batch.costs)
        if watch.stopped or visits + spent > work:
            # Patterns ascend: whatever was not looked at costs every row at least the floor.
            return CountingBound(np.minimum(best, floor), False, seen)

        def look(piece: Int64, batch=batch, best=best) -> Int64:  # type: ignore[no-untyped-def]
            lowered: Int64 = cheapest.cheapest_crowds(
                encoded.table,
                encoded.start,
                encoded.heights,
                np.ascontiguousarray(batch.levels[piece]),
                batch.costs[piece],
                encoded.costs,
                problem.uniform,
                encoded.weights,
                problem.k,
                best,
            )
            return lowered

        pieces = workers.split(batch.levels, spent)
        results = workers.pool.map(look, pieces) if workers.pool and len(pieces) > 1 else map(look, pieces)
        for lowered in results:
            best = np.minimum(best, lowered)
        visits += spent
        seen += len(batch.costs)
        watch.tell("bound", patterns=seen, rows_open=int((best > floor).sum()))
    hopeless = int(problem.types.counts[best == NEVER].sum())
    if hopeless:
        raise _hopeless(problem, hopeless)
    return CountingBound(best, True, seen)


def ceiling(problem: Problem, plan: Plan) -> Int64:
    """Return per row type the least cost of its rows in a plan, shape (t,): a ceiling for `per_row`."""
    each: Int64 = np.zeros(plan.part_type.size, np.int64)
    for j, level in enumerate(problem.levels):
        each += level.cost[plan.levels[plan.part_group, j], problem.types.codes[plan.part_type, j]]
    least: Int64 = np.full(problem.types.t, NEVER, np.int64)
    np.minimum.at(least, plan.part_type, each)
    return least


def _hopeless(problem: Problem, rows: int) -> Infeasible:
    look = "row looks" if rows == 1 else "rows look"
    return Infeasible(
        f"no release can meet k={problem.k}: under every pattern of the mask {rows} {look} like fewer than "
        f"{problem.k} rows of the table; allow full suppression, allow more patterns or lower k",
        requirement=f"k={problem.k}",
        proven=True,
    )


def _sizes(t: int) -> Iterator[int]:
    size = 1
    while True:
        yield max(1, min(size, BATCH // t))
        size = min(2 * size, 4096)
