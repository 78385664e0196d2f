"""Where a table comes from: files by their ending, frames by their type."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import ibis
import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.read import csv
from incrowd.tables.table import KEY, Kind, Opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.backend import Engine
    from incrowd.tables.roles import Reading

__all__ = ["label_of", "open_source"]

ENDINGS: dict[str, Kind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def label_of(source: Any) -> str:
    """Return what messages call a source: a base name, never a path."""
    if isinstance(source, (str, Path)):
        return "standard input" if str(source) == "-" else f"'{Path(source).name}'"
    return "the table"


def open_source(engine: Engine, source: Any, reading: Reading) -> Opened:
    """Return the source inside the engine.

    Parameters
    ----------
    source : path, "-", pandas or polars frame, Arrow table
    reading : Reading
        Used for CSV only.

    Raises
    ------
    InputError
        If it cannot be read; with what was expected.
    """
    label = label_of(source)
    if isinstance(source, (str, Path)):
        return _open_path(engine, Path(source), reading, label)
    table, kind, origin = _arrow(source)
    names = tuple(str(name) for name in table.column_names)
    _distinct_names(names, label)
    for field in table.schema:
        if pa.types.is_null(field.type):
            table = table.set_column(
                table.schema.get_field_index(field.name), field.name, pa.nulls(len(table), pa.string())
            )
    physical = table.rename_columns([f"c{i}" for i in range(len(names))])
    with engine.guard(f"reading {label}"):
        kept = engine.put(physical.append_column(KEY, pa.array(range(len(physical)), pa.int64())))
    return Opened(kept, names, kind, origin, label)


def _open_path(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    if str(path) == "-":
        path = _standard_input(engine)
    elif path.is_dir():
        raise InputError(f"{label} is a folder; name a table in it")
    elif not path.exists():
        raise InputError(f"there is no file {label}")
    kind = ENDINGS.get(path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix.lower(), "")
    if not kind:
        raise InputError(f"{label} has an ending that is not known; it must be one of {', '.join(ENDINGS)}")
    if kind == "parquet":
        return _open_parquet(engine, path, label)
    seen = csv.look(path, reading, label)
    with engine.guard(f"reading {label}"):
        data = engine.keep(csv.scan(engine, path, seen, reading, label))
    return Opened(data, seen.names, "csv", None, label, seen.notes, seen.quotable)


def _open_parquet(engine: Engine, path: Path, label: str) -> Opened:
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(path)
    except (pa.ArrowException, OSError):
        schema = None
    if schema is None:
        raise InputError(f"{label} is no whole Parquet file; it may be cut short")
    names = tuple(schema.names)
    _distinct_names(names, label)
    with engine.guard(f"reading {label}"):
        raw = engine.con.read_parquet(str(path))
        ids = {f"c{i}": raw[column] for i, column in enumerate(raw.columns)}
        data = engine.keep(raw.select(ibis.row_number().name(KEY), **ids))
    return Opened(data, names, "parquet", schema, label)


def _standard_input(engine: Engine) -> Path:
    """Copy standard input to the private folder, told apart by Parquet's magic bytes."""
    stream: IO[bytes] = sys.stdin.buffer
    head = stream.read(4)
    target = engine.private_file(".parquet" if head == b"PAR1" else ".csv")
    with target.open("wb") as out:
        out.write(head)
        while block := stream.read(1 << 20):
            out.write(block)
    return target


def _distinct_names(names: Sequence[str], label: str) -> None:
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if name in seen:
            raise InputError(f"columns {seen[name]} and {position} of {label} have the same name; rename one")
        seen[name] = position


def _arrow(source: Any) -> tuple[pa.Table, Kind, Any]:
    """Return a frame as an Arrow table, its kind and what restores its types."""
    if isinstance(source, pa.Table):
        return source, "pyarrow", source.schema
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source]), "pyarrow", source.schema
    module = type(source).__module__.partition(".")[0]
    if module == "polars":
        frame = source.collect() if hasattr(source, "collect") else source
        if not hasattr(frame, "to_arrow") or not hasattr(frame, "schema"):
            raise InputError("a polars series is no table; give a DataFrame")
        return frame.to_arrow(), "polars", dict(frame.schema)
    if module == "pandas" and hasattr(source, "columns"):
        doubled = _first_doubled([str(name) for name in source.columns])
        if doubled:
            raise InputError(f"columns {doubled[0]} and {doubled[1]} of the table have the same name; rename one")
        return _from_pandas(source), "pandas", {str(name): kind for name, kind in source.dtypes.items()}
    raise InputError(f"a {type(source).__name__} is no table; give a path, a pandas or polars frame or an Arrow table")


def _first_doubled(names: list[str]) -> tuple[int, int] | None:
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if name in seen:
            return seen[name], position
        seen[name] = position
    return None


def _from_pandas(frame: Any) -> pa.Table:
    bad = ""
    arrays, names = [], []
    for name in frame.columns:
        try:
            arrays.append(pa.array(frame[name], from_pandas=True))
            names.append(str(name))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            bad = str(name)
            break
    if bad:
        raise InputError(f"column {bad!r} mixes values of several types; turn it into one type, for example text")
    return pa.Table.from_arrays([a.combine_chunks() if isinstance(a, pa.ChunkedArray) else a for a in arrays], names)
