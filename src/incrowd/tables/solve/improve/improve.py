"""A release much better than the greedy's, with a bound: annealing over the instances that prices favour."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import PolicyError
from incrowd.progress import search_time
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import Pricing
from incrowd.tables.solve.bounds.lattice_certificate import by_lattice_cuts
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.annealing import Annealing
from incrowd.tables.solve.improve.block_dives import dives_from
from incrowd.tables.solve.improve.candidates import gather
from incrowd.tables.solve.improve.pairing_moves import regroup
from incrowd.tables.solve.improve.restarts import evolve
from incrowd.tables.solve.improve.under_requirements.search import ClassSearch
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.certificate_head import of_release
from incrowd.tables.solve.shared.memory_use import SEARCHED_PAIR
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import polish
from incrowd.tables.solve.shared.status import ended
from incrowd.tables.solve.shared.time_share import TimeShare
from incrowd.tables.values import Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.block_cuts import BlockCuts
    from incrowd.tables.values import Plan, Problem

__all__ = ["Improve", "Search"]

MOST_PAIRS = 8_000_000


@dataclass(frozen=True, kw_only=True)
class Improve:
    """Greedy, then prices, then annealing over which instances to open.

    Parameters
    ----------
    work : int, optional
        Moves of the annealing, at least 1. With it the result depends on the problem, `work` and `seed` alone,
        unless the time limit comes first. Default: as many as the time allows; without a time limit 50 per row
        type (100 under requirements).
    seed : int, default 0
        Seed of the annealing, 0 to 2^63 - 1.
    gap : float, default 0.0
        Relative distance of cost and bound at which to stop, at least 0.

    Notes
    -----
    Prices per row type come from subgradient steps on stored instances and scans over the whole lattice of
    patterns; each scan also is a true lower bound. What has a reduced cost near 0 at these prices is what the
    annealing may open. A move opens an instance (rows that are dearer elsewhere come, missing ones are fetched
    from groups with rows to spare or by closing others) or closes one; then rows settle at the cheapest open
    instance. Parts of groups move as a whole, and types that agree with the same candidates count as one, so a
    move costs the parts it touches, not their rows. Temperature and thresholds grow with k. Where the time limit
    leaves room for several runs, the releases they end in meet: small integer programs over what any of them opens
    (`merge_solutions`). Then groups are cut in two and the parts paired up anew, all at once, until that saves nothing
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

    def __post_init__(self) -> None:
        if self.work is not None and self.work < 1:
            raise PolicyError(f"work must be at least 1 move, not {self.work}")
        if not 0 <= self.seed < 2**63:
            raise PolicyError(f"seed must be at least 0 and below 2^63, not {self.seed}")
        if not self.gap >= 0:
            raise PolicyError(f"gap must be at least 0, not {self.gap}")

    def declines(self, problem: Problem) -> str | None:
        """Return None: it takes every problem."""
        return None

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the best release found, with its bound.

        Raises
        ------
        Infeasible
            As the greedy does.
        """
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
        self.tell()
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
        watch, patient, last = (TimeShare.of(self.watch, share) for share in shares)
        pricing.first_look(self.watch)
        if pricing.wide:
            pricing.learn(last)
        slack, gain = 1.0, np.inf
        while not (pricing.finished or last.stopped):
            if watch.stopped and gain <= own.price_gain * self.cost:
                break
            if patient.stopped and gain <= own.price_gain_late * self.cost:
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
            self.tell()
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
        """Whether it is worth a part of the time to pair groups up anew."""
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
        most = self.watch.affordable(MOST_PAIRS, SEARCHED_PAIR)
        candidates = gather(self.problem, self.encoded, self.plan, pricing.stored, pricing.priced, limit, most)
        annealing = Annealing(candidates, k, star)
        timed = self.options.work is None and self.watch.deadline is not None
        until = tuning.DEFAULT.anneal_end if self.regroups else tuning.DEFAULT.regroup_end
        until = self.ends(cut=self.blocks is not None).annealing if self.leveled else until
        watch = TimeShare.of(self.watch, until if timed else None, since=self.begun)
        seed, enough = self.options.seed, self.bound.value

        def heard(reached: int) -> None:
            self.moves = annealing.moves
            self.tell(min(self.cost, reached))

        if timed:
            patient = pricing.wide and self.leveled
            rows, self.programs = evolve(
                annealing, watch, seed=seed, enough=enough, heard=heard, patient=patient, dived=self.dives > 0
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
        """Raise the bound by cuts, where there is a time limit and the program is small for it; else block by block."""
        timed = self.watch.deadline is not None and self.options.work is None
        if self.leveled:
            watch = TimeShare.of(self.watch, self.ends(cut=True).cuts, since=self.begun)
            if tuning.DEFAULT.cuts_blocks(watch.left, self.problem.types.t, self.problem.k):
                self.blocks = pricing.cut_blocks(self.plan, watch, np.random.default_rng([self.options.seed, 4]))
                self.bound = pricing.bound
            return
        listed = pricing.cuttable(self.plan) if timed else None
        watch = TimeShare.of(self.watch, tuning.DEFAULT.cut_end, since=self.begun)
        if listed is not None and listed.pairs <= tuning.DEFAULT.cut_speed * watch.left:
            pricing.cut(listed, watch)
            self.bound = pricing.bound
            self.tell()

    def regroup(self) -> None:
        """Cut the groups in two and pair the parts up anew, as long as that lowers the cost."""
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
            dives.run(watch, lambda cost: self.tell(min(self.cost, cost)))
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
            self.tell()

    def offer(self, plan: Plan) -> None:
        """Take a release if it is cheaper."""
        cost = plan.cost(self.problem)
        if cost < self.cost:
            self.plan, self.cost = plan, cost
            self.tell()

    def done(self) -> bool:
        """Whether to stop: out of time, or close enough."""
        return self.watch.stopped or self.cost - self.bound.value <= self.options.gap * self.bound.value

    def tell(self, cost: int | None = None) -> None:
        """Tell the watch where the search stands."""
        cost = self.cost if cost is None else cost
        gap = (cost - self.bound.value) / self.bound.value if self.bound.value else None
        gap = None if gap is None else round(gap, 5)
        self.watch.tell("solve", cost=cost, lower_bound=self.bound.value, gap=gap, moves=self.moves)

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
