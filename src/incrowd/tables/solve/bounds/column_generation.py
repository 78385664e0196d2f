"""Prices for a search: rounds of price steps on stored instances, each ended by a scan over the whole lattice.

The scan gives what both sides need: a true lower bound, and the instances with small reduced costs, which are the
ones that good releases open.
"""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.solve.bounds import lagrangian, tuning
from incrowd.tables.solve.bounds.block_cuts import BlockCuts, type_blocks
from incrowd.tables.solve.bounds.counting import ceiling
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.instances import common_step
from incrowd.tables.solve.shared.row_assignment import closed
from incrowd.tables.values import Bound, Plan, Problem

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.cuts_over_lattice import Proof
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8

MOST_PAIRS = 6_000_000
# Masks with more patterns are not scanned: their bound is the counting bound.
MOST_PATTERNS = 1 << 18


class Pricing:
    """Prices, the bound they give, and the instances they favour; better with every `round`.

    `bound`: the best so far; every part of it was recounted in integers over all instances of the mask. `now`, `best`:
    (t,) float64, prices now, and those of the bound, in scaled cost units. `stored`: the kept instances of the last
    scan with small reduced costs at `priced`. `stale`: rounds without gain. `proof`: what the bound rests on where it
    has cuts in it. The threshold for storing grows with k, since the reduced cost of a class adds up over its rows: one
    cost of a star for every five rows. With a smaller one, price steps run away from what they do not see.
    """

    def __init__(self, problem: Problem, encoded: ProblemArrays, plan: Plan, bound: Bound) -> None:
        self.problem = problem
        self.encoded = encoded
        self.closure = CanonicalPattern(problem, encoded)
        self.upper = plan.cost(problem)
        self.bound = bound
        self.star = star_of(problem, encoded)
        self.unit = common_step([level.cost for level in problem.levels])
        largest = sum(int(level.cost.max(initial=0)) for level in problem.levels)
        self.parts = lagrangian.grain(np.array([max(largest, 1)]), encoded.counts)
        self.tau = max(problem.k / 5.0, 0.5) * self.star
        if problem.patterns.count() * encoded.t <= tuning.DEFAULT.stored_visits:
            self.tau = problem.k * float(max(largest, 1))
        self.now: Float64 = ceiling(problem, plan).astype(np.float64)
        self.best, self.whole = self.now, lagrangian.whole_prices(self.now, self.parts)
        self.value = -np.inf
        self.reached = 0
        self.priced = self.now
        self.target = max(tuning.DEFAULT.search_target * self.upper, 0.5 * (self.upper + bound.value))
        self.stored: Instances | None = None
        self.proof: Proof | None = None
        self.stale = 0
        self.scannable = problem.patterns.count() <= MOST_PATTERNS
        self.vectors = lagrangian.all_vectors(problem) if self.scannable else None
        self.start = used_vectors(problem, plan, encoded)
        own = tuning.DEFAULT
        self.leveled = max((level.height for level in problem.levels), default=1) > 1
        self.wide = self.scannable and self.leveled and problem.patterns.count() * encoded.t > own.wide_visits
        if self.wide and problem.k > own.wide_crowd:
            self.tau = self.star * (problem.k / own.wide_crowd) ** own.wide_growth
        self.remembered = int(own.wide_pairs * max(problem.k / own.wide_crowd, 1.0) ** 0.5)
        if self.wide:
            self.now = own.wide_start * self.now
            self.target = max(own.wide_aim * self.upper, 0.5 * (self.upper + bound.value))

    @property
    def finished(self) -> bool:
        """Whether further rounds are of no use."""
        return self.bound.value >= self.upper or self.stale >= 4

    def first_look(self, watch: Watch) -> bool:
        """Price the patterns that the release uses, to have instances at once; no bound comes of it."""
        most = max(tuning.DEFAULT.first_visits // max(self.encoded.t, 1), 1)
        vectors = self.start[:most]
        vectors = np.ascontiguousarray(vectors[np.lexsort(vectors.T[::-1])])
        return self._scan(watch, vectors, 0.3 * self.tau) is not None

    def learn(self, watch: Watch) -> None:
        """Look at all patterns once, some at a time, with price steps between; no bound comes of it.

        Where a scan of all patterns takes seconds, instances from some of them bring prices near their best ones
        sooner. What was found is remembered, up to `wide_pairs` pairs with the least reduced costs: with less of it
        price steps run away from what they do not see.
        """
        own = tuning.DEFAULT
        assert self.vectors is not None
        assert self.stored is not None
        pieces = np.array_split(np.arange(len(self.vectors)), own.wide_looks**2)
        for look in range(own.wide_looks):
            if watch.stopped:
                return
            _, self.now = lagrangian.subgradient(
                self.stored, self.now, target=own.wide_target * self.upper, steps=own.wide_steps, watch=watch
            )
            # Pieces from all over: patterns beside one another have much in common, and are quickest together.
            some = np.concatenate(pieces[look :: own.wide_looks])
            self._scan(watch, self.vectors[some], own.wide_share * self.tau)

    def round(self, watch: Watch, *, steps: int | None = None, slack: float = 1.0) -> bool:
        """Take price steps and scan; return whether the scan came to its end.

        The watch is asked between chunks of steps and blocks of patterns. `steps` are 80 to 240 by default, more where
        a scan takes long. `slack` is a factor on the threshold up to which instances are stored.
        """
        if steps is None:
            # About as long as the scan takes.
            visits = self.problem.patterns.count() * self.encoded.t if self.scannable else 0
            least = tuning.DEFAULT.search_steps
            steps = int(np.clip(6.0 * visits / max(self.stored.pairs if self.stored else 1, 1), least, 3 * least))
            steps = tuning.DEFAULT.wide_round if self.wide else steps
        if self.stored is not None and steps:
            _, self.now = lagrangian.subgradient(
                self.stored, self.now, target=self.target, steps=steps, watch=watch, enough=float(self.upper)
            )
        if watch.stopped:
            return False
        if not self.scannable:
            self.stale += 1
            return self.first_look(watch)
        assert self.vectors is not None
        found = self._scan(watch, self.vectors, slack * self.tau)
        if found is None:
            return False
        true = found / self.parts
        if true > self.value + 2e-5 * abs(self.upper):
            self.stale = 0
        else:
            # Too long a step: aim lower, from the best prices.
            self.stale += 1
            self.target = max(self.value, 0.0) + 0.5 * (self.target - max(self.value, 0.0))
        if true > self.value:
            self.value, self.best, self.whole = true, self.now, lagrangian.whole_prices(self.now, self.parts)
            self.reached = found
            bound = min(-(-found // (self.parts * self.unit)) * self.unit, self.upper)
            if bound > self.bound.value:
                self.bound, self.proof = Bound(bound, bound, "prices per row type"), None
                watch.report("bound", lower_bound=bound)
        return True

    def settle(self, watch: Watch, rounds: float = math.inf) -> None:
        """Raise the bound by rounds, at most so many, while some in a row gain a share of the release's cost."""
        own = tuning.DEFAULT
        self.first_look(watch)
        values: list[float] = []
        while not (self.finished or watch.stopped) and len(values) < rounds:
            if len(values) > own.settled_rounds and (
                values[-1] - values[-1 - own.settled_rounds] < own.settled_gain * self.upper
            ):
                return
            if not self.round(watch):
                return
            values.append(self.value)

    def cuttable(self, most_pairs: float) -> bool:
        """Return whether one linear program over all row types is small enough to be cut again and again."""
        own = tuning.DEFAULT
        if self.stored is None or self.encoded.t > own.cut_types:
            return False
        near = lagrangian.reduced_costs(self.stored, self.priced) <= own.cut_distance * self.star
        return int(np.diff(self.stored.begins)[near].sum()) <= min(own.cut_pairs, most_pairs)

    def cut_blocks(self, plan: Plan, watch: Watch, random: np.random.Generator) -> BlockCuts | None:
        """Raise the bound by cuts block by block, without hierarchies all at once, and prove it over the whole lattice.

        The answer is the prices and cuts, or None where no price is known. Blocks are made along the classes of `plan`,
        a release, and `random` gives their order. The watch ends the sweeps; the scan that proves comes after.
        """
        own = tuning.DEFAULT
        if self.vectors is None or self.stored is None or not 0 <= self.value < self.upper:
            return None
        reach = self.tau
        state = BlockCuts(
            self.stored, self.best, reach, self.problem.k, max(round(self.star), 1), thorough=not self.leveled
        )
        jitter, most = 0.0, own.block_types
        if not self.leveled or (self.problem.k <= own.block_crowd and self.encoded.t <= own.block_whole):
            most = max(most, self.encoded.t)
        while not watch.stopped and self.bound.value < self.upper:
            before = state.value
            blocks = type_blocks(self.encoded, plan, most, random, jitter)
            state.sweep([blocks[x] for x in random.permutation(len(blocks))], watch)
            if not self._prove(state, reach, watch.without_deadline()):
                break
            jitter = own.block_jitter
            if state.value - before < own.block_gain * state.value:
                break
        return state

    def _prove(self, state: BlockCuts, reach: float, watch: Watch) -> bool:
        """Prove what prices and cuts are worth, list what the scan finds; return whether the scan came to its end."""
        assert self.vectors is not None
        parts = state.grain(self.parts)
        while True:
            whole = state.whole(parts)
            found = lagrangian.scan(
                self.problem, self.encoded, self.closure, whole, parts, tau=int(reach * parts),
                most_pairs=self.remembered, vectors=self.vectors, watch=watch,
            )  # fmt: skip
            if found is None:
                return False
            proof = state.proof(whole, parts, found)
            if proof is not None or parts == 1:
                break
            parts = min(state.grain(parts, found), parts // 2)  # it lists more than was known
        if proof is not None:
            bound = min(-(-proof.value // (parts * self.unit)) * self.unit, self.upper)
            if bound > self.bound.value:
                self.bound, self.proof = Bound(bound, bound, "prices per row type, cuts"), proof
                watch.report("bound", lower_bound=bound)
        state.grow(found, reach)
        return True

    def lower(self, upper: int) -> None:
        """Hear of a cheaper release."""
        self.upper = min(self.upper, upper)

    def _scan(self, watch: Watch, vectors: Int8, tau: float) -> int | None:
        whole = lagrangian.whole_prices(self.now, self.parts)
        found = lagrangian.scan(
            self.problem, self.encoded, self.closure, whole, self.parts,
            tau=int(tau * self.parts), most_pairs=MOST_PAIRS, vectors=vectors, watch=watch,
        )  # fmt: skip
        if found is None:
            return None
        if self.wide and self.stored is not None:
            fresh = lagrangian.remembered(found.instances, self.stored, self.now, self.remembered)
            found = dataclasses.replace(found, instances=fresh)
        self.stored, self.priced = found.instances, self.now
        return found.value


def star_of(problem: Problem, encoded: ProblemArrays) -> float:
    """Return what a star costs on average, in scaled cost units, at least 1."""
    top = encoded.row_costs(np.array(problem.top, np.int8))
    return max(float(top.max(initial=1)) / max(len(problem.levels), 1), 1.0)


def used_vectors(problem: Problem, plan: Plan, encoded: ProblemArrays) -> Int8:
    """Return the level vectors of a plan's closed classes, those that hold most rows first."""
    vectors, _ = closed(problem, plan, encoded)
    used, which = np.unique(vectors, axis=0, return_inverse=True)
    held = np.bincount(which.reshape(-1), weights=plan.sizes())
    return np.ascontiguousarray(used[np.argsort(-held, kind="stable")])
