"""Pair up parts of groups anew: the matching of `incrowd.tables.solve.matching` as a move for any k.

Every group is cut into one or two *blocks* of rows. A block is a vertex of the matching like a row: its node is
what its rows share, and what they do not share it shares with nobody. With s_u rows in block u, a pair costs
C(uv) = (s_u + s_v) f(uv) and a triple likewise, f the cost per row; so 2 C(uvw) >= C(uv) + C(uw) + C(vw) as for
rows, where all parts have k rows. The old groups are one solution, so the least one is no dearer.

Here blocks may be smaller than k/2, and the matching is not solved to the end: the assignment over near blocks
gives cycles, cycles are cut into pairs, triples and single blocks, and each component of old and new groups takes
the cheaper of the two. One such round exchanges blocks along cycles of any length all over the table; opening or
closing single instances does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.matching import assign
from incrowd.kernels.matching import metric as matching_metric
from incrowd.kernels.search import regroup as kernel
from incrowd.kernels.search import regroup_cycles
from incrowd.progress import search_time
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.matching.all_pairs import near_rows
from incrowd.tables.solve.matching.metric import Metric, metric
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import PartialPlan
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.time_share import TimeShare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int32, Int64, Plan, Problem

__all__ = ["regroup"]


def regroup(
    problem: Problem, plan: Plan, watch: Watch, *, seed: int = 0, rounds: int = 50, encoded: ProblemArrays | None = None
) -> tuple[Plan, int]:
    """Return a plan that costs no more, and the number of rounds made.

    The problem may have any k; with requirements beyond it the plan, a release, stays as it is. At most `rounds` rounds
    are made. The watch is asked before every round, and a round that would last longer than the time left is not begun.
    How groups are cut depends on `seed`.

    Notes
    -----
    O(b^2 L) steps of a fraction of a nanosecond a round for the neighbours of b blocks, at most two a group, and the
    assignment over 12 arcs each. Ends early when the first five rounds or any ten in a row save nothing.
    Costs beyond what the kernels add up (2^30 for a row, after division by the common divisor) leave the plan as
    it is.
    """
    if problem.requirements:
        # Parts of a group that meets one need not meet it.
        return plan, 0
    try:
        types = metric(problem.types.codes, problem.levels, problem.patterns)
    except OverflowError:
        return plan, 0
    state = State(problem, encoded or encode(problem), types, plan)
    rng = np.random.default_rng(seed)
    made = idle = gained = 0
    last = 0.0
    own = tuning.DEFAULT
    while made < rounds and idle < (own.regroup_patience if gained else own.regroup_trial) and not watch.stopped:
        begun = search_time()
        if last > TimeShare.of(watch, None).left:
            break
        saved = state.round(rng, watch)
        last = search_time() - begun
        made += 1
        gained += saved
        idle = 0 if saved else idle + 1
    if not gained:
        return plan, made
    found = state.plan()
    return (found, made) if found.cost(problem) < plan.cost(problem) else (plan, made)


class State:
    """Parts by group, between rounds.

    The metric `types` has one row per type.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays, types: Metric, plan: Plan) -> None:
        self.problem, self.encoded, self.types = problem, encoded, types
        top = np.array(problem.top, np.int8)
        self.free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        group = plan.part_group.astype(np.int64)
        if self.free:
            # Rows that are fully suppressed without a crowd are groups of their own.
            starred = (plan.levels == top).all(axis=1)[group]
            group[starred] = plan.groups + np.arange(int(starred.sum()))
        order = np.argsort(group, kind="stable")
        self.type: Int32 = plan.part_type[order]
        self.rows: Int64 = plan.part_rows[order]
        self.begins = _begins(group[order])

    def round(self, rng: np.random.Generator, watch: Watch) -> int:
        """Cut, match and join once; return what it saved, in units of the costs' common divisor."""
        draws = rng.random((self.begins.size - 1, 3))
        piece_type, piece_block, piece_rows, group = kernel.split(
            self.begins, self.type, self.rows, self.types.rows, self.types.steps, draws
        )
        count = group.size
        begins = _begins(piece_block)
        first = piece_type[begins[:-1]]
        sizes = np.add.reduceat(piece_rows, begins[:-1])
        blocks, twins = self.blocks(piece_type, piece_block, first, count)
        own = twins.costs(np.column_stack((np.arange(count), np.arange(count) + count, np.full(count, -1))))
        alone = sizes * own
        may = (sizes >= self.problem.k) & (own < matching_metric.FAR)
        if self.free:
            starred = sizes * self.types.most
            alone = np.where(may, np.minimum(alone, starred), starred)
            may = np.ones(count, np.bool_)
        column = self._assigned(blocks, group, sizes, alone, may, watch)

        def cut(flat: matching_metric.Flat, _: object) -> tuple[Int32, int]:
            name = regroup_cycles.rounded(flat, sizes, alone, may, self.problem.k, column)
            found: tuple[Int32, int] = regroup_cycles.joined(flat, sizes, alone, group, name)
            return found

        name, saved = blocks.settled(cut)
        self._take(piece_type, name[piece_block], piece_rows)
        return int(saved)

    def blocks(self, piece_type: Int32, piece_block: Int32, first: Int32, count: int) -> tuple[Metric, Metric]:
        """Return the metric of the blocks, and one in which each also has a twin: the pair costs what it costs."""
        fresh = int(self.types.rows.max(initial=0)) + 1
        rows = kernel.agreed(piece_type, piece_block, first, self.types.rows, count, fresh)
        others = np.where(rows >= fresh, rows + count, rows)
        one = self.types.take(first)
        two = self.types.take(np.concatenate((first, first)))
        return _recoded(one, rows), _recoded(two, np.concatenate((rows, others)))

    def _assigned(
        self, blocks: Metric, group: Int32, sizes: Int64, alone: Int64, may: NDArray[np.bool_], watch: Watch
    ) -> NDArray[np.int32]:
        """Return the least assignment over near blocks, those of a group among them."""
        count, k = group.size, self.problem.k
        near, _ = near_rows(blocks, min(tuning.DEFAULT.regroup_neighbours, max(count - 1, 1)), watch)
        i = np.repeat(np.arange(count, dtype=np.int64), near.shape[1])
        j = near.reshape(-1).astype(np.int64)
        old = np.flatnonzero(group[1:] == group[:-1])
        i, j = np.concatenate((i[j >= 0], old)), np.concatenate((j[j >= 0], old + 1))
        pairs = np.unique(np.minimum(i, j) * count + np.maximum(i, j))
        i, j = pairs // count, pairs % count
        cost = blocks.costs(np.column_stack((i, j, np.full(i.size, -1))))
        size = sizes[i] + sizes[j]
        keep = (size >= k) & (cost < matching_metric.FAR)
        i, j, cost = i[keep].astype(np.int32), j[keep].astype(np.int32), (size * cost)[keep]
        # Twice what a block costs: a pair is counted from both sides.
        never = 2 * (int(cost.sum()) + int(alone[may].sum())) + 1
        exits = np.where(may, 2 * alone, never)
        ptr, adj, values = assign.csr(count, i, j, cost, exits)
        p, q = np.zeros(count, np.int64), np.zeros(count, np.int64)
        column, row = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
        assign.assign(ptr, adj, values, p, q, column, row)
        return column

    def _take(self, piece_type: Int32, name: Int32, piece_rows: Int64) -> None:
        """Make the groups `name` the groups at hand."""
        parts, back = np.unique(name.astype(np.int64) * self.encoded.t + piece_type, return_inverse=True)
        self.type = (parts % self.encoded.t).astype(np.int32)
        self.rows = np.zeros(parts.size, np.int64)
        np.add.at(self.rows, back.reshape(-1), piece_rows)
        self.begins = _begins(parts // self.encoded.t)

    def plan(self) -> Plan:
        """Return the groups at hand at the cheapest allowed levels at which their rows agree."""
        problem, begins = self.problem, self.begins
        groups = begins.size - 1
        top = np.array(problem.top, np.int8)
        closure = CanonicalPattern(problem, self.encoded)
        common = closure.levels(np.tile(top, (groups, 1)), begins, self.type)
        vectors: Int8 = closure.first(common, self.type[begins[:-1]])
        if self.free:
            sizes = np.add.reduceat(self.rows, begins[:-1])
            dear = self.encoded.costs[self.encoded.start + self.encoded.heights].sum(axis=0)[self.type[begins[:-1]]]
            own = np.zeros(groups, np.int64)
            for lines in (vectors + self.encoded.start).T:
                own += self.encoded.costs[lines, self.type[begins[:-1]]]
            vectors[(sizes < problem.k) | (own >= dear)] = top
        none = np.zeros(0, np.int32)
        label = np.repeat(np.arange(groups, dtype=np.int32), np.diff(begins))
        return PartialPlan(self.encoded, vectors, self.type, label, self.rows, none, none.astype(np.int64)).plan()


def _begins(names: NDArray[np.integer]) -> Int64:
    """Return where the runs of equal names begin, and the length."""
    fresh = np.flatnonzero(np.diff(names)) + 1
    return np.concatenate(([0], fresh, [names.size])).astype(np.int64)


def _recoded(metric: Metric, rows: Int32) -> Metric:
    """Return the metric with other nodes."""
    small = int(rows.max(initial=0)) < 1 << 16 and metric.wide_steps.dtype != np.int32
    kind = np.uint16 if small else np.int32
    return Metric(
        rows, metric.steps,
        np.ascontiguousarray(rows.T.astype(kind)), np.ascontiguousarray(metric.wide_steps.astype(kind)),
        metric.sens, metric.base, metric.ksteps, metric.table, metric.most, metric.divisor,
    )  # fmt: skip
