"""From the greedy's release under requirements to the cheapest one found, with its bound."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

import numpy as np

from incrowd.progress import search_time
from incrowd.tables.solve.bounds.column_generation import star_of
from incrowd.tables.solve.improve.bound_of_requirements import priced
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.annealing import ClassAnnealing, ClassCandidates
from incrowd.tables.solve.improve.under_requirements.free_classes import FreeClasses, checked_plan, loose
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.instances import Instances, extents
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import count_rules_of, kinds_of
from incrowd.tables.solve.shared.row_assignment import closed, rows_in
from incrowd.tables.solve.shared.status import ended, of_release
from incrowd.tables.solve.shared.time_limit import TimeShare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Plan, Problem, Solution


class ClassSearch:
    """One run from a given release.

    `work` (the moves, or None), `seed` and `gap` are as `Improve` has them. The problem has requirements. `first` is
    the release to start from, with its bound. Rows move between candidates, one by one or as classes are opened,
    dissolved, merged and split, a price on every row by which a class fails. Far above the bound rows move between
    classes without a list of candidates before (`FreeClasses`), or all the time where no prices under the requirements
    name any. Every release that leaves it was asked by every requirement itself, so what the search knows
    of one decides only how good it is.
    O(members of the instances touched) a move, times the values of a sensitive column. Memory: some 150 bytes for each
    pair of a row type and a candidate, at most 4 million pairs.
    """

    def __init__(
        self,
        work: int | None,
        seed: int,
        gap: float,
        problem: Problem,
        watch: Watch,
        first: Solution,
    ) -> None:
        self.work, self.seed, self.gap = work, seed, gap
        self.problem = problem
        self.watch = watch
        self.begun, self.entered = search_time(), time.perf_counter()
        self.best = first
        self.cost = first.plan.cost(problem)
        self.rules = count_rules_of(problem)
        self.moves = 0

    def run(self) -> Solution:
        """Do all the steps that the time allows."""
        with release_kept(self.watch):
            self.search()
        self.report()
        return self.solution()

    def search(self) -> None:
        """Find prices and a bound, then a better release."""
        if not self.done():
            self.encoded = encode(self.problem)
            timed = self.watch.deadline is not None and self.work is None
            own = tuning.DEFAULT
            until = TimeShare.of(self.watch, own.price_end if timed else None)
            self.best, near = priced(self.problem, self.encoded, self.best, until, self.watch)
            self.report()
            # near to the bound prices know best which instances are worth a try
            far = near is None or self.cost > own.free_from * self.best.bound.value
            free = far and loose(self.problem, self.rules)
            if not self.done() and free:
                self.loosen(own.anneal_end if near is None else own.free_end)
            if not self.done() and (near is not None or not free):
                self.anneal(near)

    def anneal(self, near: tuple[Instances, NDArray[np.float64]] | None) -> None:
        """Search from the release at hand, from hot and lenient to cold and strict.

        `near` has instances with their reduced costs at some prices; without them those of the release are all.
        """
        problem, encoded, own = self.problem, self.encoded, tuning.DEFAULT
        candidates = gather(problem, encoded, self.best.plan, near)
        annealing = ClassAnnealing(candidates, kinds_of(problem), self.rules, problem.k, star_of(problem, encoded))
        timed = self.work is None and self.watch.deadline is not None
        watch = TimeShare.of(self.watch, own.anneal_end if timed else None, since=self.begun)

        def heard(reached: int) -> None:
            self.moves = annealing.moves
            self.report(min(self.cost, reached))

        rows = annealing.run(
            candidates.rows, watch,
            total=None if timed else own.listed_moves * (self.work or own.moves_per_type * problem.types.t),
            seed=self.seed, enough=self.best.bound.value, heard=heard,
        )  # fmt: skip
        self.moves = annealing.moves
        self.offer(checked_plan(problem, encoded, candidates.instances, rows, self.watch))

    def loosen(self, end: float) -> None:
        """Search from the release at hand without a list of candidates, until a share of the time."""
        problem, own = self.problem, tuning.DEFAULT
        search = FreeClasses(problem, self.encoded, self.rules, star_of(problem, self.encoded))
        timed = self.work is None and self.watch.deadline is not None
        watch = TimeShare.of(self.watch, end if timed else None, since=self.begun)

        def heard(reached: int) -> None:
            self.moves = search.moves
            self.report(min(self.cost, reached))

        plan = search.run(
            self.best.plan, watch, total=None if timed else self.work or own.moves_per_type * problem.types.t,
            seed=self.seed, enough=self.best.bound.value, heard=heard,
        )  # fmt: skip
        self.moves = search.moves
        self.offer(plan)

    def offer(self, plan: Plan | None) -> None:
        """Take a release if it is cheaper."""
        cost = self.cost if plan is None else plan.cost(self.problem)
        if plan is not None and cost < self.cost:
            self.best, self.cost = dataclasses.replace(self.best, plan=plan), cost
            self.report()

    def done(self) -> bool:
        """Whether to stop: out of time, or close enough."""
        bound = self.best.bound.value
        return self.watch.stopped or self.cost - bound <= self.gap * bound

    def report(self, cost: int | None = None) -> None:
        """Tell the watch where the search stands."""
        cost, bound = self.cost if cost is None else cost, self.best.bound.value
        gap = (cost - bound) / bound if bound else None
        gap = None if gap is None else round(gap, 5)
        self.watch.report("solve", cost=cost, lower_bound=bound, gap=gap, moves=self.moves)

    def solution(self) -> Solution:
        """Return the result with an honest status."""
        best = self.best
        notes = (*best.notes, f"{self.moves} moves")
        seconds = dict(best.seconds)
        seconds["solve"] = seconds.get("solve", 0.0) + time.perf_counter() - self.entered
        return dataclasses.replace(
            best,
            status=ended(self.cost, best.bound.value, self.watch, gap=self.gap),
            solver="improve",
            seconds=seconds,
            notes=notes,
            certificate=of_release(best.certificate, self.cost, best.bound),
        )


def gather(
    problem: Problem, encoded: ProblemArrays, plan: Plan, near: tuple[Instances, NDArray[np.float64]] | None
) -> ClassCandidates:
    """Return the instances with the least reduced costs, up to a number of pairs, those of a release, and all stars.

    The `plan` is the release to start from. The instances that are `near` are over the problem's types, with their
    reduced costs, (g,). O((instances + pairs) log) time; 12 bytes a pair.
    """
    listed, rc = near or (Instances.joined([], encoded), np.zeros(0))
    few = listed.nearest(rc, tuning.DEFAULT.candidate_pairs)
    listed, rc = listed.only(few), rc[few]
    # prices have the types of an instance by sensitive value, everybody else has them by number
    listed = dataclasses.replace(listed, members=listed.members[np.lexsort((listed.members, listed.owners))])
    own = extents(problem, encoded, *closed(problem, plan, encoded))
    if problem.patterns.allows_full_suppression:
        top = np.array([problem.top], np.int8)
        own = own.union(extents(problem, encoded, top, np.zeros(1, np.int32)))
    far = float(rc.max(initial=0.0))
    united = listed.union(own)
    priced = np.concatenate((rc, np.full(united.size - listed.size, far)))
    instances, order = united.cheapest_first()
    rows = rows_in(problem, encoded, instances, plan)
    assert rows is not None, "the plan's instances are listed"
    return ClassCandidates(instances, priced[order], rows)
