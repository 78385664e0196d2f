"""Python of ours run by Spark's executors, group by group, and who of them can run it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import ibis.expr.types as ir
    import pyarrow as pa


SPREAD = 4  # parts for each group that is to have a task of its own


def tasks_of(engine: Any, needed: str) -> tuple[int, frozenset[str]]:
    """Return how many tasks Spark runs at a time, and the versions of incrowd that they find (empty text: none).

    `needed` is the module of incrowd that tasks will need. One line a task comes to this process.
    """

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
    frame = engine.session.range(0, 1 << 16).mapInArrow(looked, "version string")
    found = frame.toArrow().column("version").to_pylist()
    return len(found), frozenset(found)


def done_by_group(
    engine: Any, rows: ir.Table, column: str, work: Callable[[pa.Table], pa.Table], kinds: str, groups: int = 0
) -> ir.Table:
    """Return what executors make of the rows that have equal values in a column, group by group, as it is asked for.

    `work` is done on the rows of a group, all of them in the memory of a task, and is sent to the executors with all
    that it holds. `kinds` are the names and Spark's types of the columns that it gives. `groups` is their number, where
    few of them should share a task: a number of parts that is given is kept, so that no two become one.
    """
    frame = engine.frame(rows)
    frame = frame.repartition(SPREAD * groups, column) if groups else frame
    return engine.view(frame.groupBy(column).applyInArrow(work, kinds))


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
        yield pyarrow.RecordBatch.from_pydict({"batch": [sink.getvalue().to_pybytes()]})
