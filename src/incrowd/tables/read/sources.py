"""Where a table comes from: files by their ending, everything else by its type."""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import shutil
import sys
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.atomic_file import reason_of
from incrowd.errors import InputError, an, count_of, refuse_on
from incrowd.tables.engine.guard import lacks_memory
from incrowd.tables.formats import every_format
from incrowd.tables.formats.base import BLOCK, format_of, unpacked
from incrowd.tables.formats.import_columns import array_of, distinct_names, from_arrow, plain_path, whole_numbers
from incrowd.tables.read.spark import handed_over, open_spark
from incrowd.tables.source_files import (
    address_of,
    are_paths,
    check_there,
    file_states,
    files_of,
    name_of,
    refuse_database,
    steady,
)
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading


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
    files are one table: listed, by a pattern such as ``'2024-*.csv'``, or as a folder. `reading` is used for CSV only
    (its encoding for SPSS, Stata and SAS too). `once` says whether the rows will be read once or twice only (by
    `with_roles`): Parquet is not copied into the engine then. InputError is raised if the source cannot be read, with
    what was expected.
    """
    if isinstance(source, str) and not source.strip():
        raise InputError("no table is given: its name is an empty text")
    refuse_database(source)
    label = label_of(source)
    here = engine.files is engine and address_of(source) is None  # else executors may see what this machine does not
    kind = format_of(Path(source)) if isinstance(source, (str, Path)) else None
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
        raise InputError(f"{label} is an address on a cluster, which engine spark reads; say engine = spark")
    several = files_of(source)
    if several is not None:
        return open_several(engine, several, reading, label)
    if not isinstance(source, (str, Path)):
        return open_frame(engine, source, label)
    path, part = _parts(source)
    if str(path) == "-":
        path = _standard_input(engine)
    else:
        check_there(path, label)
    kind = format_of(path)
    if kind is None:
        endings = ", ".join(ending for known in every_format() for ending in known.endings)
        raise InputError(f"{label} has an ending that is not known; it must be one of {endings}")
    with refuse_on(f"{label} cannot be opened; may you read it?", OSError):
        path.open("rb").close()
    packed = path.suffix.lower() == ".gz"
    path = unpacked(engine, path, label) if packed else path
    found = kind.read(engine, Path(plain_path(engine, path)), reading, label, part)
    if packed:
        path.unlink()  # its rows lie in the engine
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
    try:
        with engine.guard(f"reading {found.label}"):
            return dataclasses.replace(found, data=engine.keep(found.data), again=None)
    except InputError as error:
        if lacks_memory(str(error)):
            raise
    return found.again()


def _parts(source: str | Path) -> tuple[Path, str]:
    """Split ``FILE::TABLE``; a file that is called so itself is meant first."""
    whole = Path(source)
    head, mark, part = str(source).rpartition("::")
    kind = format_of(Path(head)) if mark and part else None
    if kind is not None and kind.in_parts and not whole.exists():
        return Path(head), part
    return whole, ""


def _standard_input(engine: Engine) -> Path:
    """Copy standard input to the private folder, told apart by its first bytes: CSV unless they say otherwise."""
    stream: IO[bytes] = sys.stdin.buffer
    copy = engine.private_file("")
    try:
        with copy.open("wb") as out:
            shutil.copyfileobj(stream, out, BLOCK)
    except OSError as error:
        raise InputError(f"standard input cannot be copied: {reason_of(error)}") from None
    with copy.open("rb") as source:
        head = source.read(64)
    packed = head.startswith(b"\x1f\x8b")
    if packed:
        head = b""
        with contextlib.suppress(OSError, EOFError, zlib.error), gzip.open(copy) as unpacked:
            head = unpacked.read(64)
    marked = [kind for kind in every_format() if kind.mark and (kind.packed or not packed)]
    ending = next((kind.endings[0] for kind in marked if head.lstrip().startswith(kind.mark)), ".csv")
    return copy.rename(copy.with_name(copy.name + ending + (".gz" if packed else "")))


# Tables that are in memory or in another engine: by their type, imported only when they come.
def open_frame(engine: Engine, source: Any, label: str) -> Opened:
    """Return a frame, an Arrow table, a DuckDB relation or an Ibis table inside the engine.

    Relations and Ibis tables are computed by their own engine and come over in Arrow batches. Of pandas, floats that
    are all whole numbers below 2^53 are read as whole numbers: pandas has no others for whole numbers with a gap. Only
    NumPy's floats are: those of Arrow, polars and pandas' own types with a missing value are floats because somebody
    wanted them to be. `label` is what messages call the source. InputError is raised if it is no table, or a column
    holds what no release can (by name).
    """
    module = type(source).__module__.partition(".")[0].lstrip("_")
    if isinstance(source, (pa.Table, pa.RecordBatch)):
        table = pa.Table.from_batches([source]) if isinstance(source, pa.RecordBatch) else source
        return from_arrow(engine, table.schema, table.to_batches(), "pyarrow", table.schema, label)
    if module == "duckdb" and hasattr(source, "to_arrow_table"):
        return _relation(engine, source, label)
    if module == "ibis":
        return _ibis(engine, source, label)
    if module == "polars":
        return _polars(engine, source, label)
    if module == "pandas" and hasattr(source, "columns"):
        return _pandas(engine, source, label)
    if isinstance(source, (dict, list)):
        table = _python(source)
        return from_arrow(engine, table.schema, table.to_batches(), type(source).__name__, table.schema, label)
    raise InputError(
        f"{an(type(source).__name__)} is no table; give a path, a pandas or polars frame, an Arrow table, a list of "
        "dicts, a dict of lists, a DuckDB relation, a Spark frame or an Ibis table"
    )


def _python(source: dict[Any, Any] | list[Any]) -> pa.Table:
    """Return rows as dicts, or columns as lists, as Arrow; a key that a row lacks is a missing value."""
    if isinstance(source, dict):
        if not all(isinstance(cells, (list, tuple, np.ndarray)) for cells in source.values()):
            raise InputError("a dict is a table if each of its columns is a list, {'age': [31, 47], 'sex': ['f', 'm']}")
        columns = source
        if len({len(cells) for cells in columns.values()}) > 1:
            raise InputError("the columns of the dict differ in length; a table has as many cells in each")
    else:
        if not all(isinstance(row, dict) for row in source):
            raise InputError("a list is a table if each of its rows is a dict, [{'age': 31, 'sex': 'f'}]")
        names = list(dict.fromkeys(name for row in source for name in row))
        columns = {name: [row.get(name) for row in source] for name in names}
    if not columns:
        raise InputError(f"{an(type(source).__name__)} without columns is no table; give at least one")
    if not all(isinstance(name, str) for name in columns):
        raise InputError("the columns of a list of dicts or a dict of lists are named by texts; name them so")
    return pa.table({name: array_of(name, cells) for name, cells in columns.items()})


def _relation(engine: Engine, relation: Any, label: str) -> Opened:
    origin = {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}
    with engine.guard(f"computing {label}"):
        reader = engine.reader(relation)
    return from_arrow(engine, reader.schema, reader, "duckdb", origin, label, broken=_not_computed(label))


def _ibis(engine: Engine, table: Any, label: str) -> Opened:
    from ibis.common.exceptions import IbisError
    from ibis.expr.types import Table

    if not isinstance(table, Table):
        raise InputError("an Ibis expression is a table only if it has rows and columns; give an Ibis table")
    with refuse_on("the Ibis table belongs to no database; give one that was read from a connection", IbisError):
        backend = table.get_backend()
    with engine.guard(f"computing {label}"):
        if hasattr(backend, "_to_duckdb_relation"):  # ibis 12 asks DuckDB 2 for batches by a name that is gone
            reader: Any = engine.reader(backend._to_duckdb_relation(table))
        else:
            reader = backend.to_pyarrow_batches(table, chunk_size=1 << 16)
        schema = reader.schema
        origin = table.schema().to_pyarrow()
    return from_arrow(engine, schema, reader, "ibis", origin, label, broken=_not_computed(label))


def _not_computed(label: str) -> str:
    return f"{label} cannot be computed to its end by its own engine; does every value fit its column's type?"


def _polars(engine: Engine, source: Any, label: str) -> Opened:
    import polars as pl

    frame = source
    if isinstance(source, pl.LazyFrame):
        with engine.guard(f"computing {label}"):
            frame = source.collect()
    if not isinstance(frame, pl.DataFrame):
        raise InputError("a polars series is no table; give a DataFrame")
    for name, kind in frame.schema.items():
        if kind == pl.Object:
            raise InputError(f"column {name!r} holds Python objects; turn it into text or numbers first")
    arrow = frame.to_arrow()
    return from_arrow(engine, arrow.schema, arrow.to_batches(), "polars", dict(frame.schema), label)


def _pandas(engine: Engine, frame: Any, label: str) -> Opened:
    names = [str(name) for name in frame.columns]
    distinct_names(names, label)
    arrays = []
    whole: dict[str, str] = {}
    for name in frame.columns:
        values = frame[name]
        array = array_of(str(name), values)
        if isinstance(values.dtype, np.dtype) and values.dtype.kind == "f":
            array = whole_numbers(array)
            if pa.types.is_integer(array.type):
                whole[str(name)] = "float32" if values.dtype.itemsize < 8 else "float64"
        arrays.append(array)
    table = pa.Table.from_arrays(arrays, names)
    origin = {str(name): kind for name, kind in frame.dtypes.items()}
    opened = from_arrow(engine, table.schema, table.to_batches(), "pandas", origin, label)
    return dataclasses.replace(opened, whole=whole)


# Several files of equal columns as one table.
ROWS = 1 << 40  # more than any file has: what separates the keys of one file's rows from the next one's


def open_several(engine: Engine, files: Sequence[Path], reading: Reading, label: str) -> Opened:
    """Return files, one or more, as one table, in their order; its columns are in the order of the first file.

    `label` is what messages call the table. InputError is raised if one cannot be read, or its columns have other names
    or types than those of the first. Every file is kept in the engine, and then all of them together: for a moment
    twice the table's size.
    """
    opened: list[Opened] = []
    for file in files:
        found = open_source(engine, file, reading)
        opened.append(found if not opened else _like(opened[0], found))
    first = opened[0]
    if len(opened) == 1:
        return dataclasses.replace(first, label=label)
    parts = [
        one.data.mutate(**{KEY: one.data[KEY].cast("int64") + ibis.literal(number * ROWS, "int64")})
        for number, one in enumerate(opened)
    ]
    with engine.guard(f"reading {label}"):
        data = engine.keep(ibis.union(*parts, distinct=False))
    for one in opened:
        engine.forget(one.data)
    return dataclasses.replace(
        first,
        data=data,
        label=label,
        notes=(*first.notes, f"{count_of(len(opened), 'file')} were read as one table"),
        quotable=all(one.quotable for one in opened),
    )


def _like(first: Opened, other: Opened) -> Opened:
    """Return a file's columns in the order of those of the first."""
    told = first.quotable and other.quotable
    if set(first.names) != set(other.names):
        lacks = [name for name in first.names if name not in other.names]
        more = [name for name in other.names if name not in first.names]
        said = f"lacks {', '.join(lacks[:3])}" if lacks else f"has {', '.join(more[:3])} besides"
        detail = said if told else f"has {len(other.names)} columns and not the same {len(first.names)}"
        raise InputError(f"the files of one table have the same columns, but {other.label} {detail} ({first.label})")
    places = [other.names.index(name) for name in first.names]
    data = other.data.select(KEY, **{f"c{i}": other.data[f"c{place}"] for i, place in enumerate(places)})
    kinds, others = first.data.schema(), data.schema()
    for i, name in enumerate(first.names):
        if kinds[f"c{i}"].copy(nullable=True) != others[f"c{i}"].copy(nullable=True):
            shown = f"column {name!r}" if told else f"column {i + 1}"
            raise InputError(
                f"{shown} has one type in {first.label} and another in {other.label}; give it the same in all files"
            )
    return dataclasses.replace(other, data=data, names=first.names)
