"""Where a table comes from: files by their ending, everything else by its type."""

from __future__ import annotations

import dataclasses
import gzip
import stat
import sys
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from incrowd.atomic_file import disk_is_full
from incrowd.errors import InputError
from incrowd.tables.engine.gzip_members import readable
from incrowd.tables.read import csv
from incrowd.tables.read.arrow_file import open_arrow_file
from incrowd.tables.read.database import open_database
from incrowd.tables.read.frames import open_frame
from incrowd.tables.read.import_columns import again
from incrowd.tables.read.json_lines import open_json_lines
from incrowd.tables.read.parquet import open_parquet
from incrowd.tables.read.spark import handed_over, open_spark
from incrowd.tables.read.spreadsheet import open_spreadsheet
from incrowd.tables.read.statistics import open_statistics
from incrowd.tables.table import Opened

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading

__all__ = ["label_of", "open_source"]


def _open_csv(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    seen = csv.look(path, reading, label)
    with engine.guard(f"reading {label}"):
        data = engine.keep(csv.scan(engine, path, seen, reading, label))
    return Opened(data, seen.names, "csv", None, label, seen.notes, seen.quotable)


FILES: dict[Callable[..., Opened], tuple[str, ...]] = {
    _open_csv: (".csv", ".tsv", ".txt", ".data"),
    open_parquet: (".parquet", ".pq"),
    open_json_lines: (".jsonl", ".ndjson", ".json"),
    open_arrow_file: (".arrow", ".feather", ".ipc"),
    open_database: (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3"),
    open_spreadsheet: (".xlsx",),
    open_statistics: (".sav", ".zsav", ".dta", ".sas7bdat", ".xpt"),
}
ENDINGS = {ending: opener for opener, endings in FILES.items() for ending in endings}
PACKED = (_open_csv, open_json_lines)  # may end in .gz besides
IN_PARTS = (open_database, open_spreadsheet)  # hold several tables: FILE::TABLE


def label_of(source: Any) -> str:
    """Return what messages call a source: a base name, never a path."""
    if isinstance(source, (str, Path)):
        path, part = _parts(source)
        return "standard input" if str(source) == "-" else f"'{path.name}{'::' if part else ''}{part}'"
    return "the table"


def open_source(engine: Engine, source: Any, reading: Reading, *, once: bool = False) -> Opened:
    """Return the source inside the engine.

    Parameters
    ----------
    engine : Engine
    source : path, "-", pandas or polars frame, Arrow table, DuckDB relation, Ibis table
        A path is read by its ending; a table of a database or a sheet of a workbook is ``FILE::TABLE``.
    reading : Reading
        Used for CSV only (its encoding for SPSS, Stata and SAS too).
    once : bool
        Whether the rows will be read once or twice only (by `with_roles`): Parquet is not copied into the engine then.

    Raises
    ------
    InputError
        If it cannot be read; with what was expected.
    """
    if isinstance(source, str) and not source.strip():
        raise InputError("no table is given: its name is an empty text")
    label = label_of(source)
    if engine.owns(source):
        return open_spark(engine, source, label)
    if engine.files is not engine:  # every kind is read by one reader, with one set of errors
        return handed_over(engine, open_source(engine.files, source, reading))
    if not isinstance(source, (str, Path)):
        return open_frame(engine, source, label)
    path, part = _parts(source)
    if str(path) == "-":
        path = _standard_input(engine)
    else:
        _check_there(path, label)
    opener = _opener(path)
    if opener is None:
        raise InputError(f"{label} has an ending that is not known; it must be one of {', '.join(ENDINGS)}")
    may_read = True
    try:
        with path.open("rb"):
            pass
    except OSError:
        may_read = False
    if not may_read:
        raise InputError(f"{label} cannot be opened; may you read it?")
    if path.suffix == ".gz":
        path = readable(engine, path, label)
    found = opener(engine, path, reading, label, part) if part else opener(engine, path, reading, label)
    return found if once else _kept(engine, found)


def _check_there(path: Path, label: str) -> None:
    there = False
    try:
        if stat.S_ISDIR(path.stat().st_mode):
            raise InputError(f"{label} is a folder; name a table in it")
        there = True
    except (FileNotFoundError, NotADirectoryError, ValueError):
        pass
    except OSError as error:
        raise InputError(f"{label} cannot be opened: {error.strerror}") from None
    if not there:
        raise InputError(f"there is no file {label}")


def _kept(engine: Engine, found: Opened) -> Opened:
    """Return an opened source whose rows lie in the engine."""
    if found.again is None:
        return found
    trouble = ""
    try:
        with engine.guard(f"reading {found.label}"):
            return dataclasses.replace(found, data=engine.keep(found.data), again=None)
    except InputError as error:
        trouble = str(error)
    return again(found, trouble)


def _opener(path: Path) -> Callable[..., Opened] | None:
    if path.suffix == ".gz":
        inner = ENDINGS.get(Path(path.stem).suffix.lower())
        return inner if inner in PACKED else None
    return ENDINGS.get(path.suffix.lower())


def _parts(source: str | Path) -> tuple[Path, str]:
    """Split ``FILE::TABLE``; a file that is called so itself is meant first."""
    whole = Path(source)
    head, mark, part = str(source).rpartition("::")
    if mark and part and _opener(Path(head)) in IN_PARTS and not whole.exists():
        return Path(head), part
    return whole, ""


def _standard_input(engine: Engine) -> Path:
    """Copy standard input to the private folder, told apart by its first bytes: CSV unless they say otherwise."""
    stream: IO[bytes] = sys.stdin.buffer
    copy = engine.private_file("")
    trouble = ""
    try:
        with copy.open("wb") as out:
            while block := stream.read(1 << 20):
                out.write(block)
    except OSError as error:
        trouble = "the disk is full" if disk_is_full(error) else str(error.strerror)
    if trouble:
        raise InputError(f"standard input cannot be copied: {trouble}; free some space for temporary files")
    with copy.open("rb") as source:
        head = source.read(64)
    packed = head.startswith(b"\x1f\x8b")
    if packed:
        try:
            with gzip.open(copy) as unpacked:
                head = unpacked.read(64)
        except (OSError, EOFError, zlib.error):
            head = b""
    ending = ".jsonl" if head.lstrip().startswith(b"{") else ".csv"
    if not packed and head.startswith(b"PAR1"):
        ending = ".parquet"
    elif not packed and head.startswith(b"ARROW1"):
        ending = ".arrow"
    return copy.rename(copy.with_name(copy.name + ending + (".gz" if packed else "")))
