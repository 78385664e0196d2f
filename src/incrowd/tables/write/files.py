"""Release files: staged beside their place, read back, and only then renamed."""

from __future__ import annotations

import contextlib
import shutil
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from incrowd.atomic_file import disk_is_full, placed, refuse_place
from incrowd.errors import InputError, OurBug, PolicyError
from incrowd.tables.formats import every_format, format_named
from incrowd.tables.formats.base import BLOCK
from incrowd.tables.formats.formula_marks import safe
from incrowd.tables.formats.gzip_members import is_whole
from incrowd.tables.source_files import address_of, files_of
from incrowd.tables.write.frames import ordered

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Expanded, Kind

__all__ = ["check_output", "kind_of", "refuse_unsafe", "same_rows", "send", "staged_stream", "write_file"]

DEFAULT = "csv"


def endings() -> dict[str, Kind]:
    """Return the kind of file that each ending stands for; those that may be packed come first."""
    written = sorted((kind for kind in every_format() if kind.written), key=lambda kind: not kind.packed)
    found: dict[str, Kind] = {}
    for kind in written:
        for ending in kind.written:
            found |= dict.fromkeys((ending, f"{ending}.gz") if kind.packed else (ending,), kind.name)
    return found


def kind_of(path: Path) -> Kind | None:
    """Return how an ending says a file is written, or None.

    A staged file ends as its place does (``.out.csv.gz.1f2e.part.gz``).
    """
    packed = ".gz" if path.suffix.lower() == ".gz" else ""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if packed and ".part" in suffixes:
        suffixes = suffixes[: suffixes.index(packed) + 1]
    ending = "".join(suffixes[-2:]) if packed else "".join(suffixes[-1:])
    return endings().get(ending)


def check_output(output: Path | str, *inputs: Any, any_ending: bool = False) -> None:
    """Refuse an output that cannot be written, before anything runs.

    ``"-"`` is standard output, which passes. Those of `inputs`, the sources, that are paths must be other files. With
    `any_ending` an output of any ending is taken. Raise `InputError` if the output is an input file, its ending is not
    known, or no file can be put there (`incrowd.atomic_file.refuse_place`).
    """
    if output == "-":
        return
    path = Path(output)
    if address_of(output) is not None:
        raise InputError(
            f"output '{path.name}' is an address on a cluster; only a release of engine spark is put there"
        )
    if not any_ending and kind_of(path) is None:
        raise InputError(f"output '{path.name}' must end in {', '.join(endings())}, which says how it is written")
    refuse_place(path, f"output '{path.name}'")
    for other in inputs:
        _refuse_input(path, other)


def _refuse_input(path: Path, source: Any) -> None:
    """Refuse an output that is an input, or would be read as a part of it the next time."""
    several = files_of(source)
    single = [Path(source)] if isinstance(source, (str, Path)) and str(source) != "-" else []
    if any(_same_file(path, file) for file in (single if several is None else several)):
        raise InputError(f"output '{path.name}' is also an input; name another file")
    if several is not None and single and single[0].is_dir() and _same_file(path.parent, single[0]):
        raise InputError(
            f"output '{path.name}' would lie in the folder that is the table, and be read as a part of it the next "
            "time; put it elsewhere"
        )


def _same_file(one: Path, other: Path) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return one.samefile(other)
    with contextlib.suppress(OSError, ValueError, RuntimeError):  # one of them is not there yet
        return one.resolve() == other.resolve()
    return False


def refuse_unsafe(kind: Kind | None) -> None:
    """Refuse a kind of file in which no cell is marked for spreadsheets.

    Raise `PolicyError` if it is not CSV.
    """
    if kind != DEFAULT:
        raise PolicyError("spreadsheet_safe is about CSV: let the output end in .csv or .csv.gz, or leave it out")


def staged_stream(release: Expanded, *, keep_order: bool, spreadsheet_safe: bool = False) -> Path:
    """Write what is to go to standard output into a private file, in the kind of file that came in, or else as CSV.

    `keep_order` says whether the rows keep the order of the input, and `spreadsheet_safe` whether cells are marked as
    `incrowd.tables.formats.formula_marks` says; it is CSV then. Raise `InputError` if the disk is full, and `OurBug` if
    what was to be written is not the release; nothing is written then.
    """
    came = release.table.kind
    kind = came if came in endings().values() and not spreadsheet_safe else DEFAULT
    staged = release.table.engine.private_file(f".{kind}")
    write_file(release, staged, kind=kind, keep_order=keep_order, spreadsheet_safe=spreadsheet_safe)
    if not same_rows(release, staged, kind=kind, spreadsheet_safe=spreadsheet_safe):
        raise OurBug("what was to be written does not hold the verified release; nothing was. Please report this")
    return staged


def send(staged: Path) -> None:
    """Write a private file to standard output.

    Raise `InputError`, which names the files that are in place, if it cannot be written, and `BrokenPipeError` if
    whoever reads it stops.
    """
    trouble = ""
    with staged.open("rb") as source:
        try:
            out = _standard_output()
            shutil.copyfileobj(source, out, BLOCK)
            out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            trouble = "the disk is full" if disk_is_full(error) else str(error.strerror)
    if trouble:
        raise InputError(f"standard output cannot be written: {trouble}; {placed()}")


def _standard_output() -> IO[bytes]:
    return sys.stdout.buffer


def write_file(
    release: Expanded, path: Path, *, kind: Kind | None = None, keep_order: bool, spreadsheet_safe: bool = False
) -> None:
    """Write the release to a staged file.

    The file's ending says how it is written unless `kind` does. CSV and JSON lines are packed if it ends in ``.gz``.
    `spreadsheet_safe` says whether cells and names are marked as `incrowd.tables.formats.formula_marks` says; CSV only.
    Raise `InputError` if the disk is full, or the kind of file cannot hold a column, and `PolicyError` if cells are to
    be marked in another kind of file than CSV.
    """
    table = release.table
    engine, rows = _at_files(table.engine, ordered(release, keep_order=keep_order))
    names = [c.name for c in table.columns]
    kind, packed = kind or kind_of(path), path.suffix.lower() == ".gz"
    if spreadsheet_safe:
        refuse_unsafe(kind)
        rows, names = safe(engine, rows, names)
    with engine.guard("writing the release"):
        format_named(kind or DEFAULT).write(engine, rows, names, path, packed=packed)


def _at_files(engine: Engine, rows: ir.Table) -> tuple[Engine, ir.Table]:
    """Return the engine that reads and writes files, and rows inside it in their order."""
    if engine.files is engine:
        return engine, rows
    with engine.guard("collecting the release"):
        reader = engine.batches(rows)
    with engine.files.guard("collecting the release"):
        return engine.files, engine.files.take(reader.schema, reader)


def same_rows(release: Expanded, path: Path, *, kind: Kind | None = None, spreadsheet_safe: bool = False) -> bool:
    """Read a staged file back and return whether it holds exactly the released rows.

    Compares the number of rows and the sum of a 128-bit hash of every row, and the checksums of a packed file. The kind
    of file is that of the ending by default. It takes two passes over the rows, and one over a packed file.
    """
    if path.suffix.lower() == ".gz" and not is_whole(path):
        return False
    engine, rows = _at_files(release.table.engine, release.rows.select([c.id for c in release.table.columns]))
    kept = format_named(kind or kind_of(path) or DEFAULT)
    empty = kept.empty_is_null
    names = [c.name for c in release.table.columns]
    if spreadsheet_safe:
        rows, names = safe(engine, rows, names)
    with engine.guard("reading the release back"):
        back = kept.read_back(engine, path, names, rows)
        return _print(engine, rows, empty_is_null=empty) == _print(engine, back, empty_is_null=empty)


def _print(engine: Engine, rows: ir.Table, *, empty_is_null: bool) -> tuple[int, ...]:
    texts = []
    for column in rows.columns:
        text = engine.text(rows[column])
        texts.append(text.nullif("") if empty_is_null else text)
    return engine.fingerprint(rows, texts)
