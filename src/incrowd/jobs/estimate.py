"""What a job would take: the table is read and compressed, and the rest is estimated from that."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from incrowd import registry
from incrowd.jobs.prepare import prepare
from incrowd.jobs.shares import FEWER, Clock, memory_kept
from incrowd.jobs.solver_choice import choose_solver, seconds_of
from incrowd.memory import CODE, MB, as_bytes, give_back, held
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.results.estimate import Estimate
from incrowd.tables.engine.open import open_engine
from incrowd.tables.solve.shared.refusals import least_bytes, search_bytes
from incrowd.tables.source_files import files_of
from incrowd.version import __version__

if TYPE_CHECKING:
    from incrowd.policy.job import Job
    from incrowd.tables.values import Problem


# How far off what is not measured may be, up or down: on Adult, Adult-2, CMC and a table of 10^6 rows.
FACTOR = {"memory": 2, "disk": 4, "seconds": 4}
# Seconds of the later stages for one of reading and compressing: in a small table, and added to that in a large one.
STAGES = {"expand": (0.08, 0.4), "verify": (0.08, 0.15), "measure": (0.08, 0.12), "write": (0.02, 0.45)}
LARGE = 100_000
# Seconds of the greedy and its bound on an idle machine: at any rate, for each row type, for each visit of a row; and
# how many visits there are at most. Then those of reading and compressing: at any rate, for each cell.
GREEDY, TYPE, VISIT, VISITS = 0.3, 1.2e-5, 6e-9, 2_000_000_000
READ, CELL_READ = 0.8, 3e-7
# Bytes of the release for one of the source: by whether they are written as Parquet; bytes of a cell of a frame.
WRITTEN = {(False, False): 1.0, (True, True): 1.0, (False, True): 0.25, (True, False): 10.0}
CELL = 8


def estimate(job: Job, watch: Watch | None = None) -> Estimate:
    """Read and compress a table, and say what releasing it would take. Nothing is written.

    The estimate holds counts, bytes and seconds, and no cell. PolicyError or InputError says in one sentence what is
    wrong use or bad input, or names a memory limit that the job cannot keep. SolverDeclined is raised if no solver that
    the job names takes the problem.
    """
    watch = watch or Watch()
    clock = Clock(watch)
    policy = complete(job.policy)
    before = held() or 0
    with memory_kept(job, watch, ways=FEWER) as memory, open_engine(job.engine, memory.engine, job.source) as engine:
        made = prepare(engine, job.source, policy, clock)
        problem = made.problem()
        solver = choose_solver(problem, job, made.fitted.recoding)
        with memory.solving(engine, problem):  # refuses what cannot be
            pass
        holds, spilled = engine.sizes()
        give_back()
        taken = max((held() or 0) - holds, before)
    seconds = _seconds(job, problem, clock)
    return Estimate(
        rows=made.table.rows,
        row_types=problem.types.t,
        memory_mb=round(_memory(job, problem, taken, holds) / MB),
        disk_mb=round(_disk(job, made.table.rows * len(made.table.columns), spilled) / MB, 1),
        seconds={name: None if value is None else round(value, 1) for name, value in seconds.items()},
        measured=["read", "compress"],
        factor=FACTOR,
        solver=solver.name,
        version=__version__,
    )


def _memory(job: Job, problem: Problem, taken: int, holds: int) -> float:
    """Return the most bytes at a time: while solving, or while the engine makes the released rows."""
    plain = job.solver_name in registry.WALKS
    solving = least_bytes(problem) if plain else least_bytes(problem) + search_bytes(problem)
    most = taken + CODE / 2 + holds + max(solving, 2 * holds)
    return most if job.memory is None else min(most, as_bytes(job.memory))


def _disk(job: Job, cells: int, spilled: int) -> float:
    """Return the bytes of the release, staged beside its place, and of what the engine puts on disk meanwhile."""
    output = Path(str(job.output or ""))
    written = output.suffix == ".parquet"
    single = [Path(job.source)] if isinstance(job.source, (str, Path)) else []
    files = [file for file in (files_of(job.source) or single) if file.is_file()]
    if not files:
        return cells * CELL * (WRITTEN[False, True] if written else 1) + 2 * spilled
    size = sum(file.stat().st_size for file in files)
    return size * WRITTEN[files[0].suffix == ".parquet", written] + 2 * spilled


def _seconds(job: Job, problem: Problem, clock: Clock) -> dict[str, float | None]:
    read, compress = clock.seconds["read"], clock.seconds["compress"]
    solve = limit = seconds_of(job)
    if job.solver_name == registry.GREEDY:
        visits = min(problem.patterns.count() * problem.types.t, VISITS)
        busy = max((read + compress) / (READ + CELL_READ * problem.types.n * problem.types.m), 1.0)
        need = (GREEDY + TYPE * problem.types.t + VISIT * visits) * busy
        solve = need if limit is None else min(need, limit)
    large = min(problem.types.n / LARGE, 1.0)
    later = {name: (read + compress) * (small + more * large) for name, (small, more) in STAGES.items()}
    seconds = {"read": read, "compress": compress, "solve": solve, **later}
    known = [value for value in seconds.values() if value is not None]
    return {**seconds, "total": sum(known) if len(known) == len(seconds) else None}
