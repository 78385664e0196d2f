"""The row types of a job: in arrays, or left in the engine. No one else knows where they are."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from incrowd.errors import InputError, PolicyError
from incrowd.jobs.solver_choice import seconds_of, solve
from incrowd.settings import fraction_text
from incrowd.tables.costs import numbers_of
from incrowd.tables.solve.mishap import release_kept, with_mishaps
from incrowd.tables.solve.shared.status import of_release
from incrowd.tables.user_units import claims_in_units, offset_of
from incrowd.tables.values import Advice, Bound
from incrowd.tables.verify.certificates import on_grid, recheck

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.jobs.prepare import FittedPolicy, Nodes, Prepared
    from incrowd.jobs.shares import Clock, MemoryShare
    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.results.price_lines import PriceLines
    from incrowd.tables.measures import MeasureContext
    from incrowd.tables.table import Expanded, Table
    from incrowd.tables.values import Problem, Solution
    from incrowd.tables.verdict import Loss, Verdict


class Solved(NamedTuple):
    """What a search found: a plan for a problem, and the store whose rows it is of.

    `ended`: when the search ended, on the watch's clock. `facts`: what is to be said of how it was found. `lines`: its
    certificate, where that is one of lines. `seed`: what decides which of equal rows get which pattern.
    """

    store: RowTypeStore
    problem: Problem
    solution: Solution
    ended: float
    seed: int
    facts: Mapping[str, Any] = MappingProxyType({})
    lines: PriceLines | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RowTypeStore:
    """A table as its row types, with the policy that was fitted to it: in arrays (`InMemory`) or left in the engine.

    `nodes`: mapping of str to (Hierarchy, (d,) int64), as `FittedPolicy.nodes` gives them. `in_memory`: whether the
    plans of its problem have parts.
    """

    fitted: FittedPolicy
    table: Table
    nodes: Nodes
    in_memory: ClassVar[bool] = True

    def solve(self, job: Job, clock: Clock, memory: MemoryShare) -> Solved:
        """Return the plan of a job, whose limits end the search.

        `Infeasible` is raised if no release exists or none was found, `SolverDeclined` if no solver takes the problem.
        """
        raise NotImplementedError

    def expand(self, found: Solved) -> Expanded:
        """Return the released rows of a plan that it found, computed once."""
        raise NotImplementedError

    def recount(self, found: Solved, expanded: Expanded, verdict: Verdict, clock: Clock) -> Solution:
        """Return a solution that calls of its bound checked what the check, whose verdict this is, has recounted."""
        raise NotImplementedError

    def context(self, problem: Problem) -> MeasureContext:
        """Return what measures must know of a release."""
        policy, numbers = self.fitted.policy, dict[int, Sequence[Fraction | None]]()
        for j, name in enumerate(policy.quasi_identifiers):
            if name in policy.numeric and name in self.nodes:
                with contextlib.suppress(PolicyError):
                    numbers[j] = numbers_of(name, *self.nodes[name])
        return replace(self.fitted.recoding.measure_context(problem, policy.numeric), numbers=numbers)


@dataclass(frozen=True, slots=True, eq=False)
class InMemory(RowTypeStore):
    """Row types in arrays."""

    made: Prepared

    @staticmethod
    def of(made: Prepared) -> InMemory:
        """Return the store of a table that was prepared."""
        return InMemory(made.fitted, made.table, made.nodes, made)

    def solve(self, job: Job, clock: Clock, memory: MemoryShare) -> Solved:
        """Return the plan of a job; steps of grids that nobody names are chosen first."""
        made, left, told = self.made, job, dict[str, Any]()
        if made.ranges and job.policy.round is None:
            made, told["grid_steps"], left = _with_steps(made, job, clock.watch)
        problem = made.problem()
        with memory.solving(self.table.engine, problem):
            solution = solve(problem, left, self.fitted.recoding, clock.watch)
        ended = clock.watch.seconds
        if made.ranges:
            from incrowd.tables.recoding.grid import settled  # with a solver's libraries

            told = {"grid": {name: fraction_text(grid.step) for name, grid in made.ranges.items()}, **told}
            made, problem, solution = settled(made, problem, solution)
        return Solved(InMemory.of(made), problem, solution, ended, job.seed, told)

    def expand(self, found: Solved) -> Expanded:
        """Return the released rows of a plan for this table's problem."""
        recoding, star = self.fitted.recoding, self.fitted.star
        return recoding.expand(self.table, self.made.types, found.solution.plan, star=star, seed=found.seed)

    def recount(self, found: Solved, expanded: Expanded, verdict: Verdict, clock: Clock) -> Solution:
        """Return a solution whose certificate the check has recounted."""
        with clock("recount"):
            return with_recounted_bound(self.made, expanded, found.problem, found.solution, verdict.loss, clock.watch)


def _with_steps(made: Prepared, job: Job, watch: Watch) -> tuple[Prepared, dict[str, Any], Job]:
    """Return what was prepared with the steps of its grids chosen, how they were, and the job with the time left."""
    from incrowd.tables.recoding.grid_step import SHARE, choose_steps  # with a solver's libraries

    begun = watch.seconds
    watch.report("solve", choosing="the steps of the grids")
    watch.limit(seconds_of(job), asked=job.time_limit is not None)
    found, told = choose_steps(made, seed=job.seed, watch=watch.share(SHARE))
    watch.limit(None)
    if job.time_limit is None:
        return found, told, job
    return found, told, replace(job, time_limit=max(job.time_limit - (watch.seconds - begun), 0.001))


# The bound of a job's own release, recounted from its certificate before anything is said of it.
REFUTED = (
    "the independent check recounts less of the lower bound than the search claimed; what it recounts is said, and no "
    "more. Please report this"
)


def with_recounted_bound(
    made: Prepared, expanded: Expanded, problem: Problem, solution: Solution, loss: Loss, watch: Watch
) -> Solution:
    """Return a solution that calls of its bound checked what the check has recounted of the certificate in this run.

    `loss` is that of the released rows, as the check has recounted it.

    The check reads the two tables and the policy as `verify` does, a row type at a time, under no limit of time; who
    interrupts the job and keeps the best release gets it at once, and nothing of its bound is called checked.
    """
    bound, certificate = solution.bound, claims_in_units(problem, solution.certificate)
    if not bound.checked:
        return solution
    if certificate is None:
        return replace(solution, bound=replace(bound, checked=0))
    found, why = None, "the recount broke off"
    watch.failures.clear()

    def ask() -> None:
        if watch.interrupted:
            raise InputError("the job was interrupted")

    try:
        with release_kept(watch):
            ask()
            engine, (before, after) = expanded.table.engine, expanded.opened()
            rules = on_grid(engine, before, after, made.fitted.rules, certificate)
            found = recheck(engine, before, after, rules, certificate, ask, loss=loss)
    except InputError as error:  # too large to be recounted by anybody, or not waited for
        why = str(error)
    if found is None:
        unchecked = replace(bound, checked=0)
        return with_mishaps(_saying(solution, problem, unchecked, f"the bound was not recounted: {why}"), watch)
    value = int(found.lower_bound * problem.scale) + offset_of(problem)
    if not found.violations and value >= min(bound.checked, bound.value):
        return solution
    return lowered(solution, problem, value)


def lowered(solution: Solution, problem: Problem, value: int) -> Solution:
    """Return a solution that claims no more than the bound, scaled, that was recounted of it, and tells everybody."""
    value = min(value, solution.bound.value)
    told = _saying(solution, problem, Bound(value, value, solution.bound.method), Advice(REFUTED))
    return told if value else replace(told, certificate=None)


def _saying(solution: Solution, problem: Problem, bound: Bound, said: str) -> Solution:
    """Return a solution, and its certificate, with another bound and a note."""
    cost = solution.plan.cost(problem)
    status = "heuristic" if solution.status == "optimal" and bound.value < cost else solution.status
    proof = of_release(solution.certificate, cost, bound)
    return replace(solution, bound=bound, status=status, certificate=proof, notes=(*solution.notes, said))
