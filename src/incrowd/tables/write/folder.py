"""A release written by Spark's executors: a folder of Parquet or CSV, staged, read back, and there at once.

Where a file system renames a folder in one step, the folder is staged beside its place and renamed. An object store
copies instead: there the files are written in place and the empty file ``_SUCCESS``, by which readers know that a
folder is whole, is written last, after they were read back.
"""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.tables.engine.spark_places import Passing, pattern_of, place_of
from incrowd.tables.formats.base import format_named
from incrowd.tables.formats.formula_marks import safe
from incrowd.tables.source_files import address_of
from incrowd.tables.write.frames import ordered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Expanded

__all__ = ["StagedFolder", "check_folder", "folder_kind", "staged_folder", "try_place"]

CSV = {  # comma, UTF-8, LF, a header in each file, NULL as the empty field
    "header": True, "sep": ",", "quote": '"', "escape": '"', "nullValue": "", "lineSep": "\n",
    "encoding": "UTF-8", "ignoreLeadingWhiteSpace": False, "ignoreTrailingWhiteSpace": False,
}  # fmt: skip


def folder_kind(output: Path | str) -> str:
    """Return the kind of the files in a folder, by its ending: CSV, or else Parquet.

    The folder is a path or an address. Raise `InputError` if the ending is that of another kind.
    """
    name = Path(output).name
    ending = Path(name).suffix.lower()
    if ending in ("", *format_named("parquet").endings):
        return "parquet"
    if ending == ".csv":
        return "csv"
    raise InputError(
        f"engine spark writes a folder of Parquet or CSV: let output '{name}' end in .parquet or .csv, or in nothing"
    )


def check_folder(output: Path | str, *, kind: str | None = None, spreadsheet_safe: bool = False) -> None:
    """Refuse an output that executors cannot write, before anything runs.

    The output is a path or an address, and `kind` is ``parquet`` or ``csv``, by default what the ending says.
    `spreadsheet_safe` says whether cells are to be marked, which goes with CSV. Raise `InputError` or `PolicyError` if
    the output is standard output, of another kind than a folder can be, or there already.
    """
    if str(output) == "-":
        raise InputError("engine spark writes a folder, not standard output; name one with -o")
    if (address_of(output) or "").startswith("table:"):
        raise InputError("the release is written as a folder; name one with -o, and make a table of it afterwards")
    kind = kind or folder_kind(output)
    if spreadsheet_safe and kind != "csv":
        raise PolicyError("spreadsheet_safe is about CSV: let the output end in .csv, or leave it out")
    if address_of(output) is None:
        path = Path(output)
        if path.exists() or path.is_symlink():
            raise InputError(_there(path.name))
        if not path.parent.is_dir():
            raise InputError(f"there is no folder to put output '{path.name}' in; make it first")


def try_place(engine: Any, output: Path | str) -> None:
    """Refuse a place where no folder can be put, before the work: as far as can be seen without writing a release.

    The engine is a `SparkEngine`, and the output a path or an address. Raise `InputError` if there is no such file
    system or server, something is there already, nothing may be written there, or it lies on one machine only.
    """
    target, at_once, name = _target(engine, output)
    if not at_once:
        return
    parent = target.rstrip("/").rpartition("/")[0]
    with engine.guard(f"trying the place of output '{name}'"):
        if not engine.places.exists(parent):
            return
        staged = _staged(target)
        passing = Passing(engine.places, staged)
        try:
            engine.places.make_private(staged)
            engine.keeping.look(staged, f"place of output '{name}'")
        finally:
            passing.remove()


def _target(engine: Any, output: Path | str) -> tuple[str, bool, str]:
    """Return the address where nothing is yet, whether a folder gets it in one step, and what messages call it."""
    target, name = address_of(output) or place_of(Path(output)), Path(output).name
    with engine.guard(f"looking where output '{name}' goes"):
        if engine.places.exists(target):
            raise InputError(_there(name))
        return target, engine.places.renames(target), name


def _staged(target: str) -> str:
    parent, _, last = target.rstrip("/").rpartition("/")
    return f"{parent}/.{last}.{secrets.token_hex(4)}.part"


def _there(name: str) -> str:
    return f"output '{name}' is there already, and engine spark replaces no folder; remove it or name another"


@dataclass(slots=True)
class StagedFolder:
    """A written folder on its way to its place.

    Attributes
    ----------
    rows : ibis table
        What was read back from it, its columns by their ids.
    expected : ibis table
        What it has to hold.
    empty_is_null : bool
        Whether an empty text and a missing value are written alike.
    place : callable
        Gives the folder its place.
    """

    rows: ir.Table
    expected: ir.Table
    empty_is_null: bool
    place: Callable[[], None]

    def is_whole(self, engine: Engine) -> bool:
        """Return whether it holds exactly the released rows: their number, and the sum of a hash of each."""
        with engine.guard("reading the release back"):
            one, other = (self._sums(engine, rows) for rows in (self.expected, self.rows))
        return one == other

    def _sums(self, engine: Engine, rows: ir.Table) -> tuple[int, ...]:
        cells = [rows[name] for name in rows.columns]
        if self.empty_is_null:
            return engine.fingerprint(rows, [engine.text(cell).nullif("") for cell in cells])
        return engine.exact_fingerprint(rows, cells)


@contextlib.contextmanager
def staged_folder(
    release: Expanded, output: Path | str, *, kind: str | None = None, keep_order: bool, spreadsheet_safe: bool = False
) -> Iterator[StagedFolder]:
    """Have the executors write the release into a folder beside its place; it vanishes unless it gets there.

    The release is in an engine on Spark. `output` is a path or an address where the folder is to be; nothing may be
    there. `kind` is ``parquet`` or ``csv``, by default what the ending says, and `spreadsheet_safe` says whether cells
    and names are marked as `incrowd.tables.formats.formula_marks` says. Raise `InputError` if it cannot be written, or
    something is there.
    """
    engine: Any = release.table.engine
    kind = kind or folder_kind(output)
    rows, names = ordered(release, keep_order=keep_order), [c.name for c in release.table.columns]
    expected = release.rows.select([c.id for c in release.table.columns])
    if spreadsheet_safe:
        expected, _ = safe(engine, expected, names)
        rows, names = safe(engine, rows, names)
    target, at_once, name = _target(engine, output)
    staged = _staged(target) if at_once else target
    passing, done = Passing(engine.places, staged), False

    def place() -> None:
        nonlocal done
        with engine.guard(f"putting output '{name}' in its place"):
            if not at_once:
                engine.places.mark(staged)
            elif not engine.places.rename(staged, target):
                raise InputError(f"output '{name}' cannot take its place: something else is there by now")
        done = True

    try:
        with engine.guard(f"writing output '{name}'"):
            engine.places.make_private(staged)
        with engine.guard("writing the release"):
            _write(engine, rows, names, kind, staged, marked=at_once)
        with engine.guard("reading the release back"):
            back = _read(engine, kind, staged, rows.columns)
        yield StagedFolder(back, expected, kind == "csv", place)
    finally:
        if done:
            passing.stays()
        else:
            passing.remove()


def _write(engine: Any, rows: ir.Table, names: list[str], kind: str, folder: str, *, marked: bool) -> None:
    """Write rows in their order: the files' names sort as the rows do."""
    if kind == "csv":  # times and floats in the one spelling that reading them back gives
        rows = rows.select(**{i: engine.text(rows[i]) for i in rows.columns})
    frame = engine.frame(rows).toDF(*names)
    writer = frame.write.mode("append").option("mapreduce.fileoutputcommitter.marksuccessfuljobs", marked)
    if kind == "csv":
        writer = writer.options(**CSV, emptyValue='""')
    getattr(writer, kind)(folder)


def _read(engine: Any, kind: str, folder: str, ids: tuple[str, ...]) -> ir.Table:
    """Return what lies in a folder inside the engine, its columns by their ids."""
    reader = engine.session.read
    if kind == "csv":
        texts = ", ".join(f"{name} STRING" for name in ids)
        options = {name: value for name, value in CSV.items() if name != "lineSep"}
        strict = {"multiLine": True, "mode": "FAILFAST", "enforceSchema": True, "maxCharsPerColumn": -1}
        reader = reader.schema(texts).options(**options, **strict, emptyValue="")
    return engine.view(getattr(reader, kind)(pattern_of(folder)).toDF(*ids))
