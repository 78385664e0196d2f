"""Tables of DuckDB and SQLite files, named ``FILE::TABLE``."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import pyarrow as pa

from incrowd.errors import InputError, did_you_mean, refuse_on
from incrowd.tables.engine.base import literal
from incrowd.tables.engine.guard import Guard
from incrowd.tables.formats.base import Format
from incrowd.tables.formats.import_columns import BATCH_ROWS, EXACT, from_arrow, mixed, opened
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading


SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True)
class Database(Format):
    """tables of DuckDB and SQLite files."""

    name = "database"
    summary = "tables of DuckDB and SQLite files"
    endings = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")
    in_parts = True
    leads_elsewhere = True
    steady = True

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a table (or view) of a DuckDB or SQLite file inside the engine.

        `part` is the table's name, in DuckDB also ``SCHEMA.TABLE``; it may be left out where there is just one. Raises
        InputError if the file is no database or in use, or the table is not there, and names the tables that are. The
        file is opened for reading only. SQLite types cells, not columns: a column becomes whole numbers, numbers, text
        or bytes by what it holds, dates are the text they are stored as, and a mixture is refused.
        """
        with path.open("rb") as source:
            head = source.read(100)
            size = source.seek(0, 2)
        if head.startswith(SQLITE):
            if _cut_short(head, size) and not path.with_name(path.name + "-wal").exists():
                raise InputError(f"{label} is no whole SQLite database; it may be cut short")
            return _open_sqlite(engine, path, label, part)
        if head[8:12] != b"DUCK":
            raise InputError(f"{label} is neither a DuckDB nor a SQLite database")
        return _open_duckdb(engine, path, label, part)


def _open_duckdb(engine: Engine, path: Path, label: str, part: str) -> Opened:
    name = "incrowd_source"
    trouble = f"{label} cannot be read: it is damaged, of another version, or in use by a program"
    with Guard(f"reading {label}", trouble):
        engine.con.con.execute(f"ATTACH {literal(path.resolve())} AS {name} (READ_ONLY)")
        try:
            inside = engine.con.con.execute(
                "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = ? ORDER BY ALL",
                [name],
            ).fetchall()
            tables = {table if schema == "main" else f"{schema}.{table}": (schema, table) for schema, table in inside}
            schema, table = tables[_chosen(list(tables), part, label)]
            raw = engine.con.table(table, database=(name, schema))
            ids = {f"c{i}": raw[column] for i, column in enumerate(raw.columns)}
            data = engine.keep(raw.select(ibis.row_number().name(KEY), **ids))
        finally:
            with contextlib.suppress(Exception):
                engine.con.detach(name)
    return opened(engine, data, tuple(raw.columns), "database", None, label)


def _chosen(names: list[str], part: str, label: str) -> str:
    said = f"it has {', '.join(names)}" if names else "it has none"
    if not part:
        if len(names) == 1:
            return names[0]
        raise InputError(f"say which table of {label} is meant, as FILE::TABLE; {said}")
    folded = {name.casefold(): name for name in names}
    found = part if part in names else folded.get(part.casefold())
    if found is None:
        raise InputError(f"{label} has no table {part!r}{did_you_mean(part, names)}; {said}")
    return found


def _open_sqlite(engine: Engine, path: Path, label: str, part: str) -> Opened:
    trouble = f"{label} cannot be read: it is damaged, or in use by a program"
    # an URI of its own: the path may hold what an URI reads otherwise
    uri = path.resolve().as_uri() + "?mode=ro"
    # the engine asks for batches from a thread of its own, one at a time
    with (
        refuse_on(trouble, sqlite3.Error, UnicodeError),
        contextlib.closing(sqlite3.connect(uri, uri=True, check_same_thread=False)) as con,
    ):
        found = con.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' "
            "ESCAPE '~' ORDER BY name"
        ).fetchall()
        table = _quote(_chosen([name for (name,) in found], part, label))
        names = [column[0] for column in con.execute(f"SELECT * FROM {table} LIMIT 0").description]
        schema = pa.schema([(name, _kind(con, table, name)) for name in names])
        con.text_factory = bytes  # cells that are no text are told from a damaged file
        batches = _batches(con, table, schema)
        broken = f"{label} holds text that is not valid UTF-8"
        return from_arrow(engine, schema, batches, "database", None, label, broken=broken)


def _cut_short(head: bytes, size: int) -> bool:
    """Return whether the file is smaller than its own header says; SQLite notices only where it happens to read."""
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    trusted = head[24:28] == head[92:96]  # else an old program wrote it last, and the count of pages is stale
    return len(head) < 100 or (trusted and size < pages * (65_536 if page == 1 else page))


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _kind(con: sqlite3.Connection, table: str, name: str) -> pa.DataType:
    """Return the type that holds every cell of a column."""
    column = _quote(name)
    held = {kind for (kind,) in con.execute(f"SELECT DISTINCT typeof({column}) FROM {table}")} - {"null"}
    if held == {"integer", "real"}:
        inexact = con.execute(
            f"SELECT count(*) FROM {table} WHERE typeof({column}) = 'integer' AND abs({column}) > {EXACT}"
        ).fetchone()[0]
        if not inexact:
            return pa.float64()
    kinds = {"integer": pa.int64(), "real": pa.float64(), "text": pa.string(), "blob": pa.binary()}
    if len(held) > 1:
        raise InputError(mixed(name))
    return kinds[held.pop()] if held else pa.string()


def _batches(con: sqlite3.Connection, table: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    cursor = con.execute(f"SELECT * FROM {table}")
    while rows := cursor.fetchmany(BATCH_ROWS):
        columns = []
        for values, field in zip(zip(*rows, strict=True), schema, strict=True):
            is_text = pa.types.is_string(field.type)
            array = pa.array(values, pa.binary() if is_text else field.type)
            columns.append(array.cast(pa.string()) if is_text else array)
        yield pa.RecordBatch.from_arrays(columns, schema=schema)
