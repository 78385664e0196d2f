"""Tables that live in Spark, and tables of this process that are handed over to it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.tables.engine.arrow import inside
from incrowd.tables.formats.import_columns import distinct_names, opened, unfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.formats.csv import Look
    from incrowd.tables.table import Opened


@dataclass(frozen=True, slots=True, eq=False)
class Home:
    """Where a Spark table came from: what is needed to give the same kind back.

    `connection`: where an Ibis table came in.
    """

    session: Any
    connection: Any = None

    def take(self, engine: Any, rows: ir.Table, names: Sequence[str]) -> Any:
        """Return released rows as a frame of the session, or as an Ibis table (a temporary view) of the connection.

        `rows` is an Ibis table in the order wanted, and `names` are those of its columns in the frame. The engine is a
        SparkEngine.
        """
        frame = engine.take_home(rows, names, self.session)
        if self.connection is None:
            return frame
        name = f"incrowd_release_{id(frame)}"
        frame.createOrReplaceTempView(name)
        return self.connection.table(name)


def open_spark(engine: Any, source: Any, label: str) -> Opened:
    """Return a Spark frame, or an Ibis table on Spark, inside the engine; computed once, by its own session.

    The engine is a SparkEngine, and `label` is what messages call the source. InputError is raised if it is a stream,
    cannot be computed, or has a column of a type that is not known (by name).
    """
    connection = source.get_backend() if type(source).__module__.startswith("ibis.") else None
    frame = source
    if connection is not None:
        with engine.guard(f"computing {label}"):
            connection._run_pre_execute_hooks(source)  # tables and functions of this process that it uses
            frame = connection._session.sql(connection.compile(source))
    if frame.isStreaming:
        raise InputError("the table is a stream, which has no end; give a table that has one")
    names = tuple(frame.columns)
    frame = _inside(frame, names, label)
    with engine.guard(f"computing {label}"):
        data = engine.bring_home(frame)
    return opened(engine, data, names, "spark", Home(frame.sparkSession, connection), label, engine.notes)


def open_frame_of_spark(
    engine: Any, frame: Any, label: str, kind: str, *, seen: Look | None = None, by_columns: bool = False
) -> Opened:
    """Return a frame that the engine's own session reads from files or a catalogue; its rows stay there.

    `frame` is a Spark frame of the session of `engine`, a SparkEngine; `label` is what messages call it and `kind` the
    kind of table that it is. `seen` is what the first lines of a CSV say, and `by_columns` whether the frame reads
    files column by column. InputError is raised if it has a column of a type that is not known, by its name.
    """
    names = tuple(frame.columns) if seen is None else seen.names
    frame = _inside(frame, names, label)
    with engine.guard(f"reading {label}"):
        data = engine.numbered(frame, by_columns=by_columns)
    notes = engine.notes if seen is None else (*engine.notes, *seen.notes)
    found = opened(engine, data, names, kind, None, label, notes)
    return found if seen is None else dataclasses.replace(found, quotable=seen.quotable)


def _inside(frame: Any, names: tuple[str, ...], label: str) -> Any:
    """Return a frame under the engine's names, in types that it knows."""
    distinct_names(names, label)
    frame = frame.toDF(*(f"c{i}" for i in range(len(names))))
    return frame.select(*(_column(frame, field, name) for field, name in zip(frame.schema, names, strict=True)))


def _column(frame: Any, field: Any, name: str) -> Any:
    """Return a column; spans of time, which no release can hold, as text."""
    from ibis.backends.pyspark.datatypes import PySparkType

    column = frame[field.name]
    if "interval" in field.dataType.simpleString().partition("<")[0]:
        return column.cast("string").alias(field.name)
    try:
        PySparkType.to_ibis(field.dataType)
    except Exception:  # noqa: BLE001 - whatever Ibis says, it does not know the type
        raise InputError(unfit(name, field.dataType.simpleString())) from None
    return column


def handed_over(engine: Engine, given: Opened) -> Opened:
    """Return a source that was opened in the engine's `files` inside the engine itself, in its own types.

    The engine is a SparkEngine. InputError is raised if a column has a type that Spark has not, by its name. Memory: a
    million rows at a time, in this process, beside what either engine holds.
    """
    with engine.guard(f"reading {given.label}"):
        reader = engine.files.batches(given.data)
        for name, kind in zip(given.names, reader.schema.types[1:], strict=True):
            if inside(kind) is None:
                raise InputError(unfit(name, kind))
        return dataclasses.replace(given, data=engine.take(reader.schema, reader))
