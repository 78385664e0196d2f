"""Python of ours run by Spark's executors, one slot a piece: who can run it, and what comes of it, kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa


LOOKED = 16  # numbers looked through a slot, for one that Spark sends there


@dataclass(frozen=True, slots=True)
class Slots:
    """Where executors run tasks.

    `sent`: a number for each slot: rows that have it in a column are sent there, and so to a task of their own.
    `versions`: of incrowd, as the tasks find it; empty text where it is missing.
    """

    sent: tuple[int, ...]
    versions: frozenset[str]


def slots(engine: Any, needed: str) -> Slots:
    """Return how many tasks Spark runs at a time, and whether they find incrowd.

    `needed` is the module of incrowd that tasks will need. One line a slot comes to this process.
    """
    session = engine.session

    def looked(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import importlib

        import pyarrow

        for _ in batches:
            pass
        try:
            importlib.import_module(needed)
            version = importlib.import_module("incrowd.version").__version__
        except ImportError:
            version = ""
        yield pyarrow.RecordBatch.from_pydict({"version": [version]})

    # Spark cuts a range into as many parts as it runs tasks, where nobody says into how many
    found = session.range(0, 1 << 16).mapInArrow(looked, "version string").toArrow().column("version").to_pylist()
    number = len(found)
    hashed = session.range(0, LOOKED * number + 64).selectExpr("id", f"pmod(hash(id), {number}) AS at")
    lines = hashed.groupBy("at").agg({"id": "min"}).toArrow().to_pydict()
    return Slots(tuple(sorted(next(v for k, v in lines.items() if k != "at"))), frozenset(found))


def done_by_executors(
    engine: Any,
    rows: ir.Table,
    column: str,
    number: int,
    work: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    kinds: Sequence[tuple[str, str]],
) -> ir.Table:
    """Return what executors make of rows, computed once.

    `column`: with a number of `Slots.sent`: rows with the same one come to the same task. `number`: slots. `work`: of
    the batches of a task; it is sent to the executors with all that it holds. `kinds`: sequence of (str, str), names
    and Spark's types of the columns that it gives.
    """
    frame = engine.frame(rows)
    placed = frame.repartition(number, column)  # a number that is given is kept: no two slots become one task
    made = placed.mapInArrow(work, ", ".join(f"{name} {kind}" for name, kind in kinds))
    return engine.view(engine.keeping.keep(made))


def done_by_group(
    engine: Any, rows: ir.Table, column: str, work: Callable[[pa.Table], pa.Table], kinds: str
) -> ir.Table:
    """Return what executors make of the rows that have equal values in a column, group by group, as it is asked for.

    `work` is done on the rows of a group, all of them in the memory of a task, and is sent to the executors with all
    that it holds. `kinds` are the names and Spark's types of the columns that it gives.
    """
    return engine.view(engine.frame(rows).groupBy(column).applyInArrow(work, kinds))


def in_batches(frame: Any) -> Iterator[pa.RecordBatch]:
    """Give the batches of a frame in its order; the driver holds those of one part at a time.

    The frame has types that Arrow has too.
    """
    import pyarrow as pa

    for line in frame.mapInArrow(_as_bytes, "batch binary").toLocalIterator():
        with pa.ipc.open_stream(bytes(line["batch"])) as stream:
            yield from stream


def _as_bytes(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Give for each batch a line that holds it: an executor's work."""
    import pyarrow

    for batch in batches:
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        yield pyarrow.RecordBatch.from_pydict(
            {"batch": pyarrow.array([sink.getvalue().to_pybytes()], pyarrow.binary())}
        )
