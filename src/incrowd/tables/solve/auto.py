"""What ``solver="auto"`` does: several solvers, one after another, within the time limit."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from incrowd import registry
from incrowd.errors import Infeasible
from incrowd.kernels.search import anneal, class_anneal, free_moves
from incrowd.loops import cold
from incrowd.tables.solve.exact.component import MOST_PAIRS
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.solve.mishap import release_kept
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import TooManyInstances, list_instances
from incrowd.tables.solve.shared.refusals import solver_with
from incrowd.tables.solve.shared.status import better, ended_later
from incrowd.tables.solve.shared.time_limit import TimeShare
from incrowd.tables.values import Advice

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.protocols import Solver
    from incrowd.tables.values import Problem, Solution


# Pairs of types and instances listed to see whether the problem falls into small components.
LISTED = 4_000_000
# Row types times patterns up to which the integer program is tried under requirements.
PROGRAM = 20_000
# Shares of the time for the exact solver where it may close the gap, and for the matching, before annealing.
CLOSING, MATCHING = 0.6, 0.85
# The same for the integer program under requirements, and for the first search there.
PROGRAMMING, SEARCHING = 0.6, 0.25
# Pairs, and relative distance of cost and bound, up to which the exact solver comes after that search; else it goes on.
FEW_PAIRS, NEAR = 10_000, 0.01
# Relative distance of cost and bound from which a search under a time limit that was asked for is worth compiling it.
WORTH_COMPILING = 0.05
NOT_COMPILED = (
    "no search for a better release was begun: its loops are not compiled on this machine yet, and under a time limit "
    "that waits for a gap of 5 % or a run without the limit"
)


@dataclass(frozen=True, kw_only=True)
class Auto:
    """Greedy; for k=2 the matching; the exact solver where it can close the gap; then annealing with its bound.

    Parameters
    ----------
    work : int, optional
        Moves of `improve`.
    seed : int, default 0
        Seed of `improve`.
    gap : float, default 0.0
        Relative distance of cost and bound at which to stop.
    certificate : bool, default False
        Whether a certificate is wanted: more of the bound is proven without a solver's word, for more time.

    Notes
    -----
    The greedy keeps a time limit that was asked for, but has a second in any case: of small tables its release and
    bound are the result with a limit of 0, of large ones the rows without a group by then are suppressed. The exact
    solver is asked where the undominated instances can be listed and fall into components small enough for an
    integer program; elsewhere `improve` has all the time. Under a time limit that was asked for, `improve` is begun
    at a gap below 5 % only if its loops are compiled on this machine: that takes longer than it may bring. The
    cheapest release is returned under the name of the solver that made it, with the best bound that any of them
    found. At the same cost the earlier solver is named.

    Under requirements the matching and the integer program are asked where they take the problem, and `improve` has
    what is left of the time: a part of it at first where the exact solver may close the gap, which is asked then if the
    gap is near to closed or the problem small.
    """

    work: int | None = None
    seed: int = 0
    gap: float = 0.0
    certificate: bool = False
    name: str = field(default="auto", init=False)

    def declines(self, problem: Problem) -> str | None:
        """Return why none of its solvers will start."""
        return self._made("greedy").declines(problem)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the best release found, with the best bound.

        Infeasible is raised if there is no release, or none was found.
        """
        begun = time.perf_counter()
        try:
            best = self._made("greedy").solve(problem, watch)
        except Infeasible as error:
            last = "exact"
            if problem.requirements:
                last = next((name for name in registry.EXACT if self._ready(name, problem)), last)
            if error.proven or watch.stopped or not self._ready(last, problem):
                raise
            return self._made(last).solve(problem, watch)
        bounding = best.seconds.get("bound", 0.0)
        with release_kept(watch):
            best = self.go_on(problem, watch, best)
        seconds = {"solve": time.perf_counter() - begun - bounding, "bound": bounding}
        return dataclasses.replace(best, seconds=seconds, status=ended_later(best.status, watch))

    def go_on(self, problem: Problem, watch: Watch, best: Solution) -> Solution:
        """Return the best release after the greedy's, or after another one that there is."""
        if problem.requirements:
            return self._under_requirements(problem, watch, best)
        if problem.k == 2 and not self._done(problem, best, watch):
            with contextlib.suppress(Infeasible):  # it may not end in time
                best = self._ask("matching", problem, TimeShare.of(watch, MATCHING), best)
        if self._done(problem, best, watch):
            return best
        note, pairs = "", math.inf
        with release_kept(watch):
            note, pairs = _to_close(problem, watch, self._ready("exact", problem))
        if note:
            best = dataclasses.replace(best, notes=(*best.notes, note))
        if pairs <= MOST_PAIRS and not self._done(problem, best, watch):
            best = self._ask("exact", problem, TimeShare.of(watch, CLOSING), best)
        if self._ready("improve", problem) and not self._done(problem, best, watch):
            with release_kept(watch):
                best = self._improved(problem, TimeShare.of(watch, None), best)
        return best

    def _under_requirements(self, problem: Problem, watch: Watch, best: Solution) -> Solution:
        """Return the best release of those that know more than k, with a bound no lower than what prices give for k."""
        small = problem.patterns.count() * problem.types.t <= PROGRAM
        for name in ("matching", *(("ilp",) if small else ())):
            if not self._done(problem, best, watch):
                share = PROGRAMMING if name == "ilp" else None
                with contextlib.suppress(Infeasible):  # it may not end in time
                    best = self._ask(name, problem, TimeShare.of(watch, share), best)
        if self._done(problem, best, watch):
            return best
        pairs = math.inf
        with release_kept(watch):
            pairs = _to_close(problem, watch, self.work is None and self._ready("exact", problem))[1]
        closable = pairs <= MOST_PAIRS
        timed = closable and watch.deadline is not None
        with release_kept(watch):
            best = self._improved(problem, TimeShare.of(watch, SEARCHING if timed else None), best)
        rest = TimeShare.of(watch, None)
        with release_kept(watch):
            if timed and pairs > FEW_PAIRS and not self._done(problem, best, watch, NEAR):
                best = self._improved(problem, rest, best)
            elif closable and not self._done(problem, best, watch):
                best = better(problem, best, Exact(gap=self.gap).go_on(problem, rest, best), watch, self.gap)
        return best

    def _improved(self, problem: Problem, watch: Watch, best: Solution) -> Solution:
        """Return the better of the release at hand and what `improve` makes of it, where that is worth compiling it."""
        timed = self.work is None and watch.deadline is not None and watch.asked
        moves = (class_anneal.anneal, free_moves.anneal) if problem.requirements else (anneal.anneal,)
        if timed and best.plan.cost(problem) < (1 + WORTH_COMPILING) * best.bound.value and cold(*moves):
            return dataclasses.replace(best, notes=(*best.notes, Advice(NOT_COMPILED)))
        options = Improve(work=self.work, seed=self.seed, gap=self.gap)
        return better(problem, best, options.go_on(problem, watch, best), watch, self.gap)

    def _made(self, name: str) -> Solver:
        work = self.work if name == "improve" else None
        options = {"seed": self.seed, "gap": self.gap, "work": work, "certificate": self.certificate}
        return solver_with(name, options)

    def _ready(self, name: str, problem: Problem) -> bool:
        return name in registry.names("solvers") and self._made(name).declines(problem) is None

    def _ask(self, name: str, problem: Problem, watch: Watch, best: Solution) -> Solution:
        """Return the better of the release at hand and what a solver makes, if it does not decline."""
        if watch.stopped or not self._ready(name, problem):
            return best
        with release_kept(watch):
            return better(problem, best, self._made(name).solve(problem, watch), watch, self.gap)
        return best

    def _done(self, problem: Problem, best: Solution, watch: Watch, near: float = 0.0) -> bool:
        return watch.stopped or best.plan.cost(problem) - best.bound.value <= max(self.gap, near) * best.bound.value


def _to_close(problem: Problem, watch: Watch, exact: bool) -> tuple[str, float]:
    """Return a note, and the pairs of the largest component for the exact solver; infinitely many: it has no chance."""
    if not exact:
        return "too many instances to list", math.inf
    if watch.stopped:
        return "", math.inf
    try:
        instances = list_instances(problem, watch=watch, most_pairs=LISTED)
    except TooManyInstances as error:
        return f"about {error.estimate} pairs of row types and instances, too many for the exact solver", math.inf
    largest = max((part.instances.pairs for part in split(instances, labels(instances))), default=0)
    if largest > MOST_PAIRS:
        return f"a component of {largest} pairs, too large for the exact solver", largest
    return "", largest
