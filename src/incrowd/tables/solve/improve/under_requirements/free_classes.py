"""Annealing over classes that show what their rows share, where no prices under requirements name candidates."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import free_moves, free_state
from incrowd.kernels.search import free_state as at
from incrowd.kernels.search.free_moves import near_types
from incrowd.kernels.search.violations import COLUMN
from incrowd.progress import search_time
from incrowd.tables.solve.greedy.with_requirements.class_plan import ClassPlan
from incrowd.tables.solve.greedy.with_requirements.greedy import mean_costs
from incrowd.tables.solve.greedy.with_requirements.moves import grow
from incrowd.tables.solve.improve.annealing import calls
from incrowd.tables.solve.improve.candidates import tidy
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.annealing import Parts, rule_line
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import joined
from incrowd.tables.solve.shared.requirement_check import broken, kinds_of, meets
from incrowd.tables.solve.shared.row_assignment import to_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.solve.shared.time_limit import TimeShare
    from incrowd.tables.values import Int64, Plan, Problem

# Failing classes mended between two looks at the watch, of so many classes, and how often all are looked at.
MENDED, AMONG, ROUNDS = 8, 5000, 3
# What a row costs on average, in stars, at least: releases that cost nothing have nothing to search for.
LEAST = 0.02


class FreeClasses:
    """One run from a release on, without a list of candidates.

    Where requirements force coarse classes, good ones are neither near to what k alone favours nor few enough to list.
    Here a row moves into the class of a near row, which is shown as high as that needs, or is exchanged for a row
    there; classes open around a row, dissolve and split. A class that fails has a price per row, as in
    `ClassAnnealing`. `star` is what a star costs on average, in scaled cost units.

    Notes
    -----
    A move takes O(rows of a class * m), for classes of at most 64 rows, and the time of the rules. Memory: some 500
    bytes a row type and 50 a row, beside 8 for each class and sensitive value.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays, rules: Sequence[CountRule], star: float) -> None:
        self.problem, self.encoded, self.rules, self.star = problem, encoded, rules, star
        self.moves = 0

    def run(
        self,
        plan: Plan,
        watch: TimeShare,
        *,
        total: int | None,
        seed: int,
        enough: int,
        heard: Callable[[int], None],
    ) -> Plan | None:
        """Return the release that the search ends in, which may be dearer than the first; None: it ends in none.

        The `plan` is a release. With `total` moves to make, these say how warm it is; with None it makes as many as the
        watch allows. The search stops at the scaled cost `enough`. `heard` is told the cost of the cheapest release
        met, about twice a second.
        """
        neighbours = near(self.problem, self.encoded, watch)
        if neighbours is None:
            return None
        own = tuning.DEFAULT
        whole, real = lay_out_free(self.problem, self.encoded, self.rules, plan, neighbours, seed)
        row = max(plan.cost(self.problem) / self.problem.types.n, LEAST * self.star)
        dearest = sum(float(level.cost.max(initial=0)) for level in self.problem.levels)
        lenient, rigour = own.free_lenience * row, max(own.free_rigour * row, own.free_rigour_least * dearest)
        severe = max(rigour, own.repair_penalty * self.star)
        shares = np.cumsum(np.array(own.free_shares))
        told, mended = search_time(), own.free_rigour_at
        for share, moves in calls(watch, total=total, temperatures=own.temperatures):
            warmth = row * own.free_heat * (own.free_chill / own.free_heat) ** share
            strict = min(1.0, share / own.free_rigour_at)
            penalty = lenient * (rigour / lenient) ** strict
            free_moves.anneal(whole, real, moves, warmth, penalty, share > 0.5, shares)
            self.moves += moves
            if share >= mended:
                mended += own.free_mends
                self._mend(whole, real, severe, watch, wide=share > own.free_wide)
            if whole[at.NOTED] and whole[at.BEST_COST] <= enough:
                break
            if search_time() - told > 0.5:
                told = search_time()
                if whole[at.NOTED]:
                    heard(int(whole[at.BEST_COST]))
        late = watch.without_deadline()
        late.deadline = None if watch.deadline is None else search_time() + own.repair_seconds
        self._mend(whole, real, severe, late, wide=True)
        class_ = whole[whole[at.BEST if whole[at.NOTED] else at.CLASS] :][: whole[at.ROWS]]
        found = plan_of(self.problem, self.encoded, whole, class_)
        return None if found is None else checked(self.problem, self.encoded, found, watch)

    def _mend(self, whole: Int64, real: NDArray[np.float64], penalty: float, watch: Watch, *, wide: bool) -> None:
        """Mend the classes that fail, and remember what is without violation then."""
        most = max(1, MENDED * AMONG // max(int(whole[at.CLASSES]), AMONG))
        for _ in range(ROUNDS if wide else 1):
            c = 0
            while c < whole[at.CLASSES] and not watch.stopped:
                c = free_moves.mend(whole, real, c, most, penalty, wide)
            free_state.note(whole)
            if not whole[at.FAILING]:
                break


# A release and its requirements as the search over classes that show what their rows share reads them.

# Types whose neighbours are looked for between two looks at the watch.
BLOCK = 256
# Classes that a search has room for, for every one of the first release, and beside them.
ROOM, SPARE = 1.5, 64
# Moves that one step may make and take back.
LOG = 4096


def loose(problem: Problem, rules: Sequence[CountRule]) -> bool:
    """Whether there are few enough rows, level vectors and sensitive values for the search.

    The `rules` are those of the problem's requirements.
    """
    own = tuning.DEFAULT
    everything = math.prod(level.height + 1 for level in problem.levels)
    values = sum(rule.values for rule in rules)
    dear = sum(int(level.cost.max(initial=0)) for level in problem.levels)
    classes = ROOM * (problem.types.n // problem.k) + 2 * SPARE
    return (
        problem.types.n <= own.free_rows
        and (everything <= own.free_vectors or everything == problem.patterns.count())
        and classes * values <= own.free_counts
        and dear < at.NEVER
    )


def near(problem: Problem, encoded: ProblemArrays, watch: Watch) -> Int64 | None:
    """Return for each type those that it is cheapest to be shown with, shape (t, w), -1 behind them; None: no time.

    O(t^2 m) for some thousand types; beyond that a sample of them is looked at for each.
    """
    own, types = tuning.DEFAULT, problem.types
    firsts = np.concatenate(([0], np.cumsum([level.up.shape[1] for level in problem.levels]))).astype(np.int64)
    codes = types.codes.astype(np.int64) + firsts[:-1]
    one = np.full(int(firsts[-1]), -1, np.int64)
    one[codes] = np.arange(types.t)[:, None]
    found = np.full((types.t, 2 * own.free_near), -1, np.int64)
    nodes, costs = encoded.nodes.astype(np.int64), np.ascontiguousarray(encoded.costs.T)
    step = -(-(types.t**2) // own.free_pairs)
    kinds = kinds_of(problem).astype(np.int64)
    for low in range(0, types.t, BLOCK):
        if watch.stopped:
            return None
        high = min(low + BLOCK, types.t)
        near_types(nodes, costs, encoded.start, codes, firsts, one, kinds, low, high, step, found)
    return found


def above(problem: Problem) -> tuple[Int64, Int64]:
    """Return the place of each level in the number of a level vector, and the cheapest allowed vector above each.

    -1 where there is none; no numbers at all where every vector is allowed. By mean costs over the rows.
    """
    shape = tuple(level.height + 1 for level in problem.levels)
    stride = np.array([math.prod(shape[j + 1 :]) for j in range(len(shape))], np.int64)
    if problem.patterns.count() == math.prod(shape):
        return stride, np.zeros(0, np.int64)
    price = np.full(shape, np.inf)
    number = np.full(shape, -1, np.int64)
    means = mean_costs(problem)
    for block in problem.patterns.by_cost(problem.floor_costs(), problem.ties()):
        levels = block.levels.astype(np.int64)
        place = levels @ stride
        number.reshape(-1)[place] = place
        price.reshape(-1)[place] = sum(np.array(mean, float)[levels[:, j]] for j, mean in enumerate(means))
    for j, height in enumerate(size - 1 for size in shape):
        prices, numbers = np.moveaxis(price, j, 0), np.moveaxis(number, j, 0)
        for low in range(height - 1, -1, -1):
            better = prices[low + 1] < prices[low]
            prices[low] = np.where(better, prices[low + 1], prices[low])
            numbers[low] = np.where(better, numbers[low + 1], numbers[low])
    return stride, number.reshape(-1)


def lay_out_free(
    problem: Problem, encoded: ProblemArrays, rules: Sequence[CountRule], plan: Plan, neighbours: Int64, seed: int
) -> tuple[Int64, NDArray[np.float64]]:
    """Return the state that holds a release, as `incrowd.kernels.search.free_state` lays it out.

    The `plan` is the release, and the `rules` are those of the problem's requirements. `neighbours` is (t, w), as
    `near` returns them. O(rows + types * levels) time and memory, beside classes times sensitive values.
    """
    types, m = problem.types, problem.types.m
    t, n = types.t, types.n
    classes = int(ROOM * plan.classes) + SPARE
    head = np.zeros(at.HEAD, np.int64)
    whole, real = Parts(at.HEAD, np.int64), Parts(1, np.float64)
    lines = [rule_line(rule, [x.code for x in rules], whole, real, n) for rule in rules]
    firsts = np.concatenate(([0], np.cumsum([rule.values for rule in rules]))).astype(np.int64)
    for line, first in zip(lines, firsts, strict=False):
        line[COLUMN] = int(first)
    kinds = kinds_of(problem)
    codes = np.array([rule.code[kinds] for rule in rules], np.int64).reshape(len(rules), t) + firsts[:-1, None]
    top = np.array(problem.top, np.int64)
    suppressed = -1
    levels, prices = np.zeros((classes, m), np.int64), np.zeros(classes, np.int64)
    if problem.outliers == "suppress" and problem.patterns.allows_full_suppression:
        full = np.flatnonzero((plan.levels == top).all(axis=1))
        suppressed = int(full[0]) if full.size else plan.classes
        levels[suppressed] = top
        prices[suppressed] = int(encoded.row_costs(top.astype(np.int8), np.zeros(1, np.int32))[0])
    stride, closed = above(problem)
    none, empty = np.zeros(n, np.int64), np.zeros(classes, np.int64)
    for place, part in (
        (at.NODES, encoded.nodes), (at.COSTS, encoded.costs.T), (at.START, encoded.start), (at.STRIDE, stride),
        (at.CODES, codes), (at.RULES_AT, np.array(lines, np.int64)),
        (at.VALUES_AT, np.arange(max((rule.values for rule in rules), default=0))),
        (at.BEGINS, np.concatenate(([0], np.cumsum(types.counts)))), (at.TYPE, np.repeat(np.arange(t), types.counts)),
        (at.NEAR, neighbours), (at.CLASS, none), (at.BEST, none), (at.AFTER, none), (at.BEFORE, none),
        (at.FIRST, empty - 1), (at.SIZE, empty), (at.LEVEL, levels), (at.PRICE, prices),
        (at.COUNTS_AT, np.zeros(classes * int(firsts[-1]))), (at.LOG, np.zeros(4 * LOG)),
        (at.LOG_LEVEL, np.zeros(2 * m * LOG)), (at.VECTOR, np.zeros(m)),
    ):  # fmt: skip
        head[place] = whole.add(np.ascontiguousarray(part, np.int64))
    if closed.size:
        head[at.ABOVE] = whole.add(closed)
    head[at.DEFICIT], head[at.LOG_DEFICIT] = real.add(np.zeros(classes)), real.add(np.zeros(2 * LOG))
    places = [at.ROOM, at.SEED, at.SUPPRESSED, at.K, at.ROWS, at.TYPES, at.M, at.LINES, at.CLASSES, at.RULES, at.COUNTS]
    head[places] = (
        LOG, seed, suppressed, problem.k, n, t, m, encoded.nodes.shape[1], classes, len(rules), firsts[-1],
    )  # fmt: skip
    head[at.WIDTH] = neighbours.shape[1]
    state = np.concatenate((head, whole.joined())), np.concatenate((np.zeros(1), real.joined()))
    order = np.lexsort((plan.part_class, plan.part_type))
    free_state.fill(*state, np.repeat(plan.part_class[order].astype(np.int64), plan.part_rows[order]))
    return state


def plan_of(problem: Problem, encoded: ProblemArrays, whole: Int64, class_: Int64) -> Plan | None:
    """Return the plan that shows every class as low as its rows share, or None where a class may show nothing.

    `whole` is the state, and `class_` is (n,): the class of each row.
    """
    types = whole[whole[at.TYPE] :][: whole[at.ROWS]]
    key, rows = np.unique(class_ * problem.types.t + types, return_counts=True)
    own, members = key // problem.types.t, (key % problem.types.t).astype(np.int32)
    begins = np.flatnonzero(np.concatenate(([True], own[1:] != own[:-1], [True]))).astype(np.int64)
    vectors = CanonicalPattern(problem, encoded).of(begins, members)
    vectors[own[begins[:-1]] == whole[at.SUPPRESSED]] = np.array(problem.top, np.int8)
    if (vectors < 0).any():
        return None
    return joined(problem, vectors, members, np.repeat(np.arange(len(vectors)), np.diff(begins)), rows)


# Releases made of the search's rows: every class is asked by every requirement itself, and mended where it fails.

# Seconds for merges beyond a time limit.
MERGING = 1.0


def is_release(problem: Problem, plan: Plan) -> bool:
    """Return whether every class of a plan has its rows and meets every requirement, by the requirements' own word."""
    return bool(_crowded(problem, plan).all()) and broken(problem, plan) is None


def _crowded(problem: Problem, plan: Plan) -> NDArray[np.bool_]:
    """Return which classes have the rows they need, shape (g,)."""
    enough: NDArray[np.bool_] = plan.sizes() >= problem.k
    if problem.outliers == "suppress":
        enough |= (plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    return enough


def checked_plan(
    problem: Problem, encoded: ProblemArrays, instances: Instances, rows: Int64, watch: Watch
) -> Plan | None:
    """Return a release that puts rows per pair into their instances, or None if it cannot be made one, as `checked`.

    `rows` is (pairs,): the rows of the pair's type in the pair's instance.
    """
    return checked(problem, encoded, to_plan(instances, rows), watch)


def checked(problem: Problem, encoded: ProblemArrays, plan: Plan, watch: Watch) -> Plan | None:
    """Return a release that comes of a plan whose classes may fail, or None if it cannot be made one.

    Every class takes the cheapest levels at which its rows agree, if all classes then still meet everything. Classes
    that fail, for the search may end so and may know less than all of a requirement, are merged with others until they
    do not; where there is a time limit for a second at most. In the `plan` every row is in one class. O(parts log
    parts) time, and O(classes) for every merge.
    """
    closer = tidy(problem, encoded, plan)
    for one in (closer, plan):
        if is_release(problem, one):
            return one
    mended = _merged(problem, encoded, plan, watch)
    return mended if mended is not None and is_release(problem, mended) else None


def _merged(problem: Problem, encoded: ProblemArrays, plan: Plan, watch: Watch) -> Plan | None:
    """Return the plan with every failing class merged with others, or None where that fails or time is over."""
    met = meets(problem, plan.part_class, plan.part_type, plan.part_rows, plan.classes) & _crowded(problem, plan)
    late = watch.without_deadline()
    late.deadline = None if watch.deadline is None else search_time() + MERGING
    state = ClassPlan(problem, encoded, watch, (plan.levels.copy(), plan.part_type, plan.part_class, plan.part_rows))
    for g in np.flatnonzero(~met):
        if late.stopped:
            return None
        if (state.part_class == g).any() and not grow(state, int(g)):
            return None
    return state.plan()
