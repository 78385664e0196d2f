"""A release much better than the greedy's, with a bound: annealing over the instances that prices favour."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from incrowd.kernels.matching import assign
from incrowd.kernels.matching import metric as matching_metric
from incrowd.kernels.search import regroup as kernel
from incrowd.progress import search_time
from incrowd.tables.row_numbers import added_up, runs
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.cuts_over_lattice import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.annealing import Annealing, evolve
from incrowd.tables.solve.improve.block_dives import dives_from
from incrowd.tables.solve.improve.candidates import gather
from incrowd.tables.solve.improve.under_requirements.search import ClassSearch
from incrowd.tables.solve.matching.all_pairs import near_rows
from incrowd.tables.solve.matching.metric import Metric, metric
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import joined
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.refusals import SEARCHED_PAIR
from incrowd.tables.solve.shared.row_assignment import polish
from incrowd.tables.solve.shared.status import ended, of_release
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.tables.values import Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.block_cuts import BlockCuts
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int32, Int64, Plan, Problem

MOST_PAIRS = 8_000_000


@dataclass(frozen=True, kw_only=True)
class Improve:
    """Greedy, then prices, then annealing over which instances to open.

    Parameters
    ----------
    work : int, optional
        Moves of the annealing, at least 1; eight for each under requirements, where moves are cheap. With it the
        result depends on the problem, `work` and `seed` alone, unless the time limit comes first. Default: as many as
        the time allows; without a time limit 50 per row type (100 under requirements).
    seed : int, default 0
        Seed of the annealing, 0 to 2^63 - 1.
    gap : float, default 0.0
        Relative distance of cost and bound at which to stop, at least 0.

    Notes
    -----
    Prices per row type come from subgradient steps on stored instances and scans over the whole lattice of
    patterns; each scan also is a true lower bound. What has a reduced cost near 0 at these prices is what the
    annealing may open. A move opens an instance (rows that are dearer elsewhere come, missing ones are fetched
    from classes with rows to spare or by closing others) or closes one; then rows settle at the cheapest open
    instance. Parts of classes move as a whole, and types that agree with the same candidates count as one, so a
    move costs the parts it touches, not their rows. Temperature and thresholds grow with k. Where the time limit
    leaves room for several runs, the releases they end in meet: small integer programs over what any of them opens
    (`merge_solutions`). Then classes are cut in two and the parts paired up anew, all at once, until that saves nothing
    (`regroup`).

    O(p t) time a scan, O(pairs) a price step, O(members of the instances touched) a move. Memory: some 100 bytes
    per pair of a type and a candidate, at most 8 million pairs.

    Under requirements beside k the search is another one: rows move one by one, a class may fail at a price
    (`under_requirements`).

    The release is never dearer than the greedy's; how near it comes to the least one is said by the bound only.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4):
       instances (Section 2.2), greedy (Algorithm 1), Row Assignment (Theorem 3).
    .. [2] M. Held, P. Wolfe, H. P. Crowder, "Validation of subgradient optimization", Mathematical Programming 6,
       1974.
    """

    work: int | None = None
    seed: int = 0
    gap: float = 0.0
    name: str = field(default="improve", init=False)
    cites = ("BredereckNichterleinNiedermeier2013",)
    summary: str = field(
        default="greedy, then annealing over the instances that prices favour, with a bound", init=False
    )

    def declines(self, problem: Problem) -> str | None:
        """Return None: it takes every problem."""
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the best release found, with its bound. Infeasible is raised as the greedy does."""
        first = Greedy().solve(problem, watch)
        with release_kept(watch):
            return self.go_on(problem, watch, first)
        return first

    def go_on(self, problem: Problem, watch: Watch, first: Solution) -> Solution:
        """Return the best release found from a given one on, with its bound."""
        if problem.requirements:
            return ClassSearch(self.work, self.seed, self.gap, problem, watch, first).run()
        return Search(self, problem, watch, first).run()


class Search:
    """One run from a given release with its bound, `first`."""

    def __init__(self, options: Improve, problem: Problem, watch: Watch, first: Solution) -> None:
        self.options = options
        self.problem = problem
        self.watch = watch
        self.begun, self.entered = search_time(), time.perf_counter()
        self.first = first
        self.plan: Plan = first.plan
        self.cost = first.plan.cost(problem)
        self.bound = first.bound
        self.moves = self.rounds = self.programs = 0
        self.finished = False
        self.dives = 0
        self.pricing: Pricing | None = None
        self.blocks: BlockCuts | None = None

    def run(self) -> Solution:
        """Do all the steps that the time allows."""
        if not self.done():
            self.encoded = encode(self.problem)
            self.pricing = Pricing(self.problem, self.encoded, self.plan, self.bound)
            for step in self.steps(self.pricing):
                with release_kept(self.watch):
                    if not self.done():
                        step()
                if self.pricing.bound.value > self.bound.value:  # the step broke off
                    self.bound = self.pricing.bound
        self.report()
        return self.solution()

    def steps(self, pricing: Pricing) -> Iterator[Callable[[], None]]:
        """Yield what is done one after another; an error of ours in a step ends that step alone."""
        yield lambda: self.price(pricing)
        yield lambda: self.cut(pricing)
        if self.leveled:
            yield lambda: self.dive(pricing, whole=True)
        yield lambda: self.anneal(pricing)
        yield self.regroup
        if self.leveled:
            yield lambda: self.dive(pricing)
        yield lambda: self.finish(pricing)

    def price(self, pricing: Pricing) -> None:
        """Find prices, a bound and the instances that they favour."""
        timed = self.watch.deadline is not None and self.options.work is None
        own = tuning.DEFAULT
        most = own.price_end_gaining
        left = TimeShare.of(self.watch, 1.0).left
        shares = (own.of_price(own.price_end, left), own.of_price(most, left), most) if timed else (None, None, None)
        watch, longer, last = (TimeShare.of(self.watch, share) for share in shares)
        pricing.first_look(self.watch)
        if pricing.wide:
            pricing.learn(last)
        slack, gain = 1.0, np.inf
        while not (pricing.finished or last.stopped):
            if watch.stopped and gain <= own.price_gain * self.cost:
                break
            if longer.stopped and gain <= own.price_gain_late * self.cost:
                break
            before = pricing.value
            if not timed and self.rounds >= own.price_rounds:
                break
            # The last scan stores more: the search opens what the price steps can do without.
            slack = self.slack if not timed and self.rounds == own.price_rounds - 1 else slack
            if not pricing.round(last, slack=slack):
                break
            self.rounds += 1
            self.bound = pricing.bound
            gain = pricing.value - before
            self.report()
        if timed and self.rounds and not self.watch.stopped and self.slack > 1:
            pricing.now = pricing.best
            pricing.round(self.watch, steps=0, slack=self.slack)

    @property
    def slack(self) -> float:
        """How much further than for price steps instances are of use to the search."""
        own = tuning.DEFAULT
        return float(np.clip(self.problem.k / own.candidate_crowd, 1.0, own.candidate_reach))

    @property
    def regroups(self) -> bool:
        """Whether it is worth a part of the time to pair classes up anew."""
        heights = max((level.height for level in self.problem.levels), default=1)
        return self.problem.k < tuning.DEFAULT.regroup_crowd or heights > 1

    def anneal(self, pricing: Pricing) -> None:
        """Search from the release at hand, from hot to cold."""
        if pricing.stored is None:
            return
        k, star = self.problem.k, pricing.star
        limit = max(self.slack * pricing.tau, star)
        if pricing.wide and self.leveled:
            limit = tuning.DEFAULT.wide_near * self.slack * star * max(k / 5, 1.0)
        most = self.watch.within_memory(MOST_PAIRS, SEARCHED_PAIR)
        candidates = gather(self.problem, self.encoded, self.plan, pricing.stored, pricing.priced, limit, most)
        annealing = Annealing(candidates, k, star)
        timed = self.options.work is None and self.watch.deadline is not None
        until = tuning.DEFAULT.anneal_end if self.regroups else tuning.DEFAULT.regroup_end
        until = self.ends(cut=self.blocks is not None).annealing if self.leveled else until
        watch = TimeShare.of(self.watch, until if timed else None, since=self.begun)
        seed, enough = self.options.seed, self.bound.value

        def heard(reached: int) -> None:
            self.moves = annealing.moves
            self.report(min(self.cost, reached))

        if timed:
            slow_start = pricing.wide and self.leveled
            rows, self.programs = evolve(
                annealing,
                watch,
                seed=seed,
                enough=enough,
                heard=heard,
                slow_start=slow_start,
                dived=self.dives > 0,
            )
        else:
            total = self.options.work or tuning.DEFAULT.moves_per_type * self.problem.types.t
            _, rows = annealing.run(candidates.rows, watch, total=total, seed=seed, enough=enough, heard=heard)
        self.moves = annealing.moves
        self.offer(candidates.plan(self.problem, self.encoded, rows))

    @property
    def leveled(self) -> bool:
        """Whether there are hierarchies and a time limit: then blocks of row types are cut and solved anew."""
        assert self.pricing is not None
        return self.pricing.leveled and self.watch.deadline is not None and self.options.work is None

    def ends(self, *, cut: bool) -> tuning.Ends:
        """Return when steps end with hierarchies, given whether blocks are cut."""
        seconds = (self.watch.deadline or self.begun) - self.begun
        return tuning.DEFAULT.ends(seconds, self.problem.types.t, self.problem.k, cut=cut)

    def cut(self, pricing: Pricing) -> None:
        """Raise the bound by cuts, where there is a time limit and the programs are small for it."""
        own, t, k = tuning.DEFAULT, self.problem.types.t, self.problem.k
        end = self.ends(cut=True).cuts if self.leveled else own.cut_end
        watch = TimeShare.of(self.watch, end, since=self.begun)
        timed = self.watch.deadline is not None and self.options.work is None
        if self.leveled:
            worth = own.cuts_blocks(watch.left, t, k)
        else:
            worth = timed and pricing.cuttable(own.cut_speed * watch.left)
        if worth:
            made = pricing.cut_blocks(self.plan, watch, np.random.default_rng([self.options.seed, 4]))
            self.blocks = made if self.leveled else None
            self.bound = pricing.bound
            self.report()

    def regroup(self) -> None:
        """Cut the classes in two and pair the parts up anew, as long as that lowers the cost."""
        timed = self.watch.deadline is not None and self.options.work is None
        end = self.ends(cut=self.blocks is not None).regrouping if self.leveled else tuning.DEFAULT.regroup_end
        watch = TimeShare.of(self.watch, end if timed else None, since=self.begun)
        plan, _ = regroup(self.problem, self.plan, watch, seed=self.options.seed, encoded=self.encoded)
        self.offer(plan)

    def dive(self, pricing: Pricing, *, whole: bool = False) -> None:
        """Solve blocks of the release anew by cuts and dives, or all of a small table."""
        own, t = tuning.DEFAULT, self.problem.types.t
        near, end = (own.whole_near, own.whole_end) if whole else (own.dive_near, own.dive_end)
        watch = TimeShare.of(self.watch, end, since=self.begun)
        small = own.small(t, self.problem.k) and watch.left >= own.whole_seconds * t
        if pricing.stored is None or (whole and not small):
            return
        dives = dives_from(self.problem, self.encoded, self.plan, pricing, self.blocks, self.options.seed, near)
        if whole:
            dives.exchange(np.arange(t), watch, thorough=True)
        else:
            dives.run(watch, lambda cost: self.report(min(self.cost, cost)))
        self.dives += dives.programs
        self.offer(dives.plan())

    def finish(self, pricing: Pricing) -> None:
        """Assign the rows anew, and spend what is left of the time on the bound."""
        timed = self.watch.deadline is not None and self.options.work is None
        if self.plan.part_type.size <= tuning.DEFAULT.polished_parts:
            self.offer(polish(self.problem, self.plan, self.watch, self.encoded))
        pricing.lower(self.cost)
        pricing.now = pricing.best
        while timed and self.blocks is None and not (pricing.finished or self.done()) and pricing.round(self.watch):
            self.bound = pricing.bound
            self.report()

    def offer(self, plan: Plan) -> None:
        """Take a release if it is cheaper."""
        cost = plan.cost(self.problem)
        if cost < self.cost:
            self.plan, self.cost = plan, cost
            self.report()

    def done(self) -> bool:
        """Whether to stop: out of time, or close enough."""
        return self.watch.stopped or self.cost - self.bound.value <= self.options.gap * self.bound.value

    def report(self, cost: int | None = None) -> None:
        """Tell the watch where the search stands."""
        cost = self.cost if cost is None else cost
        gap = (cost - self.bound.value) / self.bound.value if self.bound.value else None
        gap = None if gap is None else round(gap, 5)
        self.watch.report("solve", cost=cost, lower_bound=self.bound.value, gap=gap, moves=self.moves)

    def solution(self) -> Solution:
        """Return the result with an honest status."""
        status = ended(self.cost, self.bound.value, self.watch, gap=self.options.gap)
        notes = (*self.first.notes, f"{self.moves} moves", f"{self.rounds} scans of all patterns")
        notes = (*notes, f"{self.programs} small integer programs") if self.programs else notes
        notes = (*notes, f"{self.dives} dives") if self.dives else notes
        seconds = dict(self.first.seconds)
        seconds["solve"] = seconds.get("solve", 0.0) + time.perf_counter() - self.entered
        return Solution(self.plan, self.bound, status, self.options.name, seconds, notes, self.certificate())

    def certificate(self) -> Mapping[str, Any] | None:
        """Return what recounts the bound: the prices of the best scan, or what came with the first release."""
        pricing = self.pricing
        if pricing is None or self.bound is self.first.bound or self.bound is not pricing.bound:
            return of_release(self.first.certificate, self.cost, self.first.bound)
        if pricing.proof is not None:
            return by_lattice_cuts(self.problem, self.cost, self.bound, pricing.proof)
        return by_prices(self.problem, self.cost, self.bound, pricing.whole, pricing.parts)


# Pair up parts of classes anew: the matching of `incrowd.tables.solve.matching` as a move for any k.
#
# Every class is cut into one or two *blocks* of rows. A block is a vertex of the matching like a row: its node is what
# its rows share, and what they do not share it shares with nobody. With s_u rows in block u, a pair costs C(uv) = (s_u
# + s_v) f(uv) and a triple likewise, f the cost per row; so 2 C(uvw) >= C(uv) + C(uw) + C(vw) as for rows, where all
# parts have k rows. The old classes are one solution, so the least one is no dearer. Here blocks may be smaller than
# k/2, and the matching is not solved to the end: the assignment over near blocks gives cycles, cycles are cut into
# pairs, triples and single blocks, and each component of old and new classes takes the cheaper of the two. One such
# round exchanges blocks along cycles of any length all over the table; opening or closing single instances does not.
def regroup(
    problem: Problem, plan: Plan, watch: Watch, *, seed: int = 0, rounds: int = 50, encoded: ProblemArrays | None = None
) -> tuple[Plan, int]:
    """Return a plan that costs no more, and the number of rounds made.

    The problem may have any k; with requirements beyond it the plan, a release, stays as it is. At most `rounds` rounds
    are made. The watch is asked before every round, and a round that would last longer than the time left is not begun.
    How classes are cut depends on `seed`. O(b^2 L) steps of a fraction of a nanosecond a round for the neighbours of b
    blocks, at most two a class, and the assignment over 12 arcs each. Ends early when the first five rounds or any ten
    in a row save nothing. Costs beyond what the kernels add up (2^30 for a row, after division by the common divisor)
    leave the plan as it is.
    """
    if problem.requirements:
        # Parts of a class that meets one need not meet it.
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
    """Parts by class, between rounds. The metric `types` has one row per type."""

    def __init__(self, problem: Problem, encoded: ProblemArrays, types: Metric, plan: Plan) -> None:
        self.problem, self.encoded, self.types = problem, encoded, types
        top = np.array(problem.top, np.int8)
        self.free = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        class_ = plan.part_class.astype(np.int64)
        if self.free:
            # Rows that are fully suppressed without a crowd are classes of their own.
            starred = (plan.levels == top).all(axis=1)[class_]
            class_[starred] = plan.classes + np.arange(int(starred.sum()))
        order = np.argsort(class_, kind="stable")
        self.type: Int32 = plan.part_type[order]
        self.rows: Int64 = plan.part_rows[order]
        self.begins = _begins(class_[order])

    def round(self, rng: np.random.Generator, watch: Watch) -> int:
        """Cut, match and join once; return what it saved, in units of the costs' common divisor."""
        draws = rng.random((self.begins.size - 1, 3))
        piece_type, piece_block, piece_rows, class_ = kernel.split(
            self.begins, self.type, self.rows, self.types.rows, self.types.steps, draws
        )
        count = class_.size
        begins = _begins(piece_block)[:-1]
        sizes = np.add.reduceat(piece_rows, begins)
        blocks, twins = self.blocks(piece_type, begins)
        own = twins.costs(np.column_stack((np.arange(count), np.arange(count) + count, np.full(count, -1))))
        alone = sizes * own
        may = (sizes >= self.problem.k) & (own < matching_metric.FAR)
        if self.free:
            starred = sizes * self.types.most
            alone = np.where(may, np.minimum(alone, starred), starred)
            may = np.ones(count, np.bool_)
        column = self._assigned(blocks, class_, sizes, alone, may, watch)

        def cut(flat: matching_metric.Flat, _: object) -> Int32:
            found: Int32 = kernel.rounded(flat, sizes, alone, may, self.problem.k, column)
            return found

        name, saved = _joined(blocks, sizes, alone, class_, blocks.settled(cut))
        self._take(piece_type, name[piece_block], piece_rows)
        return saved

    def blocks(self, piece_type: Int32, begins: Int64) -> tuple[Metric, Metric]:
        """Return the metric of the blocks, and one in which each also has a twin: the pair costs what it costs."""
        fresh = int(self.types.rows.max(initial=0)) + 1
        rows, first, count = self.types.rows[piece_type], piece_type[begins], begins.size
        alike = np.minimum.reduceat(rows, begins) == np.maximum.reduceat(rows, begins)
        # where the rows of a block differ it has a code that nobody else has
        rows = np.where(alike, self.types.rows[first], fresh + np.arange(count, dtype=np.int32)[:, None])
        others = np.where(rows >= fresh, rows + count, rows)
        one = self.types.take(first)
        two = self.types.take(np.concatenate((first, first)))
        return _recoded(one, rows), _recoded(two, np.concatenate((rows, others)))

    def _assigned(
        self, blocks: Metric, class_: Int32, sizes: Int64, alone: Int64, may: NDArray[np.bool_], watch: Watch
    ) -> NDArray[np.int32]:
        """Return the least assignment over near blocks, those of a class among them."""
        count, k = class_.size, self.problem.k
        near, _ = near_rows(blocks, min(tuning.DEFAULT.regroup_neighbours, max(count - 1, 1)), watch)
        i = np.repeat(np.arange(count, dtype=np.int64), near.shape[1])
        j = near.reshape(-1).astype(np.int64)
        old = np.flatnonzero(class_[1:] == class_[:-1])
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
        ptr, adj, values = assign.symmetric(count, i, j, cost, exits)
        p, q = np.zeros(count, np.int64), np.zeros(count, np.int64)
        column, row = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
        assign.assign(ptr, adj, values, p, q, column, row)
        return column

    def _take(self, piece_type: Int32, name: Int32, piece_rows: Int64) -> None:
        """Make the classes `name` the classes at hand."""
        parts, back = np.unique(name.astype(np.int64) * self.encoded.t + piece_type, return_inverse=True)
        self.type = (parts % self.encoded.t).astype(np.int32)
        self.rows = np.zeros(parts.size, np.int64)
        np.add.at(self.rows, back.reshape(-1), piece_rows)
        self.begins = _begins(parts // self.encoded.t)

    def plan(self) -> Plan:
        """Return the classes at hand at the cheapest allowed levels at which their rows agree."""
        problem, begins = self.problem, self.begins
        classes = begins.size - 1
        first = self.type[begins[:-1]]
        vectors = CanonicalPattern(problem, self.encoded).of(begins, self.type)
        if self.free:
            top = np.array(problem.top, np.int8)
            dear, own = self.encoded.row_costs(top, first), self.encoded.costs_under(vectors, first)
            vectors[(np.add.reduceat(self.rows, begins[:-1]) < problem.k) | (own >= dear)] = top
        return joined(problem, vectors, self.type, np.repeat(np.arange(classes), np.diff(begins)), self.rows)


def _joined(blocks: Metric, sizes: Int64, alone: Int64, class_: Int32, name: Int32) -> tuple[Int32, int]:
    """Take new classes where they are no dearer than the old ones that share blocks with them.

    `sizes` and `alone`, (b,), are the rows of each block and what it costs by itself. `class_`, (b,), is the old class
    of each block, where blocks of a class are neighbours, at most two; `name`, (b,), is the least block of each block's
    new class of at most three, -1 for none. The least block of each block's class, old or new, and what the new ones
    save are returned. Old and new classes with a block in common are one component; each is judged by itself, so the
    whole is never dearer.
    """
    every = np.arange(name.size, dtype=np.int32)
    old = every.copy()
    old[1:] -= class_[1:] == class_[:-1]
    edges = np.concatenate((every, every)), np.concatenate((old, np.where(name < 0, every, name)))
    graph = csr_matrix((np.ones(2 * every.size, np.int8), edges), shape=(every.size, every.size))
    components, part = connected_components(graph, directed=False)

    def cost(least: Int32) -> Int64:
        members = np.argsort(least, kind="stable")[np.count_nonzero(least < 0) :]
        heads, lengths = np.unique(least[members], return_counts=True)
        number, place = runs(np.zeros_like(lengths), lengths)
        classes = np.full((heads.size, 3), -1)
        classes[number, place] = members
        own, several = alone[heads], lengths > 1
        own[several] = added_up(number, sizes[members], heads.size)[several] * blocks.costs(classes[several])
        return added_up(part[heads], own, components)

    before, after = cost(old), cost(name)
    better = after <= before
    better[part[name < 0]] = False
    return np.where(better[part], name, old), int((before - after)[better].sum())


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
