"""A release written by Spark's executors: a folder of Parquet or CSV, staged, read back, and there at once.

Where a file system renames a folder in one step, the folder is staged beside its place and renamed. An object store
copies instead: there the files are written in place and the empty file ``_SUCCESS``, by which readers know that a
folder is whole, is written last, after they were read back.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import ibis
import pyarrow as pa

from incrowd.atomic_file import disk_is_full, placed, refuse_place
from incrowd.errors import InputError, OurBug, PolicyError
from incrowd.tables.engine.spark_places import Passing, pattern_of, place_of
from incrowd.tables.formats.base import BLOCK, by_ending, format_named, format_of, is_whole, safe
from incrowd.tables.source_files import address_of, files_of
from incrowd.tables.table import KEY, SHOWN, Column, Expanded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Kind

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


def try_place(engine: Any, output: Path | str | None) -> None:
    """Refuse a place where no folder can be put, before the work: as far as can be seen without writing a release.

    Of an engine that writes files by itself nothing is tried, nor without an output, a path or an address. Raise
    `InputError` if there is no such file system or server, something is there already, nothing may be written there, or
    it lies on one machine only.
    """
    if output is None or engine.files is engine:
        return
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
            engine.look(staged, f"place of output '{name}'")
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

    `rows`: what was read back from it, its columns by their ids. `expected`: what it has to hold. `empty_is_null`:
    whether an empty text and a missing value are written alike. `place`: gives the folder its place.
    """

    rows: ir.Table
    expected: ir.Table
    empty_is_null: bool
    place: Callable[[], None]

    def is_whole(self, engine: Engine) -> bool:
        """Return whether it holds exactly the released rows: their number, and the sum of a hash of each."""
        with engine.guard("reading the release back"):
            one, other = (_sums(engine, rows, empty_is_null=self.empty_is_null) for rows in (self.expected, self.rows))
        return one == other


def _sums(engine: Engine, rows: ir.Table, *, empty_is_null: bool) -> tuple[int, ...]:
    """Return numbers that are equal for equal multisets of rows, where an empty text may stand for a missing one."""
    cells = [rows[name] for name in rows.columns]
    if empty_is_null:
        return engine.fingerprint(rows, [engine.text(cell).nullif("") for cell in cells])
    return engine.exact_fingerprint(rows, cells)


@contextlib.contextmanager
def staged_folder(
    release: Expanded, output: Path | str, *, kind: str | None = None, keep_order: bool, spreadsheet_safe: bool = False
) -> Iterator[StagedFolder]:
    """Have the executors write the release into a folder beside its place; it vanishes unless it gets there.

    The release is in an engine on Spark. `output` is a path or an address where the folder is to be; nothing may be
    there. `kind` is ``parquet`` or ``csv``, by default what the ending says, and `spreadsheet_safe` says whether cells
    and names are marked as `incrowd.tables.formats.base` says. Raise `InputError` if it cannot be written, or
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
    passing = Passing(engine.places, staged)

    def place() -> None:
        with engine.guard(f"putting output '{name}' in its place"):
            if not at_once:
                engine.places.mark(staged)
            elif not engine.places.rename(staged, target):
                raise InputError(f"output '{name}' cannot take its place: something else is there by now")
        passing.stays()

    try:
        with engine.guard(f"writing output '{name}'"):
            engine.places.make_private(staged)
        with engine.guard("writing the release"):
            _write(engine, rows, names, kind, staged, marked=at_once)
        with engine.guard("reading the release back"):
            back = _read(engine, kind, staged, rows.columns)
        yield StagedFolder(back, expected, kind == "csv", place)
    finally:
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


# Release files: staged beside their place, read back, and only then renamed.
DEFAULT = "csv"


def kind_of(path: Path) -> Kind | None:
    """Return how an ending says a file is written, or None."""
    found = format_of(path, "written")
    return None if found is None else found.name


def check_output(output: Path | str, *inputs: Any, any_ending: bool = False) -> None:
    """Refuse an output that cannot be written, before anything runs.

    ``"-"`` is standard output, which passes. Those of `inputs`, the sources, that are paths must be other files. With
    `any_ending` an output of any ending is taken. Raise `InputError` if the output is an input file, its ending is not
    known, or no file can be put there (`incrowd.atomic_file.refuse_place`).
    """
    if output == "-":
        return
    path = Path(output) if Path(output).name else Path(output).resolve()  # which has a name to be called by
    if address_of(output) is not None:
        raise InputError(
            f"output '{path.name}' is an address on a cluster; only a release of engine spark is put there"
        )
    if not any_ending and kind_of(path) is None:
        raise InputError(
            f"output '{path.name}' must end in {', '.join(by_ending('written'))}, which says how it is written"
        )
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
    """Refuse a kind of file in which no cell is marked for spreadsheets. Raise `PolicyError` if it is not CSV."""
    if kind != DEFAULT:
        raise PolicyError("spreadsheet_safe is about CSV: let the output end in .csv or .csv.gz, or leave it out")


def staged_stream(release: Expanded, *, keep_order: bool, spreadsheet_safe: bool = False) -> Path:
    """Write what is to go to standard output into a private file, in the kind of file that came in, or else as CSV.

    `keep_order` says whether the rows keep the order of the input, and `spreadsheet_safe` whether cells are marked as
    `incrowd.tables.formats.base` says; it is CSV then. Raise `InputError` if the disk is full, and `OurBug` if
    what was to be written is not the release; nothing is written then.
    """
    came = release.table.kind
    written = [kind.name for kind in by_ending("written").values()]
    kind = came if came in written and not spreadsheet_safe else DEFAULT
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
    with staged.open("rb") as source:
        try:
            out = _standard_output()
            shutil.copyfileobj(source, out, BLOCK)
            out.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            trouble = "the disk is full" if disk_is_full(error) else error.strerror
            raise InputError(f"standard output cannot be written: {trouble}; {placed()}") from None


def _standard_output() -> IO[bytes]:
    return sys.stdout.buffer


def write_file(
    release: Expanded, path: Path, *, kind: Kind | None = None, keep_order: bool, spreadsheet_safe: bool = False
) -> None:
    """Write the release to a staged file.

    The file's ending says how it is written unless `kind` does. CSV and JSON lines are packed if it ends in ``.gz``.
    `spreadsheet_safe` says whether cells and names are marked as `incrowd.tables.formats.base` says; CSV only.
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
        return _sums(engine, rows, empty_is_null=empty) == _sums(engine, back, empty_is_null=empty)


# The released rows as the kind of table that came in, in an order that says nothing about the input's.
MOST_KEYS = 8  # columns to order by one by one


def ordered(release: Expanded, *, keep_order: bool) -> ir.Table:
    """Return the released rows in their order, without the row key.

    Rows are ordered by a hash of what their quasi-identifiers show, then by their other columns: reproducible, and
    silent about the input's order, which would re-identify by position. With `keep_order` they stay in the input's
    order. Where the release says which cells belong to a hash (`Expanded.shown`), and the engine can, the hashes are
    sorted and the cells looked up afterwards.
    """
    rows, table = release.rows, release.table
    if keep_order:
        order = [rows[KEY]]
    else:
        others = [rows[c.id] for c in table.others]
        # by their values where engines agree how these are ordered, which is far cheaper than another hash
        plain = others if len(others) <= MOST_KEYS else []
        plain = [cell for cell in plain if _same_everywhere(cell)]
        left = [cell for cell in others if not any(cell is known for known in plain)]
        order = [rows[SHOWN], *plain, *([table.engine.content_hash(left)] if left else []), *_signs(left)]
        if release.shown is not None:
            engine: Any = table.engine
            sorted_rows = rows.order_by(order).select(SHOWN, *(c.id for c in table.others))
            lines = release.shown.rename({c.id: f"r{j}" for j, c in enumerate(table.quasi_identifiers)})
            found = engine.looked_up(sorted_rows, lines, SHOWN)
            if found is not None:
                return found.select([c.id for c in table.columns])
    return rows.order_by(order).select([c.id for c in table.columns])


def _same_everywhere(cell: ir.Value) -> bool:
    """Return whether every engine orders the values of a column alike, and equal ones alone are alike."""
    kind = cell.type()
    return bool(kind.is_string() or kind.is_integer() or kind.is_boolean() or kind.is_date())


def _signs(cells: Sequence[ir.Value]) -> list[ir.Value]:
    """Return what tells floats of one text apart: -0 from 0, and NaN from a missing value."""
    floats = [cell for cell in cells if cell.type().is_floating()]
    return [ibis.ifelse(cell.isnull(), 0, ibis.ifelse(cell.cast("string") == "-0.0", 1, 2)) for cell in floats]


def as_frame(release: Expanded, *, keep_order: bool) -> Any:
    """Return the released rows as the kind of table that came in (Arrow for a file).

    Columns that were not turned into text keep their type. A pandas index is dropped. For a DuckDB relation it is a
    relation on DuckDB's default connection. For an Ibis table it is an Ibis table in memory, which every backend takes:
    it joins with tables of the one it came from, and ``connection.create_table(name, release.table)`` puts it there;
    nothing is created before that. For a table on Spark it is one of its own session, computed once: a frame, or for an
    Ibis table one that reads a temporary view. In all, it is a frame, an Arrow table, a list of dicts, a dict of lists,
    a DuckDB relation or an Ibis table. Frames and Arrow tables hold all rows in this process. For `keep_order` see
    `ordered`.
    """
    table = release.table
    if table.kind == "spark":
        with table.engine.guard("collecting the release"):
            rows = ordered(release, keep_order=keep_order)
            return table.origin.take(table.engine, rows, [c.name for c in table.columns])
    with table.engine.guard("collecting the release"):
        arrow = table.engine.fetch(ordered(release, keep_order=keep_order))
    arrow = arrow.rename_columns([c.name for c in table.columns])
    if table.kind == "pandas":
        return _pandas(arrow, table.columns, table.origin)
    if table.kind == "polars":
        return _polars(arrow, table.columns, table.origin)
    if table.kind == "duckdb":
        return _relation(arrow, table.columns, table.origin)
    if isinstance(table.origin, pa.Schema):
        arrow = _restored(arrow, table.columns, table.origin)
    if table.kind == "ibis":
        import ibis

        return ibis.memtable(arrow)
    if table.kind == "list":
        return arrow.to_pylist()
    return arrow.to_pydict() if table.kind == "dict" else arrow


def _restored(arrow: pa.Table, columns: tuple[Column, ...], schema: pa.Schema) -> pa.Table:
    """Give the columns that were not turned into text the types they came in, where their values allow it."""
    for position, column in enumerate(columns):
        wanted = schema.field(column.name).type
        if not column.text and not pa.types.is_null(wanted) and wanted != arrow.schema.field(position).type:
            with contextlib.suppress(pa.ArrowException, ValueError):  # a span of time, for one, comes back as text
                arrow = arrow.set_column(position, column.name, arrow.column(position).cast(wanted))
    return arrow


def _relation(arrow: pa.Table, columns: tuple[Column, ...], kinds: dict[str, str]) -> Any:
    """Return a relation on DuckDB's default connection, the one of ``duckdb.sql``, with the types that came in."""
    import duckdb

    relation = duckdb.from_arrow(arrow)
    out = []
    for column in columns:
        name = '"' + column.name.replace('"', '""') + '"'
        out.append(name if column.text else f"CAST({name} AS {kinds[column.name]}) AS {name}")
    return relation.project(", ".join(out))


def _pandas(arrow: pa.Table, columns: tuple[Column, ...], kinds: dict[str, Any]) -> Any:
    import pandas as pd

    out = {}
    for position, column in enumerate(columns):
        values = arrow.column(position)
        kind = kinds[column.name]
        if column.text:
            out[position] = values.to_pandas()
        elif hasattr(kind, "__from_arrow__"):
            if isinstance(kind, pd.CategoricalDtype):
                out[position] = pd.Series(pd.Categorical(values.to_pandas(), dtype=kind))
            else:
                out[position] = pd.Series(kind.__from_arrow__(values.cast(_arrow_type(kind, values.type))))
        else:
            plain = values.to_pandas()
            out[position] = plain.astype(kind) if values.null_count == 0 or kind.kind in "fOM" else plain
    frame = pd.DataFrame(out)
    frame.columns = pd.Index([c.name for c in columns])
    return frame


def _arrow_type(kind: Any, fallback: pa.DataType) -> pa.DataType:
    """Return the Arrow type an extension type of pandas reads from."""
    try:
        return pa.from_numpy_dtype(kind.numpy_dtype)
    except (AttributeError, pa.ArrowException, NotImplementedError):
        return kind.pyarrow_dtype if hasattr(kind, "pyarrow_dtype") else fallback


def _polars(arrow: pa.Table, columns: tuple[Column, ...], kinds: dict[str, Any]) -> Any:
    import polars as pl

    frame = pl.from_arrow(arrow)
    return frame.with_columns(pl.col(c.name).cast(kinds[c.name]) for c in columns if not c.text)  # type: ignore[union-attr]
