"""Where a table comes from: files by their ending, everything else by its type."""

from __future__ import annotations

import dataclasses
import gzip
import sys
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from incrowd.atomic_file import disk_is_full
from incrowd.errors import InputError
from incrowd.tables.formats import Format, every_format
from incrowd.tables.formats.gzip_members import readable
from incrowd.tables.formats.import_columns import again, plain_path
from incrowd.tables.read.frames import open_frame
from incrowd.tables.read.several import open_several
from incrowd.tables.read.spark import handed_over, open_spark
from incrowd.tables.source_files import address_of, are_paths, check_there, files_of, name_of, refuse_database
from incrowd.tables.source_state import file_states, steady

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened

__all__ = ["label_of", "open_source"]


def label_of(source: Any) -> str:
    """Return what messages call a source: a base name, never a path.

    The source is a path, a list of paths or an object. ``"-"`` is standard input; ``FILE::TABLE`` is named with its
    table.
    """
    if are_paths(source):
        return f"'{name_of(source)}'"
    if isinstance(source, (str, Path)):
        path, part = _parts(source)
        return "standard input" if str(source) == "-" else f"'{path.name}{'::' if part else ''}{part}'"
    return "the table"


def open_source(engine: Engine, source: Any, reading: Reading, *, once: bool = False) -> Opened:
    """Return the source inside the engine.

    It is a path, ``"-"``, a list of paths, a pandas or polars frame, an Arrow table, a DuckDB relation or an Ibis
    table. A path is read by its ending; a table of a database or a sheet of a workbook is ``FILE::TABLE``. Several
    files are one table: listed, by a pattern such as ``'2024-*.csv'``, or as a folder.

    `reading` is used for CSV only (its encoding for SPSS, Stata and SAS too). `once` says whether the rows will be read
    once or twice only (by `with_roles`): Parquet is not copied into the engine then. InputError is raised if the source
    cannot be read, with what was expected.
    """
    if isinstance(source, str) and not source.strip():
        raise InputError("no table is given: its name is an empty text")
    refuse_database(source)
    label = label_of(source)
    here = engine.files is engine and address_of(source) is None  # else executors may see what this machine does not
    kind = _format(Path(source)) if isinstance(source, (str, Path)) else None
    listed = file_states(source) if here and not (kind and kind.steady) else None
    with steady(engine, label, listed, once=once, lasting=False):
        found = _opened(engine, source, reading, label, once=once)
    return _with_unused(found, reading)


def _opened(engine: Engine, source: Any, reading: Reading, label: str, *, once: bool) -> Opened:
    if engine.owns(source):
        return open_spark(engine, source, label)
    if engine.files is not engine and (are_paths(source) or (isinstance(source, (str, Path)) and str(source) != "-")):
        from incrowd.tables.read.spark_files import open_spark_files  # PySpark is there then

        return open_spark_files(engine, source, reading, label)
    if engine.files is not engine:  # every other kind is read by one reader, with one set of errors
        return handed_over(engine, open_source(engine.files, source, reading))
    if address_of(source) is not None:
        raise InputError(f"{label} is an address on a cluster, which engine spark reads; say --engine spark")
    several = files_of(source)
    if several is not None:
        return open_several(engine, several, lambda path: open_source(engine, path, reading), label)
    if not isinstance(source, (str, Path)):
        return open_frame(engine, source, label)
    path, part = _parts(source)
    if str(path) == "-":
        path = _standard_input(engine)
    else:
        check_there(path, label)
    kind = _format(path)
    if kind is None:
        endings = ", ".join(ending for known in every_format() for ending in known.endings)
        raise InputError(f"{label} has an ending that is not known; it must be one of {endings}")
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
    found = kind.read(engine, Path(plain_path(engine, path)), reading, label, part)
    return found if once else _kept(engine, found)


def _with_unused(found: Opened, reading: Reading) -> Opened:
    """Return a source that says which options of reading CSV were given and had no part in reading it."""
    if found.kind == "csv":
        return found
    usual = dataclasses.asdict(type(reading)())
    given = [name for name, value in dataclasses.asdict(reading).items() if value != usual[name] and name != "encoding"]
    said = f"{', '.join(given)}: options of reading CSV, which had no part in reading {found.label}"
    return dataclasses.replace(found, notes=(*found.notes, said)) if given and said not in found.notes else found


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


def _format(path: Path) -> Format | None:
    """Return the format that a file's ending names, or None."""
    packed = path.suffix == ".gz"
    ending = Path(path.stem).suffix.lower() if packed else path.suffix.lower()
    found = [kind for kind in every_format() if ending in kind.endings and (kind.packed or not packed)]
    return found[-1] if found else None


def _parts(source: str | Path) -> tuple[Path, str]:
    """Split ``FILE::TABLE``; a file that is called so itself is meant first."""
    whole = Path(source)
    head, mark, part = str(source).rpartition("::")
    kind = _format(Path(head)) if mark and part else None
    if kind is not None and kind.in_parts and not whole.exists():
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
    said = [kind for kind in every_format() if kind.begins(head) and (kind.packed or not packed)]
    ending = said[0].endings[0] if said else ".csv"
    return copy.rename(copy.with_name(copy.name + ending + (".gz" if packed else "")))
