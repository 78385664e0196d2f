"""The table engine: Ibis over DuckDB, and the few things Ibis leaves unequal between engines.

Everything else in `tables` speaks Ibis. Another engine needs the methods of `Engine` and nothing more; Spark's is in
`incrowd.tables.engine.spark`, and `incrowd.tables.engine.open` chooses. What they do for the rest:

- a hash of text that is the same number on every engine and in every version (`content_hash`);
- text of typed values in one spelling (`text`);
- tables that are computed once and kept (`keep`), so that check and write see the same rows;
- files, which one engine reads and writes for all of them (`files`);
- errors without cells (`guard`): engines quote the offending line or value in theirs.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import shutil
import threading
import weakref
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.operations as ops
import pyarrow as pa
from ibis.backends.sql.datatypes import DuckDBType

from incrowd.memory import MB, as_bytes
from incrowd.progress import Cut
from incrowd.recovery import PrivateFolder
from incrowd.tables.engine.guard import Guard
from incrowd.tables.source_files import refuse_changed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.progress import Watch

BATCH_ROWS = 65_536
LOOK = 0.2  # seconds between two looks at a watch
A_THREAD = 60 * MB  # what a thread of the engine should have for itself
NOTHING: Mapping[str, Collection[str]] = MappingProxyType({})


@ibis.udf.scalar.builtin(name="md5_number", signature=((dt.string,), dt.Decimal(38, 0)))
def _md5_number(text: Any) -> Any:
    """Return the MD5 of a text as a number; only ever compared and sorted."""


@ibis.udf.scalar.builtin(name="md5_number_lower", signature=((dt.string,), dt.uint64))
def _md5_lower(text: Any) -> Any:
    """Return the lower half of the MD5 of a text."""


@ibis.udf.scalar.builtin(name="hash", signature=((dt.uint64, *(dt.string,) * 8), dt.uint64))
def _hash_eight(code: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """Return the engine's hash of a hash and eight texts."""


class Engine:
    """A private in-memory DuckDB that spills to a private folder and fetches nothing.

    `memory` is its memory limit, for example ``"4GB"``. Raises PolicyError if that is no size.
    """

    name = "duckdb"
    in_process = True  # whether what it holds is memory and disk of this process
    disk = "TMPDIR"  # what says where it puts what memory does not hold
    broken_off: tuple[type[BaseException], ...] = (
        KeyboardInterrupt,
    )  # what a guard makes of a query that `breaker` ended
    brings_originals = False  # whether released rows have their original cells beside them, for joins are dear
    keeps_met = False  # whether what `met` returns is computed already
    kept_as = "TEMP TABLE"  # what is kept, here; where it lies in a file (see `keep_in_file`), a plain table
    number = staticmethod(ibis.row_number)  # a whole number for each row of a table that is kept, each its own
    sorts_in_one_task = False  # whether numbering lines in their order is work for one of many

    def __init__(self, memory: str | None = None) -> None:
        limits = {} if memory is None else _within(as_bytes(memory))
        self.folder = PrivateFolder()
        settings: dict[str, Any] = {
            "autoinstall_known_extensions": False,  # nothing is ever fetched
            "autoload_known_extensions": True,
            "allow_community_extensions": False,
            "preserve_insertion_order": True,  # the row key is the input's order
            "TimeZone": "UTC",
            **limits,
        }
        # connections with equal settings are equal to Ibis, and so are expressions over their tables (see `sql_of`)
        self.con = ibis.duckdb.connect(**settings)
        spill = Path(self.folder.name) / "spill"  # not .tmp where the user stands; a bar is drawn into the release
        self.con.con.execute(f"SET temp_directory = {literal(spill)}; SET enable_progress_bar = false; {SETUP}")
        self._numbers = itertools.count()
        self._finalizer = weakref.finalize(self, _close, self.con, self.folder)

    def close(self) -> None:
        """Drop every table and remove the private folder."""
        self._finalizer()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        with contextlib.closing(self):
            refuse_changed(self, error)

    def sizes(self) -> tuple[int, int]:
        """Return the bytes that the engine holds in memory now, and those that it has put on disk."""
        asked = "SELECT coalesce(sum(memory_usage_bytes), 0), coalesce(sum(temporary_storage_bytes), 0)"
        memory, disk = self.con.con.execute(f"{asked} FROM duckdb_memory()").fetchall()[0]
        return int(memory), int(disk)

    def free(self) -> int | None:
        """Return the bytes that are free where it puts what memory does not hold; None where nobody knows."""
        return shutil.disk_usage(self.folder.name).free

    @contextlib.contextmanager
    def breaker(self) -> Iterator[Callable[[], Any]]:
        """Give what breaks off the queries of the block, from another thread."""
        yield self.con.con.interrupt

    @contextlib.contextmanager
    def stoppable(self, watch: Watch) -> Iterator[None]:
        """Let the queries inside the block end within a second of a stop: a thread looks at the watch.

        Raises Cut if the watch said stop, before the block or inside a query of it. What the query would have made is
        not there.
        """
        if watch.stopped:
            raise Cut
        over, told = threading.Event(), threading.Event()

        def look() -> None:
            while not over.wait(LOOK):
                if watch.stopped:
                    told.set()
                    interrupt()

        with self.breaker() as interrupt:
            thread = threading.Thread(target=look, name="incrowd-queries", daemon=True)
            thread.start()
            try:
                yield
            except self.broken_off:
                if not told.is_set():
                    raise
                raise Cut from None
            finally:
                over.set()
                thread.join()

    def resize(self, limit: int) -> None:
        """Let the engine hold so many bytes from now on, at least some 10 MB; what is beyond goes to disk."""
        with self.guard("making room in the table engine"):
            for name, value in _within(limit).items():
                self.con.con.execute(f"SET {name} = '{value}'")

    @property
    def files(self) -> Engine:
        """The engine that reads and writes files and takes in tables of this process: this one."""
        return self

    def owns(self, source: Any) -> bool:
        """Return whether a table that comes in lives in this engine already; into DuckDB every table is taken."""
        return False

    def guard(self, doing: str) -> Guard:
        """Turn the engine's errors inside a ``with`` block, which is doing something, into sentences without cells."""
        return Guard(doing)

    def private_file(self, suffix: str) -> Path:
        """Return a fresh path in the private folder, with an ending such as ``.csv``."""
        return Path(self.folder.name) / f"file{next(self._numbers)}{suffix}"

    def scan(self, function: str, path: Path, **manner: Any) -> ir.Table:
        """Return a file as one of DuckDB's functions reads it, in some manner; Ibis takes three times as long."""
        name = f"file_{next(self._numbers)}"
        told = "".join(f", {key} = {literal(value)}" for key, value in manner.items())
        self.con.con.execute(f"CREATE TEMP VIEW {name} AS FROM {function}({literal(path)}{told})")
        return self._named(name)

    def keep(self, table: ir.Table) -> ir.Table:
        """Compute a table once; what is returned reads the same rows ever after."""
        name = f"incrowd_{next(self._numbers)}"
        self.con.con.execute(f"CREATE {self.kept_as} {name} AS {sql_of(table)}")
        return self._named(name)

    def keep_listed(
        self, tables: Sequence[ir.Table], also: Mapping[str, Collection[str]] = NOTHING
    ) -> tuple[list[ir.Table], dict[str, Callable[[ir.Value], ir.Value]]]:
        """Compute tables once, the cells of text columns with few values held as places in a list of them.

        The `tables` have the same columns, which share their lists. Each reads a kept table or a file, and is computed
        twice. `also` has the texts that a column will hold later. The columns of the tables returned compare, group and
        sort as the texts they are, and `text` gives the texts. The functions returned with them make, by column, such a
        cell from a text of its list.
        """
        held = listed_columns(self.con, tables, also, f"incrowd_{next(self._numbers)}")
        cells = ({name: cell(table[name]) for name, cell in held.items()} for table in tables)
        return [self.keep(table.mutate(**some)) for table, some in zip(tables, cells, strict=True)], held

    def place(self, column: ir.Value) -> ir.Value:
        """Return a whole number for each text of a column that `keep_listed` holds in a list, in their bytes' order."""
        return place_in_list(column).cast("int64")

    def put(self, table: pa.Table) -> ir.Table:
        """Bring an Arrow table into the engine."""
        with self._passing(table) as rows:
            name = f"incrowd_{next(self._numbers)}"
            self.con.con.execute(f"CREATE {self.kept_as} {name} AS FROM {rows}")
        return self._named(name)

    def met(
        self, rows: ir.Table, cells: ir.Table, on: Mapping[str, str], shown: Mapping[str, str], star: str | None
    ) -> ir.Table:
        """Join rows with the line of their type.

        `cells` has one line a type. `on` maps columns of `cells` to the columns of `rows` with equal values, where NULL
        meets NULL. `shown` maps columns of `cells` with a released cell to the columns of `rows` with the original one.
        `star` is the text of a star.
        """
        return rows.join(cells, [rows[column].identical_to(cells[name]) for name, column in on.items()])

    def some(self, table: ir.Table, columns: Sequence[str]) -> ir.Table:
        """Return some columns of a kept table, which stay when it is forgotten."""
        return self.keep(table.select(*columns))

    def drop(self, table: ir.Table) -> None:
        """Forget a kept table."""
        self.con.con.execute(f"DROP TABLE IF EXISTS {table.op().name}")

    def forget(self, table: ir.Table) -> None:
        """Forget the kept tables that an expression reads: what was computed from them is kept elsewhere."""
        for source in table.op().find(ops.DatabaseTable):
            if source.name.startswith("incrowd_"):
                self.drop(source.to_expr())

    def fetch(self, table: ir.Table) -> pa.Table:
        """Return a table as Arrow; a cell held in a list comes as text in Arrow's dictionary, and leaves as text."""
        return of_kinds(self.con.con.sql(sql_of(table)).to_arrow_table(), table.schema().to_pyarrow())

    def take(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> ir.Table:
        """Bring Arrow batches of one schema into the engine as they come."""
        return self.put(pa.RecordBatchReader.from_batches(schema, batches))

    def sums_of(self, names: Sequence[str], batches: Iterable[pa.RecordBatch]) -> tuple[int, ...]:
        """Return a `fingerprint` of the texts in some columns of Arrow batches, none of which is kept."""
        schema = pa.schema([(name, pa.string()) for name in names])
        with self._passing(pa.RecordBatchReader.from_batches(schema, batches)) as read:
            rows = self.con.table(read)
            return self.sums(rows, [rows[name] for name in names])

    @contextlib.contextmanager
    def _passing(self, table: pa.Table | pa.RecordBatchReader) -> Iterator[str]:
        """Give the name under which the engine reads a table of Arrow's, or batches that can be read once."""
        name = f"incrowd_arrow_{next(self._numbers)}"
        self.con.con.register(name, table)
        try:
            yield name
        finally:
            self.con.con.unregister(name)

    def batches(self, table: ir.Table) -> pa.RecordBatchReader:
        """Return a table as Arrow batches, computed as they are asked for."""
        return self.reader(self.con.con.sql(sql_of(self.respelled(table))))

    streamed = batches  # in the table's order, and none is held in this process longer than it is looked at

    def reader(self, relation: Any) -> pa.RecordBatchReader:
        """Return a DuckDB relation, of any connection, as Arrow batches."""
        read = getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch  # its name before 2.0
        return read(BATCH_ROWS)

    def one(self, table: ir.Table) -> dict[str, Any]:
        """Return the only row of an aggregate as plain Python values; parsed once, where a relation is parsed twice."""
        return dict(zip(table.columns, self.con.con.execute(sql_of(table)).fetchall()[0], strict=True))

    def text(self, column: ir.Value) -> ir.Value:
        """Return the one spelling of a value: dates ISO, floats shortest, NaN is NULL and -0 is 0."""
        column = self.plain(column)
        kind = column.type()
        if kind.is_string():
            return plain_text(column)
        text = column.cast("string")
        return text.replace(" ", "T") if kind.is_timestamp() else text

    def respelled(
        self,
        rows: ir.Table,
        change: Callable[[ir.Value], ir.Value] = lambda text: text,
        which: Callable[[dt.DataType], bool] = dt.DataType.is_string,
    ) -> ir.Table:
        """Return rows whose columns of some types are what `change` makes of their texts; such leave it as texts."""
        texts = {name: change(self.text(rows[name])) for name in rows.columns if which(rows[name].type())}
        return rows.mutate(**texts) if texts else rows

    def plain(self, column: ir.Value) -> ir.Value:
        """Return a column whose equal values are equal: NaN is NULL, -0 is 0."""
        if column.type().is_floating():
            # DuckDB 2.0 takes a Parquet column for free of NaN where its statistics have none, which they never have
            return ibis.ifelse(
                column.exp().isnan(), ibis.null(column.type()), ibis.ifelse(column == 0, column.abs(), column)
            )
        return column

    def _named(self, name: str) -> ir.Table:
        """Return a table of the engine by its name; lists of values, which can be long, are not parsed."""
        told = self.con.con.table(name)
        kinds = tuple(
            (n, "VARCHAR" if k.id == "enum" else str(k)) for n, k in zip(told.columns, told.types, strict=True)
        )
        return ops.DatabaseTable(name, schema=schema_of(kinds), source=self.con, namespace=ops.Namespace()).to_expr()

    # Hashes of rows: what an engine makes of their texts.
    def content_hash(self, columns: Sequence[ir.Value], seed: str | None = None) -> ir.Value:
        """Return a 128-bit number that depends on the texts of the columns alone (and on a seed).

        The texts are joined with their lengths, so that different rows have different texts; equal numbers for
        different rows have a chance of about n^2 / 2^129, n the rows.
        """
        return _md5_number(self._joined(columns, "" if seed is None else f"{seed}|"))

    def digest(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return the MD5 of the texts of the columns, as 32 digits that are the same on every engine."""
        return self._joined(columns, "").hexdigest("md5")

    def row_sum(self, rows: ir.Table, columns: Sequence[ir.Value]) -> str:
        """Return the sum modulo 2^128 of the `digest` of every row, as 32 digits; an empty text counts as missing."""
        told = rows.select(digest=self.digest([self.text(column).nullif("") for column in columns]))
        parts = {f"s{i}": self.from_hex(told.digest.substr(8 * i, 8)).sum() for i in range(4)}
        found = self.one(told.aggregate(**parts))
        total = sum(int(found[f"s{i}"] or 0) << (96 - 32 * i) for i in range(4))
        return f"{total % 2**128:032x}"

    def from_hex(self, digits: ir.Value) -> ir.Value:
        """Return the whole number that a few hexadecimal digits write."""
        return (ibis.literal("0x") + digits).cast("int64")

    def short_hash(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return the lower half of such a number, which can be kept; equal for different rows about n^2 / 2^65."""
        return _md5_lower(self._joined(columns, ""))

    def fingerprint(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return the number of rows and sums over their hashes: equal for equal multisets of texts.

        The hash is the engine's own (64 bits): it is compared within a session and never kept. Different rows go unseen
        with a chance of about 2^-64; it guards against our own mistakes, not against forgery.
        """
        return self.sums(rows, [self.text(column) for column in columns])

    def sums(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return a `fingerprint` of texts as they are."""
        halves = rows.select(h=self._hash(columns))
        found = self.one(
            halves.aggregate(
                n=halves.count(),
                a=(halves.h >> 32).cast("int64").sum(),
                b=(halves.h & 0xFFFFFFFF).cast("int64").sum(),
            )
        )
        return tuple(int(found[name] or 0) for name in "nab")

    def exact_fingerprint(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return such numbers of the values themselves: equal for rows that the engine finds equal."""
        return self.fingerprint(rows, columns)

    def _hash(self, texts: Sequence[ir.Value]) -> ir.Value:
        """Return the engine's own hash of some texts, one after the other, so that their places count."""
        code = ibis.literal(0, "uint64")
        for first in range(0, len(texts), 8):
            some = texts[first : first + 8]
            code = _hash_eight(code, *some, *[ibis.literal("")] * (8 - len(some)))
        return code

    def _joined(self, columns: Sequence[ir.Value], joined: Any) -> ir.Value:
        texts = [self.text(column) for column in columns]
        parts = [ibis.literal(joined)]
        parts += [ibis.ifelse(text.isnull(), "n", text.length().cast("string") + ":" + text) for text in texts]
        while len(parts) > 1:  # by halves: a chain of hundreds is too deep for Ibis
            parts = [one + two for one, two in zip(parts[::2], parts[1::2], strict=False)] + parts[len(parts) & ~1 :]
        return parts[0]


def literal(value: Any) -> str:
    """Return a value as DuckDB's SQL has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(one)}" for key, one in value.items()) + "}"
    return "'" + str(value).replace("'", "''") + "'" if isinstance(value, str | Path) else str(value)


def _within(limit: int) -> dict[str, Any]:
    """Return the settings with which the engine keeps a limit in bytes: each of its threads takes memory too."""
    threads = max(1, min(os.cpu_count() or 1, limit // A_THREAD))
    return {"memory_limit": f"{max(limit // 1000, 1)}KB", "threads": threads}


def _close(con: Any, folder: PrivateFolder) -> None:
    with contextlib.suppress(Exception):
        con.disconnect()
    folder.cleanup()


# Text columns held by DuckDB as places in sorted lists of their values (its ENUM type), where the values are few.
#
# A cell is one or two bytes then and not sixteen or more: rows are grouped, joined, compared and sorted about three
# times faster and take a tenth of the memory. To Ibis such a column is text, and to DuckDB it compares, groups and
# sorts as text; only where a function of DuckDB's takes any type and looks at the type (hashes, casts to numbers) must
# it be turned into text first, which `Engine.text` does.
MOST_VALUES = 50_000  # of a column whose cells become places: two bytes each
SAMPLE = 1 << 17
FEW, SHARE = 1000, 0.1  # values in a sample, or that share of it: where more differ a list is hardly used twice
TOGETHER = 32  # columns whose values are counted in one query
SETUP = "CREATE TEMP MACRO incrowd_text(cell) AS CAST(cell AS VARCHAR)"


@ibis.udf.scalar.builtin(name="incrowd_text", signature=((dt.string,), dt.string))
def plain_text(cell: Any) -> Any:
    """Return a cell as text, also where it is held as a place in a list: Ibis knows no difference, so casts nothing."""


@ibis.udf.scalar.builtin(name="enum_code", signature=((dt.string,), dt.uint16))
def place_in_list(cell: Any) -> Any:
    """Return the place of a cell in its list, from 0; places are in the order of the texts' bytes."""


def listed_columns(
    con: Any, sources: Sequence[ir.Table], also: Mapping[str, Collection[str]], name: str
) -> dict[str, Callable[[ir.Value], ir.Value]]:
    """Make lists for the text columns that have few values.

    The `sources` have the same columns, which share the lists. They are read twice, and so should be kept tables or
    Parquet files. `also` has the texts that a column may hold later, and `name` begins the names of what is made. The
    functions returned turn, by column, a text that stands in its list into a cell of that list. Columns with many
    values are left out. One look at the first rows and one pass over the text columns, `TOGETHER` at a time, as the
    engine needs time with the square of what is counted at once; the lists stay inside the engine.
    """
    run = con.con.execute
    short = [column for column in sources[0].columns if all(source[column].type().is_string() for source in sources)]
    for source in sources:
        if not short:
            return {}
        few: list[str] = []
        for some in batched(short, TOGETHER):
            head = sql_of(source.select(some).limit(SAMPLE))
            counted = ", ".join(f"count(DISTINCT {column})" for column in some)
            rows, *distinct = run(f"SELECT count(*), {counted} FROM ({head})").fetchone()
            most = max(FEW, SHARE * rows)
            few += [column for column, number in zip(some, distinct, strict=True) if number <= most]
        short = few
    held: dict[str, Callable[[ir.Value], ir.Value]] = {}
    for some in batched(short, TOGETHER):
        held |= _lists_of(run, sources, some, also, name)
    return held


def batched(columns: Sequence[str], size: int) -> Iterator[list[str]]:
    """Yield columns in their order, `size` (at least 1) at a time."""
    for at in range(0, len(columns), size):
        yield list(columns[at : at + size])


def _lists_of(
    run: Callable[..., Any],
    sources: Sequence[ir.Table],
    short: list[str],
    also: Mapping[str, Collection[str]],
    name: str,
) -> dict[str, Callable[[ir.Value], ir.Value]]:
    rows_of_all = " UNION ALL ".join(f"SELECT * FROM ({sql_of(source.select(short))})" for source in sources)
    found = ", ".join(
        f"coalesce(len(list(DISTINCT {column})), 0) AS {column}_number, "
        f"list_sort(list_distinct(coalesce(list(DISTINCT {column}), []) || ${j}::VARCHAR[])) AS {column}"
        for j, column in enumerate(short, 1)
    )
    more = [list(also.get(column, ())) for column in short]
    run(f"CREATE TEMP TABLE {name} AS SELECT {found} FROM ({rows_of_all})", more)
    lengths = run(f"SELECT {', '.join(f'{column}_number' for column in short)} FROM {name}").fetchone()
    held: dict[str, Callable[[ir.Value], ir.Value]] = {}
    for column, length in zip(short, lengths, strict=True):
        if length > MOST_VALUES:
            continue
        kind = f"{name}_{column}"
        run(f"CREATE TEMP TYPE {kind} AS ENUM (SELECT unnest({column}) FROM {name})")
        run(f"CREATE TEMP MACRO {kind}_of(cell) AS CAST(cell AS {kind})")
        held[column] = _cell_of(f"{kind}_of")
    run(f"DROP TABLE {name}")
    return held


@functools.cache  # each engine counts its names from 0: Ibis makes a class of every function
def _cell_of(name: str) -> Callable[[ir.Value], ir.Value]:
    """Return the function of that name: from a text to a cell of its list."""

    def cell(text: Any) -> Any:
        """Return the cell."""

    made: Callable[[ir.Value], ir.Value] = ibis.udf.scalar.builtin(cell, name=name, signature=((dt.string,), dt.string))
    return made


# SQL of expressions: what was compiled once in a process is not compiled again.
#
# Compiling takes Ibis 5 to 20 ms an expression, far more than DuckDB needs to answer it for a small table. Engines of
# one process name their tables alike, so that a second job on a table with the same columns asks mostly what the first
# has asked.
MOST = 2048  # expressions whose SQL is kept, some ten kilobytes each


def sql_of(table: ir.Table) -> str:
    """Return DuckDB's SQL of an expression.

    `table` is over tables of an engine, which it names; their connection has no part in it. Equal expressions have
    equal SQL: their literals, names and types are equal, in the same places. Of two expressions that were asked for at
    once, both may be compiled.
    """
    return _compiled(table.op())


@functools.lru_cache(maxsize=MOST)
def _compiled(op: ops.Relation) -> str:
    sql: str = ibis.duckdb.compile(op.to_expr())
    return sql


# What the engine keeps, in a database file of its private folder in place of its memory.
#
# DuckDB puts tables that lie in memory on disk when it lacks room, block by block, but not all of what they hold
# (measured with version 2.0: 200 MB of 50 million rows of 11 columns stayed, and a GROUP BY of 14 million lines failed
# under 300 MB; from a file 60 MB are enough for one of 20 million). From a file it reads what it needs and forgets it.
# Writing costs some 20 ns a cell, for what is written is packed: a third of the disk.
def keep_in_file(engine: Engine) -> None:
    """Move what a DuckDB engine keeps to a file, and have it keep there whatever it keeps from now on.

    An engine that keeps in a file already stays as it is. Every kept table is read and written once, one after the
    other.
    """
    if engine.kept_as == "TABLE":
        return
    run = engine.con.con.execute
    path = literal(Path(engine.folder.name) / "kept.duckdb")
    with engine.guard("making room in the table engine"):
        run(f"ATTACH {path} AS incrowd_kept (RECOVERY_MODE no_wal_writes)")  # nobody opens it again: it needs no log
        listed = run("SELECT table_name FROM duckdb_tables() WHERE temporary AND starts_with(table_name, 'incrowd_')")
        for (name,) in listed.fetchall():
            run(f'CREATE TABLE incrowd_kept.main."{name}" AS FROM temp."{name}"')
            run(f'DROP TABLE temp."{name}"')
        run("USE incrowd_kept")
    engine.kept_as = "TABLE"


# DuckDB's types as Ibis and Arrow have them.
def of_kinds(table: pa.Table, wanted: pa.Schema) -> pa.Table:
    """Return a table with its columns in the types of their expressions: DuckDB's sums are wider, for example."""
    if table.schema == wanted:
        return table
    columns = [
        pa.nulls(len(table)) if pa.types.is_null(field.type) else table[field.name].cast(field.type) for field in wanted
    ]
    return pa.Table.from_arrays(columns, schema=wanted)


@functools.lru_cache(maxsize=1024)
def schema_of(kinds: tuple[tuple[str, str], ...]) -> ibis.Schema:
    """Return the schema of a table from its columns' names and DuckDB's names of their types."""
    return ibis.schema({name: DuckDBType.from_string(kind) for name, kind in kinds})
