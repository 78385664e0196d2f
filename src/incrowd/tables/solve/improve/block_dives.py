"""Better releases block by block: the linear program over near instances, cut, and a dive for whole ones.

A block is some hundred row types along which few classes of the release are cut. The classes that have most of their
rows in it are taken apart: their rows are free, and so is every instance with a small reduced cost that they could
fill; classes outside stay, and take rows but give none. So whatever the block's program finds is a release. Its linear
program is made tight by cuts, since small crowds that overlap at finely different costs leave it fractional; then
instances that are nearly open are opened, some at a time, and it is solved again, until none is fractional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Linear, Outcome
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.bounds.block_cuts import type_blocks
from incrowd.tables.solve.bounds.cuts import rows_for, separate
from incrowd.tables.solve.improve import tuning
from incrowd.tables.solve.improve.candidates import tidy
from incrowd.tables.solve.improve.merge_solutions import Recombination
from incrowd.tables.solve.shared.instances import Instances, extents
from incrowd.tables.solve.shared.row_assignment import best_rows, closed, cost_of, holds, rows_in, to_plan
from incrowd.tables.solve.shared.strong_formulation import strong

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from incrowd.milp import Answer
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.block_cuts import BlockCuts
    from incrowd.tables.solve.bounds.column_generation import Pricing
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int64, Plan, Problem


class BlockDives:
    """A release over a list of instances that gets cheaper block by block.

    `instances` are all that the release opens, free ones included, and all that may be opened; `near`, (g,), says what
    may be opened. `rows`, (p,), are the rows per pair of the release. `unit` is about what a star costs, scaled, and
    `planned` makes a plan of rows per pair. `rows`, `cost`: the best release so far, and its scaled cost. `programs`:
    dives made.
    """

    def __init__(
        self,
        k: int,
        encoded: ProblemArrays,
        instances: Instances,
        rows: Int64,
        near: NDArray[np.bool_],
        unit: int,
        seed: int,
        planned: Callable[[Int64], Plan],
    ) -> None:
        self.k, self.encoded, self.unit, self._planned = k, encoded, unit, planned
        self.best = Recombination(instances, rows, seed)
        self.near = near[instances.owners].astype(np.int64)
        self.random = np.random.default_rng([seed, 3])
        self.programs = 0

    @property
    def rows(self) -> Int64:
        """The best release's rows per pair."""
        return self.best.rows

    @property
    def cost(self) -> int:
        """Its scaled cost."""
        return self.best.cost

    def plan(self) -> Plan:
        """Return the best release."""
        return self._planned(self.rows)

    def run(self, watch: Watch, heard: Callable[[int], None]) -> None:
        """Sweep over all blocks, again and again with other borders, until a sweep saves next to nothing.

        `heard` is told the cost reached.
        """
        own = tuning.DEFAULT
        size, jitter = own.dive_types, 0.0
        while not watch.stopped:
            before = self.cost
            blocks = type_blocks(self.encoded, self.plan(), size, self.random, jitter)
            for which in self.random.permutation(len(blocks)):
                if not watch.stopped:
                    self.exchange(blocks[which], watch)
                    heard(self.cost)
            if before - self.cost <= own.dive_gain * self.cost:
                if size >= self.encoded.t:
                    return
                size *= 2
            jitter = own.dive_jitter

    def exchange(self, types: Int64, watch: Watch, *, thorough: bool = False) -> bool:
        """Solve one block anew; return whether that saves anything.

        `types`, (b,), is the block. `thorough` cuts the program for longer, and opens fewer instances at once.
        """
        J, rows = self.best.instances, self.rows
        inside = np.zeros(J.t, np.bool_)
        inside[types] = True
        held = np.bincount(J.owners, weights=rows, minlength=J.size)
        mine = np.bincount(J.owners, weights=rows * inside[J.members], minlength=J.size)
        piece = np.flatnonzero((mine > 0.5 * held) & (J.needs > 0))
        if not piece.size:
            return False
        part, places, own = self.best.part(piece, [self.near])
        if part.pairs > tuning.DEFAULT.dive_pairs:
            return False
        self.programs += 1
        found = dive(part, self.k, self.unit, cost_of(part, own), watch, thorough=thorough)
        if found is None:
            return False
        fresh = rows.copy()
        fresh[places] += found - own
        assert holds(J, fresh), "a block of a release is exchanged for another"
        self.best.offer(fresh)
        return True


def dives_from(
    problem: Problem,
    encoded: ProblemArrays,
    plan: Plan,
    pricing: Pricing,
    blocks: BlockCuts | None,
    seed: int,
    near: float = tuning.DEFAULT.dive_near,
) -> BlockDives:
    """Return dives from a release, over what prices favour, with cuts where there are.

    `plan` is the release, and `pricing` comes with stored instances. `blocks` are prices and cuts that were made from
    them, or None; `near` is as in `dives_over`.
    """
    assert pricing.stored is not None
    if blocks is None:
        listed, rc = pricing.stored, lagrangian.reduced_costs(pricing.stored, pricing.priced)
    else:
        listed, rc = blocks.instances, blocks.rc * blocks.unit
    return dives_over(problem, encoded, tidy(problem, encoded, plan), listed, rc, pricing.star, seed, near)


def dives_over(
    problem: Problem,
    encoded: ProblemArrays,
    plan: Plan,
    listed: Instances,
    rc: NDArray[np.float64],
    star: float,
    seed: int,
    near: float = tuning.DEFAULT.dive_near,
) -> BlockDives:
    """Return dives from a release, over the listed instances of small reduced costs and the release's own.

    `plan` is the release, every class at the lowest levels. `rc`, (g,), are the reduced costs of the listed instances
    and `star` is what a star costs, both scaled. `near` is the reduced cost up to which instances may be opened, in
    stars for every five rows of k; fewer where these have more than `dive_room` pairs per row type.
    """
    own = tuning.DEFAULT
    opened = listed.nearest(rc, own.dive_room * listed.t, near * star * problem.k / 5)
    kept = listed.only(opened | (listed.needs == 0))
    both = kept.union(extents(problem, encoded, *closed(problem, plan, encoded)))
    opened = np.concatenate((kept.needs > 0, np.zeros(both.size - kept.size, np.bool_)))
    rows = rows_in(problem, encoded, both, plan)
    assert rows is not None, "the release's instances are listed"

    def planned(rows: Int64) -> Plan:
        return to_plan(both, rows)

    return BlockDives(problem.k, encoded, both, rows, opened, max(round(star), 1), seed, planned)


def dive(instances: Instances, k: int, unit: int, cutoff: int, watch: Watch, *, thorough: bool = False) -> Int64 | None:
    """Return rows per pair of a release over listed instances that costs less than `cutoff`, or None.

    There is a release on `instances`. `unit` is what costs are divided by in the program, and `cutoff` is a cost, both
    in scaled cost units. `thorough` cuts for longer before the first instance is opened and on the way, and opens fewer
    at once. Some dozens of linear programs with as many columns as there are pairs. An instance that cannot be opened
    is closed; where that is too dear as well, there is no answer.
    """
    found = _Dive(instances, k, unit, cutoff, watch, thorough).end()
    if found is None:
        return None
    rows = best_rows(instances, found[0], found[1], watch)
    return rows if rows is not None and cost_of(instances, rows) < cutoff else None


class _Dive:
    def __init__(self, instances: Instances, k: int, unit: int, cutoff: int, watch: Watch, thorough: bool) -> None:
        self.instances, self.k, self.watch, self.thorough = instances, k, watch, thorough
        self.model = strong(instances, unit=unit)
        self.linear = Linear(self.model.program, presolve=False)
        self.cutoff = cutoff / unit - 1e-6
        self.known: set[tuple[str, bytes, bytes]] = set()

    def end(self) -> tuple[NDArray[np.bool_], NDArray[np.float64]] | None:
        """Return the instances opened at the end of the dive and the point there; None where it fails."""
        own, pairs = tuning.DEFAULT, self.instances.pairs
        answer = self.linear.solve(self.watch)
        rounds, least, share, recut = own.dive_rounds, own.dive_violation, own.dive_share, own.dive_recut
        if self.thorough:
            rounds, least, share, recut = own.whole_rounds, own.whole_violation, own.whole_share, own.whole_recut
        for _ in range(rounds):
            if not self.goes_on(answer) or not self.cut(answer, least):
                break
            answer = self.linear.solve(self.watch)
        fixed = np.zeros(self.model.crowd.size, np.bool_)
        turn = 0
        while self.goes_on(answer):
            assert answer.x is not None
            u = answer.x[pairs:]
            undecided = np.flatnonzero((u > 1e-6) & (u < 1 - 1e-6))
            if not undecided.size:
                return self.model.opened(answer.x), answer.x[:pairs]
            order = undecided[np.argsort(-u[undecided], kind="stable")]
            some = order[: max(1, int(share * order.size))]
            some = some[(u[some] > own.dive_openness) | (np.arange(some.size) == 0)]
            settled = (u >= 1 - 1e-6) & ~fixed & (turn % own.dive_fixing == own.dive_fixing - 1)
            chosen = np.concatenate((some, np.flatnonzero(settled))).astype(np.int64)
            fixed[chosen] = True
            self.bound(chosen, 1.0, 1.0)
            answer = self.linear.solve(self.watch)
            if not self.goes_on(answer) and not self.watch.stopped:
                fixed[chosen] = False
                self.bound(chosen, 0.0, 1.0)
                self.bound(some[:1], 0.0, 0.0)
                answer = self.linear.solve(self.watch)
            turn += 1
            if turn % 2 == 0 and self.goes_on(answer) and self.cut(answer, recut):
                answer = self.linear.solve(self.watch)
        return None

    def goes_on(self, answer: Answer) -> bool:
        """Whether there may be a cheaper release below an answer."""
        return answer.outcome is Outcome.OPTIMAL and answer.bound < self.cutoff and not self.watch.stopped

    def bound(self, chosen: Int64, lower: float, upper: float) -> None:
        """Bound the u of some instances."""
        columns = (self.instances.pairs + chosen).astype(np.int32)
        self.linear.bound(columns, np.full(chosen.size, lower), np.full(chosen.size, upper))

    def cut(self, answer: Answer, least: float) -> int:
        """Add cuts that an answer breaks; return how many."""
        assert answer.x is not None
        found = separate(self.instances, self.k, *self.model.read(answer.x), least=least, quick=True)
        fresh = [cut for cut in found if cut.key not in self.known]
        self.known |= {cut.key for cut in fresh}
        self.linear.add(rows_for(fresh, self.model.column))
        return len(fresh)
