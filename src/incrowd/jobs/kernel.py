"""The kernel of a table: read, compress, take equal rows away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.jobs.clock import Clock
from incrowd.jobs.memory_share import FEWER, memory_kept
from incrowd.jobs.prepare import prepare
from incrowd.jobs.reductions import KERNEL, kernel_facts, no_kernel
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.results.kernel import Kernel
from incrowd.tables.compress.taken_copies import taken_apart
from incrowd.tables.engine.open import open_engine
from incrowd.tables.write import as_frame

if TYPE_CHECKING:
    from incrowd.policy.job import Job

__all__ = ["kernel"]


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
        kept, taken = taken_apart(made.table, made.types, copies, seed=job.seed)
        as_arrow = replace(taken, table=replace(taken.table, kind="pyarrow"))
        return Kernel(
            table=as_frame(kept, keep_order=False),
            taken=as_frame(as_arrow, keep_order=False),
            facts=kernel_facts(problem, job.replace(reduce="kernel"))["kernel"],
        )
