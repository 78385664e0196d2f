"""The row types of a job: in arrays, or left in the engine. No one else knows where they are."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from incrowd.errors import PolicyError
from incrowd.jobs.check_certificate import with_recounted_bound
from incrowd.jobs.solver_choice import seconds_of, solve
from incrowd.settings import fraction_text
from incrowd.tables.costs import numbers_of

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
    from incrowd.tables.verdict import Verdict


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
