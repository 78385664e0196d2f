"""Solvers that get a smaller problem: data reduction before, the way back after."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.jobs.prepare import prepare
from incrowd.jobs.shares import FEWER, Clock, memory_kept
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.results.kernel import Kernel
from incrowd.tables.compress.rules import StripCopies, split_copies
from incrowd.tables.engine.open import open_engine
from incrowd.tables.solve.suppression_limit import SolverAround
from incrowd.tables.write import as_frame

if TYPE_CHECKING:
    from incrowd.policy.job import Job
    from incrowd.tables.recoding.levels import Recoding
    from incrowd.tables.values import Problem, Solution

KERNEL = StripCopies()


@dataclasses.dataclass(frozen=True, slots=True)
class OnKernel(SolverAround):
    """A solver that sees the kernel of a problem; of its bound nothing can be recounted on the table itself.

    The solver inside solves the kernel. `recoding` is the policy's, and `certificate` says whether the job asks for a
    certificate.
    """

    recoding: Recoding
    certificate: bool = False

    def declines(self, problem: Problem) -> str | None:
        """Return why the kernel is not to be had, or why the solver will not start on it, or None.

        The problem is given with all copies.
        """
        reason = no_kernel(problem, self.recoding)
        if reason is None and self.certificate:
            reason = "reduce=kernel: a bound on the kernel has no certificate for the table; leave one of them out"
        return reason or self.solver.declines(KERNEL.reduce(problem).problem)

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the solver's release of the kernel with all copies back in it; value of its bound and status stay.

        The problem is given with all copies. The watch hears events, and can stop the search. `Infeasible` is raised
        when no release exists, or none was found.
        """
        reduced = KERNEL.reduce(problem)
        found = self.solver.solve(reduced.problem, watch)
        if not reduced.removed:
            return found
        bound = dataclasses.replace(found.bound, checked=0)
        return dataclasses.replace(found, plan=reduced.back(found.plan), bound=bound, certificate=None)


def no_kernel(problem: Problem, recoding: Recoding) -> str | None:
    """Return why a problem has no kernel under the policy's recoding, or None."""
    if not recoding.plain:
        own = f"recoding={recoding.name}"
        return f"reduce=kernel releases copies in classes of their own, which {own} does not; leave one out"
    reason = KERNEL.declines(problem)
    return None if reason is None else f"reduce=kernel is for k-anonymity, rows as they are allowed: {reason}"


def kernel_facts(problem: Problem, job: Job) -> dict[str, dict[str, int]]:
    """Return what the facts of a release hold of its kernel: nothing where none was asked for."""
    return {"kernel": _sizes(problem)} if job.reduce == "kernel" else {}


def _sizes(problem: Problem) -> dict[str, int]:
    small = KERNEL.reduce(problem).problem.types
    sizes = {"rows_before": problem.types.n, "rows": small.n, "row_types": small.t}
    return {**sizes, "most_copies": KERNEL.most_copies(problem)}


# The kernel of a table: read, compress, take equal rows away.
def kernel(job: Job, watch: Watch | None = None) -> Kernel:
    """Take away equal rows, k at a time, that change nothing about the least cost of a release.

    PolicyError is raised if the policy asks for more than k-anonymity, or its mask does not allow rows as they are, or
    it is no policy; InputError if the table cannot be read.
    """
    watch = watch or Watch()
    clock = Clock(watch)
    policy = complete(job.policy)
    with memory_kept(job, watch, ways=FEWER) as memory, open_engine(job.engine, memory.engine, job.source) as engine:
        made = prepare(engine, job.source, policy, clock)
        problem = made.problem()
        reason = no_kernel(problem, made.fitted.recoding)
        if reason is not None:
            raise PolicyError(reason)
        copies = problem.types.counts - KERNEL.reduce(problem).problem.types.counts
        kept, taken = split_copies(made.table, made.types, copies, seed=job.seed)
        as_arrow = replace(taken, table=replace(taken.table, kind="pyarrow"))
        return Kernel(
            table=as_frame(kept, keep_order=False),
            taken=as_frame(as_arrow, keep_order=False),
            facts=_sizes(problem),
        )
