"""The table engine on Spark: what Ibis and PySpark leave different from DuckDB, each with its reason.

- Spark computes lazily and again whenever it likes: what `keep` keeps is computed once and read ever after
  (`incrowd.tables.engine.spark_keep`), or fails (a cached table, whose blocks may be lost, would be computed anew).
- Spark's hash and its spelling of floats are not DuckDB's: `content_hash`, `short_hash` and `text` give the same order
  and the same texts, so that a release is the same on both engines, row for row.
- Executors read and write Parquet, ORC and CSV by themselves (`incrowd.tables.read.spark_files`,
  `incrowd.tables.write.folder`); tables in this process's memory are taken in by DuckDB and handed over (`files`).
- Spark's errors and logs quote values: `guard` lets none of their words pass.
"""

from __future__ import annotations

import contextlib
import itertools
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.operations as ops

from incrowd.errors import InputError
from incrowd.tables.engine import spark_functions as functions
from incrowd.tables.engine.arrow import as_spark_holds, chunks
from incrowd.tables.engine.base import NOTHING, Engine
from incrowd.tables.engine.hashes.spark import SparkHashes
from incrowd.tables.engine.spark_guard import SparkGuard
from incrowd.tables.engine.spark_join import looked_up, met_by_number, sent_to
from incrowd.tables.engine.spark_keep import Keeping
from incrowd.tables.engine.spark_places import NO_FILES, Places
from incrowd.tables.engine.spark_session import is_remote, release_session, session_for, session_of, undisturbed
from incrowd.tables.engine.spark_tasks import in_batches
from incrowd.tables.table import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

__all__ = ["SparkEngine"]

PARTS = "spark.sql.files.minPartitionNum"


class SparkEngine(SparkHashes, Engine):
    """A session of Spark with settings and temporary views of its own.

    Parameters
    ----------
    memory : str, optional
        Memory limit of the Java process, for example ``"4GB"``, where one is started; what reads files has the same.
    session : SparkSession, optional
        The session of the table that came in (default: the one that runs, or else one in local mode).

    Attributes
    ----------
    session : SparkSession
        With our settings.
    keeping : Keeping
        Where computed tables are kept.

    Raises
    ------
    InputError, PolicyError
        If there is no PySpark or no Java, or the memory cannot be had.

    Notes
    -----
    What comes in from this process, and what goes out to it, passes through its memory.
    """

    name = "spark"
    brings_originals = True
    keeps_met = True
    number = staticmethod(functions.own_number)
    sorts_in_one_task = True

    def __init__(self, memory: str | None = None, session: Any = None) -> None:
        try:
            import pyspark  # noqa: F401
        except ImportError:
            raise InputError(
                "engine spark needs PySpark 4.0, which is not installed: pip install 'pyspark>=4.0,<4.1'"
            ) from None
        self._files = Engine(memory)
        self.folder = self._files.folder
        try:
            self.session, ours = session_for(session, memory)
        except BaseException:
            self._files.close()
            raise
        self._numbers = itertools.count()
        self._views: list[str] = []
        self._in_files: set[str] = set()
        self._taught = False
        self._remote = is_remote(self.session)
        self._places = None if self._remote else Places(self.session)
        self.keeping = Keeping(self.session, self._places, Path(self.folder.name))
        self._finalizer: Any = weakref.finalize(
            self, _close, self.session, self._views, self._files, self.keeping, ours
        )
        self.con = ibis.pyspark.connect(self.session)

    @property
    def files(self) -> Engine:
        """The engine that reads and writes files, and takes in tables of this process."""
        return self._files

    def owns(self, source: Any) -> bool:
        """Return whether a table that comes in lives in Spark."""
        return session_of(source) is not None

    def private_file(self, suffix: str) -> Path:
        """Return a fresh path in the private folder."""
        return self._files.private_file(suffix)

    def guard(self, doing: str) -> SparkGuard:
        """Turn Spark's errors inside a ``with`` block into sentences without cells, and keep them from being logged."""
        return SparkGuard(doing)

    def keep(self, table: ir.Table) -> ir.Table:
        """Compute a table once; what is returned reads the same rows ever after."""
        return self.view(self.keeping.keep(self.frame(table)))

    def keep_listed(
        self, tables: Sequence[ir.Table], also: Mapping[str, Collection[str]] = NOTHING
    ) -> tuple[list[ir.Table], dict[str, Callable[[ir.Value], ir.Value]]]:
        """Compute tables once, or read files of columns again each time; Spark knows no lists, so texts stay texts."""
        del also
        return [self.view(self.frame(table)) if self._reads_files(table) else self.keep(table) for table in tables], {}

    def _reads_files(self, table: ir.Table) -> bool:
        """Return whether a table is read from files as quickly as from what would be kept of it."""
        sources = table.op().find(ops.DatabaseTable)
        return all(one.name in self._in_files for one in sources) and not table.op().find(ops.ScalarUDF)

    def put(self, table: pa.Table) -> ir.Table:
        """Bring an Arrow table into the engine."""
        numbers = self.keeping.put(table)
        return self.take(table.schema, table.to_batches()) if numbers is None else self.view(numbers)

    def take(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> ir.Table:
        """Bring Arrow batches into the engine as they come, in the types that `as_spark_holds` gives them."""
        whole = None
        for some in chunks(schema, batches):
            with undisturbed():
                frame = self.session.createDataFrame(as_spark_holds(some))
            frame = self.keeping.keep(frame)
            whole = frame if whole is None else whole.unionAll(frame)
        return self.view(whole)

    def met(
        self, rows: ir.Table, cells: ir.Table, on: Mapping[str, str], shown: Mapping[str, str], star: str | None
    ) -> ir.Table:
        """Join rows with the line of their type, by one number a row, computed once; see `Engine.met`."""
        found = met_by_number(self, rows, cells, on, shown, star)
        return self.keep(super().met(rows, cells, on, shown, star)) if found is None else found

    def sent_to(self, rows: ir.Table, lines: ir.Table, number: str) -> ir.Table:
        """Join rows with the line that has their number, computed once; see `incrowd.tables.engine.spark_join`."""
        return self.keep(self.view(sent_to(self.frame(rows), self.frame(lines), number)))

    def looked_up(self, rows: ir.Table, lines: ir.Table, number: str) -> ir.Table | None:
        """Return sorted rows with the cells of their numbers, or None; see `incrowd.tables.engine.spark_join`."""
        return None if self._remote else looked_up(self, rows, lines, number)

    def some(self, table: ir.Table, columns: Sequence[str]) -> ir.Table:
        """Return some columns of a kept table, which stay when it is forgotten: they are read where it lies."""
        return self.view(self.frame(table.select(*columns)))

    def drop(self, table: ir.Table) -> None:
        """Forget a kept table; Spark frees its blocks when nothing else reads them."""
        name = table.get_name()
        self.session.catalog.dropTempView(name)
        self._views.remove(name)

    def fetch(self, table: ir.Table) -> pa.Table:
        """Return a table as Arrow."""
        return self.frame(table).toArrow()

    def one(self, table: ir.Table) -> dict[str, Any]:
        """Return the only row of an aggregate as plain Python values."""
        return {name: column[0] for name, column in self.fetch(table).to_pydict().items()}

    def batches(self, table: ir.Table) -> pa.RecordBatchReader:
        """Return a table as Arrow batches; Spark hands over the whole of it."""
        return self.fetch(table).to_reader()

    def streamed(self, table: ir.Table) -> pa.RecordBatchReader:
        """Return a table as Arrow batches in its order: executors hand over one part after the other."""
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(table.schema().to_pyarrow(), in_batches(self.frame(table)))

    def text(self, column: ir.Value) -> ir.Value:
        """Return the one spelling of a value, the same as DuckDB's."""
        column = self.plain(column)
        kind = column.type()
        if kind.is_floating():  # Java spells 1e16 as 1.0E16, and up to Java 18 not always in the shortest form
            if not self._taught:
                functions.teach(self.session)
                self._taught = True
            return functions.shortest(column)
        text = column.cast("string") if not kind.is_string() else column
        if kind.is_timestamp():  # Spark leaves the zone out
            return text.replace(" ", "T") + ibis.ifelse(functions.typeof(column) == "timestamp", "+00", "")
        return text

    def bring_home(self, frame: Any, names: Sequence[str]) -> ir.Table:
        """Bring a Spark frame into the engine, computed once, by its own session and its settings.

        `names` are what its columns are called inside; before them comes the row's place in the frame.
        """
        from pyspark.sql import functions as fn

        numbered = frame.toDF(*names).select(fn.monotonically_increasing_id().alias(KEY), *names)
        return self.view(self._moved(self.keeping.keep(numbered), self.session))

    @property
    def places(self) -> Places:
        """The file systems of the session; Connect's shows none."""
        if self._places is None:
            raise InputError(NO_FILES)
        return self._places

    def numbered(self, frame: Any, *, by_columns: bool = False, alike: bool = False) -> ir.Table:
        """Return a frame of the engine's session, each row with a number of its own, computed as it is asked for.

        What the frame reads has to stay as it is. `by_columns` says that it reads files column by column, which is as
        quick as reading what was kept. Its rows have the same numbers each time: they go by the parts of the files, and
        these no longer by how many executors there are. `alike` says that its rows have to have the same numbers each
        time; it reads what was kept.
        """
        from pyspark.sql import functions as fn

        if (by_columns or alike) and not self._remote and self.session.conf.get(PARTS, None) is None:
            self.session.conf.set(PARTS, str(self.session.sparkContext.defaultParallelism))
        view = self.view(frame.select(fn.monotonically_increasing_id().alias(KEY), *frame.columns))
        if by_columns:
            self._in_files.add(view.get_name())
        return view

    def take_home(self, rows: ir.Table, names: Sequence[str], session: Any) -> Any:
        """Return rows, computed once and in their order, as a frame of a session that will outlive this engine.

        `rows` are in the order wanted, and `names` are the names of their columns in the frame.
        """
        frame = self.keeping.handed_out(self.frame(rows).toDF(*names))
        return self._moved(frame, session)

    def _moved(self, frame: Any, session: Any) -> Any:
        """Return a computed frame as one of another session; global views are what sessions share."""
        name = f"incrowd_{id(self)}_{next(self._numbers)}"
        frame.createGlobalTempView(name)
        try:
            moved = session.table(f"{session.conf.get('spark.sql.globalTempDatabase')}.{name}")
            # Connect looks for the name when the frame is computed, by when it may be gone
            return self.keeping.handed_out(moved) if self._remote else moved
        finally:
            session.catalog.dropGlobalTempView(name)

    def frame(self, table: ir.Table) -> Any:
        """Return a table as a frame of the engine's session."""
        return self.session.sql(self.con.compile(table))

    def view(self, frame: Any) -> ir.Table:
        """Return a frame of the engine's session as a table, computed as it is asked for."""
        name = f"incrowd_{next(self._numbers)}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return self.con.table(name)

    def first(self, frame: Any) -> dict[str, Any]:
        """Return the only row of a frame as plain Python values."""
        return dict(frame.toArrow().to_pylist()[0])


def _close(session: Any, views: list[str], files: Engine, keeping: Keeping, ours: bool) -> None:
    with contextlib.suppress(Exception):
        for name in views:
            session.catalog.dropTempView(name)
    keeping.close()
    if ours:
        release_session()
    files.close()
