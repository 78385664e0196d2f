"""The table engine on Spark: what Ibis and PySpark leave different from DuckDB, each with its reason.

- Spark computes lazily and again whenever it likes: what `keep` keeps is computed once and read ever after
  (`incrowd.tables.engine.spark`), or fails (a cached table, whose blocks may be lost, would be computed anew).
- Spark's hash and its spelling of floats are not DuckDB's: `content_hash`, `short_hash` and `text` give the same order
  and the same texts, so that a release is the same on both engines, row for row.
- Executors read and write Parquet, ORC and CSV by themselves (`incrowd.tables.read.spark_files`,
  `incrowd.tables.write`); tables in this process's memory are taken in by DuckDB and handed over (`files`).
- Spark's errors and logs quote values: `guard` lets none of their words pass.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import secrets
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.operations as ops

from incrowd.errors import IncrowdError, InputError
from incrowd.tables.engine import spark_functions as functions
from incrowd.tables.engine.arrow import as_spark_holds, chunks
from incrowd.tables.engine.base import NOTHING, Engine
from incrowd.tables.engine.guard import Guard
from incrowd.tables.engine.spark_functions import SparkHashes, looked_up, met_by_number, to_executors
from incrowd.tables.engine.spark_places import NO_FILES, Passing, Places, local_place, pattern_of, place_of
from incrowd.tables.engine.spark_session import (
    as_active,
    is_remote,
    release_session,
    session_for,
    session_of,
    undisturbed,
)
from incrowd.tables.engine.spark_tasks import in_batches
from incrowd.tables.table import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

PARTS = "spark.sql.files.minPartitionNum"


class SparkEngine(SparkHashes, Engine):
    """A session of Spark with settings and temporary views of its own.

    `memory`: memory limit of the Java process, for example ``"4GB"``, where one is started; what reads files has the
    same. `session`: the session of the table that came in (default: the one that runs, or else one in local mode).
    `session`: with our settings. `keeping`: where computed tables are kept. InputError or PolicyError is raised if
    there is no PySpark or no Java, or the memory cannot be had. What comes in from this process, and what goes out to
    it, passes through its memory.
    """

    name = "spark"
    in_process = False
    disk = "spark.checkpoint.dir"
    broken_off = (KeyboardInterrupt, InputError)
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

    def sizes(self) -> tuple[int, int]:
        """Return nothing: what it holds lies with Java and the executors."""
        return 0, 0

    def free(self) -> int | None:
        """Return the bytes that are free where computed tables are kept; None where they lie with executors."""
        with self.guard("looking how much Spark can keep"):
            return self.keeping.free()

    @contextlib.contextmanager
    def breaker(self) -> Iterator[Callable[[], Any]]:
        """Give what breaks off the queries of the block, from another thread."""
        # tags of a classic session do not reach what Spark computes in threads of its own, such as for Arrow
        tags, tag = self.session if self._remote else self.session.sparkContext, f"incrowd-{secrets.token_hex(8)}"
        add, take, cancel = (
            (tags.addTag, tags.removeTag, tags.interruptTag)
            if self._remote
            else (tags.addJobTag, tags.removeJobTag, tags.cancelJobsWithTag)
        )
        add(tag)
        try:
            yield lambda: cancel(tag)
        finally:
            take(tag)

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
        """Join rows with the line that has their number, computed once; every executor is sent the lines, if few."""
        told = self.frame(lines)
        return self.keep(self.view(self.frame(rows).join(to_executors(told, told.count()), number)))

    def looked_up(self, rows: ir.Table, lines: ir.Table, number: str) -> ir.Table | None:
        """Return sorted rows with the cells of their numbers, or None; see `incrowd.tables.engine.spark_functions`."""
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


# Where Spark's computed tables are kept, so that they are computed once and outlive the executors that made them.
#
# - Where the session has a checkpoint directory (`SparkContext.setCheckpointDir`, ``spark.checkpoint.dir``), or Spark
#   runs on this machine alone: as Parquet in a private folder there. What is read ever after is one column at a time,
#   and
#   no executor is missed.
# - Elsewhere: as blocks that two executors hold each where Spark finds a second one, which it does not promise.
PROBE = "_looked"  # a folder of a few numbers, written before anything else
AT_MOST = 64  # tasks that write it
CHEAP = {  # nothing here is looked for by its least and greatest value
    "compression": "snappy",
    "parquet.column.statistics.enabled": False,
    "parquet.size.statistics.enabled": False,
}
KNOWN = "spark.sql.constraintPropagation.enabled"
KEPT_PARTS = 16  # row groups of a file of numbers
NOT_IN_FILES = ("void", "interval", "variant")  # types that Parquet has not, or not in every version


class Keeping:
    """Where the tables of one engine are kept.

    `places`: its file systems; None where it is one of Connect, which shows none. `private`: a folder of this process,
    for a Spark that runs in it. `note`: what to tell the user, in one sentence; empty where nothing can be lost.
    """

    def __init__(self, session: Any, places: Places | None, private: Path) -> None:
        self._session = session
        self._places: Any = places  # asked only where tables are kept in files, which Connect's are not
        self._numbers = itertools.count()
        self._remote = is_remote(session)
        self._private = private
        self.folder = None if self._remote else _folder(session, private)
        self._lasting = self._remote and session.conf.get("spark.checkpoint.dir", None) is not None
        if self.folder is None:  # else it knows things of what it holds by names from before, and its unions fail
            session.conf.set(KNOWN, "false")
        self.note = ""
        self._made: Passing | None = None
        if self.folder is None and not self._lasting:
            self.note = (
                "Spark has no checkpoint directory: what is computed is held by executors alone, and losing one can "
                "end the job; set one that all machines see (spark.checkpoint.dir)"
            )

    def keep(self, frame: Any) -> Any:
        """Return a frame computed once."""
        held = frame.schema
        if self.folder is None or not held.fields or any(_odd(field) for field in held):
            return self._held(frame)
        if self._made is None:
            self._made = Passing(self._places, self.folder)
            self._places.make_private(self.folder)
            self.look(self.folder, "checkpoint directory (spark.checkpoint.dir)")
        file = f"{self.folder}/{next(self._numbers)}"
        frame.write.options(**CHEAP).parquet(file)
        return self._session.read.schema(held).parquet(pattern_of(file))

    def free(self) -> int | None:
        """Return how many bytes are free where tables are kept; None where they lie with executors or nobody knows."""
        return None if self.folder is None else self._places.free(self.folder)

    def look(self, folder: str, what: str) -> None:
        """Refuse a folder that this machine and the executors do not both see: what one writes, the other has to find.

        Each machine would keep its share of a table in a folder of its own, and the driver would find none of it.
        `folder` is an address, and `what` is what the message calls it. Raises InputError if it lies on one machine
        only.
        """
        if _alone(self._session.sparkContext):
            return
        parts, probe = min(max(self._session.sparkContext.defaultParallelism, 2), AT_MOST), f"{folder}/{PROBE}"
        self._session.range(0, parts, 1, parts).write.mode("overwrite").parquet(probe)
        there = [place for place in self._places.inside(probe) if place.name.startswith("part-")]
        seen = len(there) == parts and self._session.read.schema("id long").parquet(pattern_of(probe)).count() == parts
        self._places.remove(probe)
        if not seen:
            raise InputError(
                f"the {what} lies on one machine only: what executors write there the driver does not find; name one "
                "that all machines see, under the same name"
            )

    def put(self, table: pa.Table) -> Any:
        """Return whole numbers of this process as a frame, by a file that Spark reads where it runs in this process.

        Returns None where Spark runs elsewhere, or there is a column of another kind.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        plain = all(pa.types.is_signed_integer(kind) or pa.types.is_boolean(kind) for kind in table.schema.types)
        if not plain or not table.num_rows or not self._in_process():
            return None
        file = self._private / f"numbers{next(self._numbers)}.parquet"
        pq.write_table(table, file, row_group_size=max(-(-table.num_rows // KEPT_PARTS), 1))
        return self._session.read.parquet(local_place(file))

    def _in_process(self) -> bool:
        return not self._remote and _alone(self._session.sparkContext)

    def handed_out(self, frame: Any) -> Any:
        """Return a frame computed once that stays when the engine closes: Spark removes it when it is forgotten."""
        if self._remote:
            return self._held(frame)
        if self._session.sparkContext._jsc.sc().getCheckpointDir().isDefined():
            return frame.checkpoint(True)
        return frame.localCheckpoint(True, self._level())

    def close(self) -> None:
        """Remove what was kept."""
        if self._made is not None:
            self._made.remove()

    def _level(self) -> Any:
        from pyspark import StorageLevel

        return StorageLevel.MEMORY_AND_DISK if self._in_process() else StorageLevel.MEMORY_AND_DISK_2

    def _held(self, frame: Any) -> Any:
        """Return a frame computed once by Spark's own means."""
        with as_active(frame.sparkSession):
            return frame.checkpoint(True) if self._lasting else frame.localCheckpoint(True, self._level())


def _folder(session: Any, private: Path) -> str | None:
    """Return the folder to keep tables in, or None."""
    context = session.sparkContext
    given = context._jsc.sc().getCheckpointDir()
    base = str(given.get()) if given.isDefined() else context.getConf().get("spark.checkpoint.dir")
    if base is None and _alone(context):
        base = place_of(private)
    return None if base is None else f"{base.rstrip('/')}/incrowd-{secrets.token_hex(8)}"


def _alone(context: Any) -> bool:
    """Return whether Spark runs on this machine alone, in one process."""
    return str(context.master) == "local" or str(context.master).startswith("local[")


def _odd(field: Any) -> bool:
    """Return whether a column has a type that is not kept in files."""
    return any(word in field.dataType.simpleString() for word in NOT_IN_FILES)


# Spark's errors as sentences without cells: what is told is the error's own condition, a name without data.
CAUSES = 20  # how deep a chain of causes is followed
CONDITION = re.compile(r"[A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*")
# by a sign in the chain of causes (classes and conditions, which hold no data; or Spark's own fixed words)
SENTENCES = (
    (("OutOfMemory", "SparkOutOfMemoryError"), "not enough memory; give it more memory, or where Spark is started"),
    (("No space left on device", "DSQuotaExceeded"), "the disk is full; free some space"),
    (
        ("spark.driver.maxResultSize",),
        "more would come to the driver than spark.driver.maxResultSize allows; raise that limit where Spark is "
        "started, or let there be fewer row types (coarser quasi-identifiers)",
    ),
    (
        ("CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND", "Checkpoint block"),
        "what executors held was lost with them; set a checkpoint directory that all machines see "
        "(spark.checkpoint.dir), and nothing is lost with an executor",
    ),
    # before the next: Java does not find what it may not read
    (("AccessControlException", "AccessDenied", "Permission denied"), "permission is denied; may Spark use it?"),
    (
        ("PATH_NOT_FOUND", "FILE_NOT_EXIST", "FileNotFoundException", "FileNotFound"),
        "executors do not find a file; what Spark reads, writes and keeps has to lie where every machine sees it, "
        "under the same name",
    ),
    (
        ("CANNOT_READ_FOOTER", "CANNOT_READ_FILE_FOOTER", "not a Parquet file", "Malformed ORC", "FileFormatException"),
        "a file is no whole file of its kind; it may be cut short",
    ),
    (("FAILED_READ_FILE",), "a file cannot be read to its end; it may be damaged or cut short"),
    (("UNABLE_TO_INFER_SCHEMA",), "there is no file with columns"),
    (("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND"), "the catalogue of this Spark has no such table"),
    (
        ("DATA_SOURCE_NOT_FOUND",),
        "this Spark has nothing that reads such a table; start it with the package that does (spark.jars.packages)",
    ),
    (("REQUIRES_SINGLE_PART_NAMESPACE",), "a table's name is NAME or DATABASE.NAME there"),
    (
        ("failed on connection exception", "failed on socket timeout", "NoRouteToHostException", "ConnectTimeout"),
        "nothing answers at that address; are its host and port right, and is the server up?",
    ),
    (("UnknownHostException",), "no machine has the name in that address; is it spelled right?"),
    (
        ("NoAuthWithAWSException", "NoAwsCredentialsException", "No AWS Credentials"),
        "there are no credentials for that store; say them where Spark is started",
    ),
    (("UnsupportedFileSystem", "ClassNotFoundException: Class org.apache.hadoop.fs", "No FileSystem for scheme"),
     "this Spark knows no file system of that name; start it with the package that does (spark.jars.packages), for s3a "
     "org.apache.hadoop:hadoop-aws"),
)  # fmt: skip


class SparkGuard(Guard):
    """Turn Spark's errors inside a ``with`` block into sentences without cells."""

    def interrupted(self, error: Exception) -> bool:
        """Return False: Ctrl-C reaches Python, and the word may stand in a cell that an error quotes."""
        return False

    def sentence(self, error: Exception) -> IncrowdError:
        """Return an error that says what failed, never what a cell held."""
        signs, condition = _signs(error)
        text = "\n".join((*signs, str(error)))
        for words, said in SENTENCES:
            if any(word in text for word in words):
                return InputError(f"{self.doing}: {said}")
        return InputError(f"{self.doing}: Spark cannot do it ({condition or type(error).__name__})")


def _signs(error: Exception) -> tuple[list[str], str]:
    """Return the classes and conditions of an error and its causes, and the first condition."""
    found: list[str] = []
    conditions = []
    for one in (error, *_causes(error)):
        with contextlib.suppress(Exception):  # not every error has one
            named = one.getCondition()
            if isinstance(named, str) and CONDITION.fullmatch(named):
                conditions.append(named)
        with contextlib.suppress(Exception):
            found.append(str(one.getClass().getName()))
    return [*found, *conditions], conditions[0] if conditions else ""


def _causes(error: Exception) -> Iterator[Any]:
    """Yield the Java errors that an error of PySpark's or Py4J's stands for."""
    one = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    for _ in range(CAUSES):
        if one is None:
            return
        yield one
        try:
            one = one.getCause()
        except Exception:  # noqa: BLE001 - the Java process may be gone
            return
