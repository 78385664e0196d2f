"""Wall seconds of the stages of a job."""

from __future__ import annotations

import contextlib
import importlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import InputError, count_of
from incrowd.memory import CODE, MB, MORE, PLANNED, MemoryLimit, as_bytes, give_back, in_words, limited
from incrowd.tables.engine.open import on_spark
from incrowd.tables.solve.shared.refusals import least_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Problem


class Clock:
    """Wall seconds per stage; each stage that ends becomes an event, which `watch` gets."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.began = time.perf_counter()
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Time a stage; one that fails is not recorded. `stage` is its name, as of `incrowd.progress.Event`."""
        began = time.perf_counter()
        yield
        self.seconds[stage] = time.perf_counter() - began
        self.watch.report(stage, seconds=round(self.seconds[stage], 3))

    def report(self, solving: Mapping[str, float]) -> dict[str, float]:
        """Return the seconds of every stage, the solver's own, and the total.

        `solving` holds the seconds of the solver's own stages. All are rounded to 0.1 ms; ``total`` counts from when
        the clock was made.
        """
        seconds = {**self.seconds, **solving, "total": time.perf_counter() - self.began}
        return {name: round(value, 4) for name, value in seconds.items()}


# What ``--memory`` leaves to whom: the table engine, the solver, and the thread that keeps the limit.

# What to do where the limit was too little: of a job that looks at one table, of one that searches, of one that
# holds tables against each other, which has no leaner way.
FEWER = f"{MORE}, or take fewer quasi-identifiers"
SEARCHING = f"{MORE}, take `solver greedy`, or take fewer quasi-identifiers"
BESIDE = f"{MORE}, or leave memory out and let it take what the machine has"

# What the engine has at the least; a search is given so many times its own least, if the engine can spare it.
ENGINE, PLENTY = 24 * MB, 4
# Large queries take up to a third more than the engine counts (measured); what it has of small limits is all there is.
COUNTED, WHOLE = 0.7, 512 * MB
# What kernels take when they first run, which no search can do without.
KERNELS = 80 * MB
LIBRARIES = ("numba", "scipy.sparse", "highspy", "duckdb", "pyarrow.parquet")


@dataclass(frozen=True)
class MemoryShare:
    """The memory of a job.

    `engine`: what `open_engine` is to be given. `limit`: None where nothing is limited but the engine.
    """

    engine: str | None
    limit: MemoryLimit | None = None

    @contextlib.contextmanager
    def solving(self, engine: Engine, problem: Problem) -> Iterator[None]:
        """Let a solver have memory inside the block; the engine makes room for it, and has it back afterwards.

        Where several problems of one table are solved one after the other, `problem` is the first. `InputError` is
        raised before the solver starts, if there is less memory than it cannot do without.
        """
        if self.limit is None:
            yield
            return
        need = least_bytes(problem) + KERNELS
        give_back()
        holds, _ = engine.sizes()
        spare = min(max(PLENTY * need - self.limit.left, 0), max(holds - ENGINE, 0))
        engine.resize(max(holds - spare, ENGINE))
        give_back()
        if need > self.limit.left:
            enough = 1.05 * (self.limit.limit + (need - self.limit.left) / PLANNED)  # a little more, for it varies
            raise InputError(
                f"memory {in_words(self.limit.limit)} is too little: solving takes about {in_words(need)} for "
                f"{count_of(problem.types.t, 'row type')} of {count_of(problem.types.m, 'column')}, and "
                f"{in_words(self.limit.left)} are left; give it at least {in_words(enough)}"
            )
        yield
        give_back()
        holds, _ = engine.sizes()
        engine.resize(max(holds + self.limit.left, ENGINE))


@contextlib.contextmanager
def memory_kept(job: Job, watch: Watch, *sources: Any, ways: str | None = None) -> Iterator[MemoryShare]:
    """Keep the memory limit of a job inside the block, for the whole process.

    With Spark the job's limit is that of the Java process, and nothing is watched here. `watch` is told when a search
    is to end, and what a solver may plan with. `sources` are the tables that will come in, where they are others than
    the job's. `ways` is what the message says to do where the limit was too little (default: by what the job is).
    `InputError` or `PolicyError` is raised if the limit is no size, or below what the libraries take, and if the run
    comes to its limit, or there is no more memory. `KeyboardInterrupt` is raised where it comes while a compiled kernel
    is loaded, which makes a `SystemError` of it.
    """
    spark = any(type(source).__module__.partition(".")[0] in ("pyspark", "ibis") for source in (job.source, *sources))
    try:
        if job.memory is None or on_spark(job.engine) or spark:
            yield MemoryShare(job.memory)
            return
        size = as_bytes(job.memory)
        load_libraries()
        if ways is None:
            ways = BESIDE if sources else FEWER if job.solver_name == registry.GREEDY else SEARCHING
        with limited(size, [watch], ways=ways) as limit:
            room = limit.left - CODE
            yield MemoryShare(f"{max(int(room * COUNTED), min(room, WHOLE), ENGINE) // 1000}KB", limit)
    except SystemError as error:
        cause: BaseException | None = error
        while isinstance(cause, SystemError):
            cause = cause.__cause__ or cause.__context__
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise


def load_libraries() -> None:
    """Import what a job imports sooner or later, so that what it takes can be measured."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for name in registry.names("solvers"):
        registry.load("solvers", name)
