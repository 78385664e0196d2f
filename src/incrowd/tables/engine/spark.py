"""The table engine on Spark: what Ibis and PySpark leave different from DuckDB, each with its reason.

- Spark computes lazily and again whenever it likes: what `keep` keeps is computed once and read ever after
  (`SparkEngine.kept_in`), or fails (a cached table, whose blocks may be lost, would be computed anew).
- Spark's hash and its spelling of floats are not DuckDB's: `content_hash`, `short_hash` and `text` give the same order
  and the same texts, so that a release is the same on both engines, row for row.
- Executors read and write Parquet, ORC and CSV by themselves (`incrowd.tables.read.spark_files`,
  `incrowd.tables.write`); tables in this process's memory are taken in by DuckDB and handed over (`files`).
- Spark's errors and logs quote values: `guard` lets none of their words pass.
"""

from __future__ import annotations

import contextlib
import decimal
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
from incrowd.tables.engine.spark_places import NO_FILES, Passing, Places, local_place, pattern_of, place_of
from incrowd.tables.engine.spark_session import OURS, as_active, is_remote, session_for, session_of
from incrowd.tables.engine.spark_tasks import in_batches
from incrowd.tables.table import KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa

PARTS = "spark.sql.files.minPartitionNum"
PROBE = "_looked"  # a folder of a few numbers, written before anything else
AT_MOST = 64  # tasks that write it
CHEAP = {  # nothing here is looked for by its least and greatest value
    "compression": "snappy",
    "parquet.column.statistics.enabled": False,
    "parquet.size.statistics.enabled": False,
}
KEPT_PARTS = 16  # row groups of a file of numbers
NOT_IN_FILES = ("void", "interval", "variant")  # types that Parquet has not, or not in every version
MOST_SENT = 1_000_000  # lines that every executor holds, some 100 bytes each
MOST_BYTES, CELL = 128 << 20, 16  # of lines that are sent with their texts; what a cell takes beside its text
MOST_BITS = 62  # columns that fit in a number, one bit each
BITS = 21  # of a hash that are added up at a time, so that there can be 10^12 rows
NUMBER, KEPT, PLACE = "incrowd_number", "incrowd_kept", "incrowd_place"
CAN_BE_LOST = (
    "Spark has no checkpoint directory: what is computed is held by executors alone, and losing one can end the job; "
    "set one that all machines see (spark.checkpoint.dir)"
)


class SparkEngine(Engine):
    """A session of Spark with settings and temporary views of its own.

    `memory`: memory limit of the Java process, for example ``"4GB"``, where one is started; what reads files has the
    same. `session`: the session of the table that came in (default: the one that runs, or else one in local mode).
    InputError or PolicyError is raised if there is no PySpark or no Java, or the memory cannot be had. What comes in
    from this process, and what goes out to it, passes through its memory.

    `session`: with our settings. `notes`: what to tell the user. `kept_in`: the address of the folder where computed
    tables are kept, so that they are computed once and outlive the executors that made them. It lies in the session's
    checkpoint directory (`SparkContext.setCheckpointDir`, ``spark.checkpoint.dir``), or in a private folder where Spark
    runs on this machine alone; they are Parquet, for what is read ever after is one column at a time. It is None
    elsewhere, and with Connect, which shows no files: there they are blocks that two executors hold each where Spark
    finds a second one, which it does not promise.
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
        self.folder, self._numbers = self._files.folder, self._files._numbers
        try:
            self.session, ours = session_for(session, memory)
        except BaseException:
            self._files.close()
            raise
        self._views: list[str] = []
        self._in_files: set[str] = set()
        self._taught = self._looked = False
        self._remote = is_remote(self.session)
        self._here = self._lasting = False
        self._places: Places | None = None
        self.kept_in: str | None = None
        kept = None
        if self._remote:
            self._lasting = self.session.conf.get("spark.checkpoint.dir", None) is not None
        else:
            self._places, context = Places(self.session), self.session.sparkContext
            self._here = str(context.master) == "local" or str(context.master).startswith("local[")
            if self.session.conf.get(PARTS, None) is None:  # else it goes by how many executors there are by then
                self.session.conf.set(PARTS, str(context.defaultParallelism))
            given = context._jsc.sc().getCheckpointDir()
            self._lasting = bool(given.isDefined())
            base = str(given.get()) if self._lasting else place_of(Path(self.folder.name))
            if self._lasting or self._here:
                self.kept_in = f"{base.rstrip('/')}/incrowd-{secrets.token_hex(8)}"
                kept = Passing(self._places, self.kept_in)
        if kept is None:  # else Spark knows things of what executors hold by names from before, and its unions fail
            self.session.conf.set("spark.sql.constraintPropagation.enabled", "false")
        self.notes = () if kept or self._lasting else (CAN_BE_LOST,)
        self._finalizer: Any = weakref.finalize(self, _close, self.session, self._views, self._files, kept, ours)
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
            return None if self.kept_in is None else self.places.free(self.kept_in)

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

    def guard(self, doing: str) -> SparkGuard:
        """Turn Spark's errors inside a ``with`` block into sentences without cells."""
        return SparkGuard(doing)

    def keep(self, table: ir.Table) -> ir.Table:
        """Compute a table once; what is returned reads the same rows ever after."""
        return self.view(self.keep_frame(self.frame(table)))

    def keep_frame(self, frame: Any) -> Any:
        """Return a frame computed once."""
        held = frame.schema
        if self.kept_in is None or not held.fields or any(_odd(field) for field in held):
            return self._held(frame, lasting=self._remote and self._lasting)
        if not self._looked:
            self.places.make_private(self.kept_in)
            self.look(self.kept_in, "checkpoint directory (spark.checkpoint.dir)")
            self._looked = True
        file = f"{self.kept_in}/{next(self._numbers)}"
        frame.write.options(**CHEAP).parquet(file)
        return self.session.read.schema(held).parquet(pattern_of(file))

    def _held(self, frame: Any, *, lasting: bool) -> Any:
        """Return a frame computed once by Spark's own means, which removes it when it is forgotten."""
        from pyspark import StorageLevel

        level = StorageLevel.MEMORY_AND_DISK if self._here else StorageLevel.MEMORY_AND_DISK_2
        with as_active(frame.sparkSession):
            return frame.checkpoint(True) if lasting else frame.localCheckpoint(True, level)

    def look(self, folder: str, what: str) -> None:
        """Refuse a folder that this machine and the executors do not both see: what one writes, the other has to find.

        Each machine would keep its share of a table in a folder of its own, and the driver would find none of it.
        `folder` is an address, and `what` is what the message calls it. Raises InputError if it lies on one machine
        only.
        """
        if self._here:
            return
        parts, probe = min(max(self.session.sparkContext.defaultParallelism, 2), AT_MOST), f"{folder}/{PROBE}"
        self.session.range(0, parts, 1, parts).write.mode("overwrite").parquet(probe)
        there = [place for place in self.places.inside(probe) if place.name.startswith("part-")]
        seen = len(there) == parts and self.session.read.schema("id long").parquet(pattern_of(probe)).count() == parts
        self.places.remove(probe)
        if not seen:
            raise InputError(
                f"the {what} lies on one machine only: what executors write there the driver does not find; name one "
                "that all machines see, under the same name"
            )

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
        """Bring an Arrow table into the engine; whole numbers by a file, where Spark runs in this process."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        plain = all(pa.types.is_signed_integer(kind) or pa.types.is_boolean(kind) for kind in table.schema.types)
        if not (plain and table.num_rows and self._here):
            return self.take(table.schema, table.to_batches())
        file = self.private_file(".parquet")
        pq.write_table(table, file, row_group_size=-(-table.num_rows // KEPT_PARTS))
        return self.view(self.session.read.parquet(local_place(file)))

    def take(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> ir.Table:
        """Bring Arrow batches into the engine as they come, in the types that `as_spark_holds` gives them."""
        whole = None
        for some in chunks(schema, batches):
            with as_active(self.session):
                frame = self.session.createDataFrame(as_spark_holds(some))
            frame = self.keep_frame(frame)
            whole = frame if whole is None else whole.unionAll(frame)
        return self.view(whole)

    def met(
        self, rows: ir.Table, cells: ir.Table, on: Mapping[str, str], shown: Mapping[str, str], star: str | None
    ) -> ir.Table:
        """Join rows with the line of their type, computed once; see `Engine.met`.

        Spark would compare all the columns that tell types apart, each with its missing values, and sort the rows by
        them. Here each line and each row has one number, a hash of these columns. Where no two lines have the same
        number, rows and lines with the same number are rows and lines with the same values. A released cell that is the
        original one or a star is neither sent nor kept. The result has the rows' columns, those of `cells` that `on`
        does not name, and the cells of `shown`, which are of the originals' types.
        """
        from pyspark.sql import functions as fn

        lines, frame = self.frame(cells), self.frame(rows)
        lines = lines.withColumn(NUMBER, _number(lines, list(on)))
        of = {column: name for name, column in on.items()}
        same = {cell: lines[cell].eqNullSafe(lines[of[column]]) for cell, column in shown.items()}
        stars = {cell: fn.lit(star).try_cast(lines.schema[cell].dataType) for cell in shown}  # NULL where it is none
        other = {cell: fn.max(~(same[cell] | lines[cell].eqNullSafe(stars[cell]))) for cell in shown}
        found = self.first(lines.agg(*_counts(NUMBER), *(value.alias(cell) for cell, value in other.items())))
        if len(shown) > MOST_BITS or found["numbers"] != found["lines"]:
            return self.keep(super().met(rows, cells, on, shown, star))
        sent = [cell for cell in shown if found[cell]]
        kept = sum((hit.cast("long") * fn.lit(1 << i) for i, hit in enumerate(same.values())), fn.lit(0))
        others = [name for name in lines.columns if name not in (*on, *shown, NUMBER)]
        small = lines.select(
            NUMBER, kept.alias(KEPT), *others, *(fn.when(~same[cell], lines[cell]).alias(cell) for cell in sent)
        )
        small = fn.broadcast(small) if found["lines"] <= MOST_SENT else small
        joined = frame.withColumn(NUMBER, _number(frame, list(on.values()))).join(small, NUMBER)
        joined = self.keep_frame(joined.drop(NUMBER))
        released = (
            fn.when(fn.getbit(joined[KEPT], fn.lit(i)) == 1, joined[column])
            .otherwise(joined[cell] if cell in sent else stars[cell])
            .alias(cell)
            for i, (cell, column) in enumerate(shown.items())
        )
        return self.view(joined.select(*frame.columns, *others, *released))

    def looked_up(self, rows: ir.Table, lines: ir.Table, number: str) -> ir.Table | None:
        """Return sorted rows, in their order, joined with the line that has their number.

        `rows` are sorted, the number first. `lines` are a number and its cells, which may be there several times, and
        `number` is a column of both. None is returned where a number has different cells, the lines are too many to be
        sent, or Spark would not keep the order. What is sorted and shuffled are the rows without these cells. Spark
        drops a sort that stands below a join, which it thinks nobody sees; it does not look below a column that goes by
        the rows' places. That the order is kept is then read off its plan, which Connect does not show.
        """
        from pyspark.sql import functions as fn

        if self._remote:
            return None
        cells = self.frame(lines).distinct()
        lengths = (fn.coalesce(fn.octet_length(cells[name].cast("string")), fn.lit(0)) for name in cells.columns)
        size = fn.sum(sum(lengths, fn.lit(CELL * len(cells.columns)))).alias("bytes")
        found = self.first(cells.agg(*_counts(number), size))
        limit = int(self.session.sparkContext._jsc.sc().conf().getSizeAsBytes("spark.driver.maxResultSize", "1g"))
        room = min(MOST_BYTES, limit // 2 or MOST_BYTES)  # they pass through the driver; 0 is no limit
        if int(found["bytes"] or 0) > room or found["numbers"] != found["lines"]:
            return None
        asked = self.frame(rows)
        placed = asked.withColumn(PLACE, fn.monotonically_increasing_id()).filter(fn.col(PLACE) >= 0)
        joined = placed.join(fn.broadcast(cells), number)
        of_rows, of_joined = (one._jdf.queryExecution().sparkPlan().outputOrdering().size() for one in (asked, joined))
        return self.view(joined.drop(PLACE)) if 0 < of_rows == of_joined else None

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
        return self.first(self.frame(table))

    def first(self, frame: Any) -> dict[str, Any]:
        """Return the only row of a frame as plain Python values."""
        return dict(frame.toArrow().to_pylist()[0])

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

    def content_hash(self, columns: Sequence[ir.Value], seed: str | None = None) -> ir.Value:
        """Return a text that sorts as the number of `Engine.content_hash` does.

        That number is the MD5 with its last byte first, and 38 digits are more than Spark's numbers have.
        """
        joined = self._joined(columns, "" if seed is None else f"{seed}|")
        backwards = functions.decode(functions.unhex(joined.hexdigest("md5")), "ISO-8859-1").reverse()
        return functions.in_hex(functions.encode(backwards, "ISO-8859-1"))

    def from_hex(self, digits: ir.Value) -> ir.Value:
        """Return the whole number that a few hexadecimal digits write."""
        return functions.conv(digits, 16, 10).cast("int64")

    def short_hash(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return a number that sorts as that of `Engine.short_hash` does: less by 2^63, for Spark's have a sign.

        What DuckDB calls the lower half of its number is the one with the greater weight.
        """
        number = functions.conv(self.content_hash(columns).substr(0, 16), 16, 10).cast("decimal(20, 0)")
        return (number - ibis.literal(decimal.Decimal(1 << 63), "decimal(20, 0)")).cast("int64")

    def sums(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return the number of rows and sums over their hashes, of values of any kind as they are."""
        return self.counted_fingerprint(rows, columns, {})[0]

    exact_fingerprint = sums

    def counted_fingerprint(
        self, rows: ir.Table, columns: Sequence[ir.Value], marks: Mapping[str, ir.Value]
    ) -> tuple[tuple[int, ...], dict[str, int]]:
        """Return an `exact_fingerprint`, and how many rows have each mark, of one pass over the rows.

        It is the number of rows and three sums over the 64 bits of a hash of each. Each of `marks` is true or false.
        """
        from pyspark.sql import functions as fn

        hashed = {f"h{i}": column for i, column in enumerate(columns)}
        marked = {f"m_{name}": mark for name, mark in marks.items()}
        frame = self.frame(rows.select(**hashed, **marked))
        frame = frame.select(_number(frame, [*hashed]).alias(NUMBER), *marked)
        code, part = frame[NUMBER], fn.lit((1 << BITS) - 1).cast("long")
        parts = code.bitwiseAND(part), fn.shiftright(code, BITS).bitwiseAND(part), fn.shiftright(code, 2 * BITS)
        sums = (*parts, *(frame[name].cast("long") for name in marked))
        asked = [fn.count(fn.lit(1)).alias("n"), *(fn.sum(some).alias(f"s{i}") for i, some in enumerate(sums))]
        found = [int(value or 0) for value in self.first(frame.agg(*asked)).values()]
        return tuple(found[: 1 + len(parts)]), dict(zip(marks, found[1 + len(parts) :], strict=True))

    @property
    def places(self) -> Places:
        """The file systems of the session; Connect's shows none."""
        if self._places is None:
            raise InputError(NO_FILES)
        return self._places

    def numbered(self, frame: Any, *, by_columns: bool = False) -> ir.Table:
        """Return a frame of the engine's session, each row with a number of its own, computed as it is asked for.

        What the frame reads has to stay as it is. `by_columns` says that it reads files column by column, which is as
        quick as reading what was kept. Rows of files have the same numbers each time, for these go by their parts.
        """
        view = self.view(_with_key(frame))
        if by_columns:
            self._in_files.add(view.get_name())
        return view

    def bring_home(self, frame: Any) -> ir.Table:
        """Bring a Spark frame into the engine, computed once, by its own session and its settings.

        Before its columns comes the row's place in the frame.
        """
        return self.view(self._moved(self.keep_frame(_with_key(frame)), self.session))

    def take_home(self, rows: ir.Table, names: Sequence[str], session: Any) -> Any:
        """Return rows, computed once and in their order, as a frame of a session that will outlive this engine.

        `rows` are in the order wanted, and `names` are the names of their columns in the frame.
        """
        return self._moved(self._held(self.frame(rows).toDF(*names), lasting=self._lasting), session)

    def _moved(self, frame: Any, session: Any) -> Any:
        """Return a computed frame as one of another session; global views are what sessions share."""
        name = f"incrowd_{id(self)}_{next(self._numbers)}"
        frame.createGlobalTempView(name)
        try:
            moved = session.table(f"{session.conf.get('spark.sql.globalTempDatabase')}.{name}")
            # Connect looks for the name when the frame is computed, by when it may be gone
            return self._held(moved, lasting=self._lasting) if self._remote else moved
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


def _with_key(frame: Any) -> Any:
    """Return a frame with a number for each row before its columns."""
    from pyspark.sql import functions as fn

    return frame.select(fn.monotonically_increasing_id().alias(KEY), *frame.columns)


def _number(frame: Any, names: list[str]) -> Any:
    """Return a hash of some columns in which the places of missing values, which Spark's passes over, count."""
    from pyspark.sql import functions as fn

    return fn.xxhash64(*(part for name in names for part in (frame[name].isNull(), frame[name])))


def _counts(number: str) -> tuple[Any, Any]:
    """Return the aggregates that count lines, and the different numbers in them."""
    from pyspark.sql import functions as fn

    return fn.count(fn.lit(1)).alias("lines"), fn.count_distinct(number).alias("numbers")


def _odd(field: Any) -> bool:
    """Return whether a column has a type that is not kept in files."""
    return any(word in field.dataType.simpleString() for word in NOT_IN_FILES)


def _close(session: Any, views: list[str], files: Engine, kept: Passing | None, ours: bool) -> None:
    with contextlib.suppress(Exception):
        for name in views:
            session.catalog.dropTempView(name)
    if kept is not None:
        kept.remove()
    if ours:
        OURS.release()
    files.close()


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
    """Return the classes and conditions of an error and of the Java errors it stands for, and the first condition."""
    found: list[str] = []
    conditions = []
    one: Any = error
    for depth in range(CAUSES):
        with contextlib.suppress(Exception):  # not every error has one
            named = one.getCondition()
            if CONDITION.fullmatch(named):
                conditions.append(named)
        with contextlib.suppress(Exception):
            found.append(str(one.getClass().getName()))
        try:
            one = one.getCause() if depth else getattr(one, "java_exception", None) or one._origin
        except Exception:  # noqa: BLE001 - there is none, or the Java process is gone
            break
    return [*found, *conditions], conditions[0] if conditions else ""
