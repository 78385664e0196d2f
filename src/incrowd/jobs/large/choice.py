"""Whether row types are too many for this process, and what does not go with leaving them in the engine."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd import registry
from incrowd.errors import InputError, PolicyError, count_of
from incrowd.jobs.shares import ENGINE
from incrowd.jobs.solver_choice import AUTO
from incrowd.memory import CODE, MB, PLANNED, at_hand, give_back, in_words
from incrowd.tables.engine.base import keep_in_file
from incrowd.tables.large.sweep import NEAR_TYPES
from incrowd.tables.recoding import load_recoding
from incrowd.tables.solve.shared.refusals import COLUMN, KEPT, LINE, LISTED_PAIR, MOST_KEPT, SEARCHED_PAIR, TYPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from incrowd.jobs.prepare import FittedPolicy
    from incrowd.jobs.shares import MemoryShare
    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Table

ENDING = ".gz"  # of a certificate of lines, which holds as many prices as there are row types

# Share of the memory for tables that the engine is given where everything lies in it: some of what its queries take
# it does not count (measured: up to a third more than it was given).
COUNTED = 0.65
# Share of that from which on what the engine holds is moved to a file.
CROWDED = 0.5

# Share of what is left that a portion may take where nothing is limited (and bytes, where nobody knows what is left),
# row types of one at most (more of them gain nothing), and what the engine keeps beside it where there is a limit.
PORTION, PLENTY, MOST, BESIDE = 0.25, 1 << 30, 250_000, 0.25
A_TASK = 512 << 20  # bytes that a portion may take in a task of an executor: what it has beside its Java, nobody tells

# Bytes on disk at a time, at the worst: of a row and of a column in it (as read, as released, and sorted for the file);
# of a row type and of a column in it (grouped, packed, in the plan and laid out).
ROW, CELL = 60, 6
TYPE_ROW, TYPE_CELL = 220, 12
AS_PARQUET = 0.5  # of that, where Spark keeps what it computes (measured: 0.54)


def unfit(job: Job) -> str | None:
    """Return which setting needs row types in memory, in the words of its option, or None."""
    policy = job.policy
    reasons = {
        "a requirement beside k": bool(policy.requirements),
        f"recoding {policy.recoding}": not load_recoding(policy.recoding).plain,
        f"cost {policy.cost.partition(':')[0]}": policy.cost.partition(":")[0]
        not in ("leaves", "cells", "levels", "ncp"),
        "suppression_limit": policy.suppression_limit is not None,
        "blunt": job.blunt is not None,
        f"solver {job.solver}": job.solver not in (AUTO, registry.GREEDY),
        f"certificate without the ending {ENDING}": job.certificate is not None
        and Path(job.certificate).suffix != ENDING,
        "report": job.report is not None,
    }
    return next((name for name, meant in reasons.items() if meant), None)


def most_types(engine: Engine, memory: MemoryShare, lines: int, columns: int) -> int:
    """Return how many row types this process can solve in the memory that is left.

    They are counted as `incrowd.tables.solve.shared.refusals.least_bytes` does. What the engine holds is room too: it
    can put that on disk. `lines` is the number of levels of all columns together.
    """
    if memory.limit is None:
        budget = at_hand()
        if budget is None:
            return 1 << 62
        budget = int(budget * PLANNED)
    else:
        budget = memory.limit.left + engine.sizes()[0]
    return budget // (LINE * lines + COLUMN * columns + TYPE)


def portion_types(job: Job, fitted: FittedPolicy, budget: int) -> int:
    """Return how many row types improvement in portions takes into memory at a time.

    `budget` is in bytes. They are counted as `incrowd.tables.solve.shared.refusals` counts the layout of a problem and
    the pairs that a search keeps.
    """
    heights = fitted.patterns.heights
    each = LINE * sum(height + 1 for height in heights) + COLUMN * len(heights) + TYPE
    pair = LISTED_PAIR + SEARCHED_PAIR
    fit = max(budget // (each + KEPT * pair), (budget - MOST_KEPT * pair) // each, 1)
    return min(fit, MOST if job.types_in_memory is None else max(job.types_in_memory, NEAR_TYPES), MOST)


@contextlib.contextmanager
def memory_for_portions(engine: Engine, memory: MemoryShare, watch: Watch) -> Iterator[int]:
    """Let improvement in portions have memory inside the block; the engine has it back afterwards.

    It gives the number of bytes that a portion may take. `watch` forgets that memory was nearly used up.
    """
    if not engine.in_process:
        yield A_TASK
        return
    if memory.limit is None:
        yield int((at_hand() or PLENTY) * PORTION)
        return
    give_back()
    engine.resize(max(int((memory.limit.left + engine.sizes()[0]) * BESIDE), ENGINE))
    give_back()
    yield max(memory.limit.left - CODE, 0) // 2
    watch.short = False
    limit_engine_memory(engine, memory)


def stays_in_engine(job: Job, fitted: FittedPolicy, types: int, engine: Engine, memory: MemoryShare) -> bool:
    """Return whether row types stay in the engine.

    PolicyError is raised if there are more than the job allows in memory, and it asks for what needs them there.
    """
    reason = unfit(job)
    asked = job.types_in_memory
    if asked is None:
        lines = sum(height + 1 for height in fitted.patterns.heights)
        return reason is None and types > most_types(engine, memory, lines, len(fitted.patterns.heights))
    if types <= asked:
        return False
    if reason is not None:
        raise PolicyError(
            f"{reason} needs the row types in memory, and the table has {types:,} of them where types_in_memory allows "
            f"{asked:,}; allow more, or leave out {reason}"
        )
    return True


def limit_engine_memory(engine: Engine, memory: MemoryShare) -> None:
    """Leave the engine so much memory that the process stays below the job's limit while all work is done in it.

    Where the limit is near, what the engine keeps lies in a file from now on.
    """
    if memory.limit is None:
        return
    held = sum(engine.sizes())
    give_back()
    budget = max(int((memory.limit.left + engine.sizes()[0]) * COUNTED), ENGINE)
    engine.resize(budget)
    if held > budget * CROWDED:
        keep_in_file(engine)
    give_back()


def disk_bytes(rows: int, columns: int, types: int, quasi: int) -> int:
    """Return about how many bytes of temporary disk a table takes at the worst moment, within a factor of two.

    `rows` and `columns` are those of the release, `types` is the number of row types and `quasi` that of
    quasi-identifiers.
    """
    return rows * (ROW + CELL * columns) + types * (TYPE_ROW + TYPE_CELL * quasi)


def check_disk(table: Table, types: int, memory: MemoryShare) -> dict[str, int]:
    """Return what a table beyond memory will put on disk, before any of the work: ``disk_mb`` and ``disk_free_mb``.

    `types` is the number of its row types. InputError is raised if that is more than is free where temporary files go.
    """
    need = disk_bytes(table.rows, len(table.columns), types, len(table.quasi_identifiers))
    engine = table.engine
    free = engine.free()
    if free is None:  # it lies with the executors
        return {}
    if engine.in_process:
        need = max(need - ((at_hand() if memory.limit is None else memory.limit.left) or 0), 0)
    else:
        need = int(need * AS_PARQUET)
    if need > free:
        raise InputError(
            f"the disk is too small for this table: {count_of(table.rows, 'row')} with "
            f"{count_of(types, 'row type')} take about {in_words(need)} of temporary files, and "
            f"{in_words(free)} are free; free some, or name a folder on a larger disk ({engine.disk})"
        )
    return {"disk_mb": round(need / MB), "disk_free_mb": round(free / MB)}
