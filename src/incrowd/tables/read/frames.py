"""Tables that are in memory or in another engine: by their type, imported only when they come."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from incrowd.errors import InputError, an
from incrowd.tables.formats.import_columns import from_arrow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

__all__ = ["open_frame"]

EXACT = 2**53  # below it every whole number is a float of its own
BLOCK = 1 << 18


def open_frame(engine: Engine, source: Any, label: str) -> Opened:
    """Return a frame, an Arrow table, a DuckDB relation or an Ibis table inside the engine.

    Relations and Ibis tables are computed by their own engine and come over in Arrow batches. Of pandas, floats that
    are all whole numbers below 2^53 are read as whole numbers: pandas has no others for whole numbers with a gap. Only
    NumPy's floats are: those of Arrow, polars and pandas' own types with a missing value are floats because somebody
    wanted them to be.

    `label` is what messages call the source. InputError is raised if it is no table, or a column holds what no release
    can (by name).
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
    arrays = {}
    for name, cells in columns.items():
        try:
            arrays[name] = pa.array(cells, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            arrays[name] = None
    bad = next((name for name, array in arrays.items() if array is None), None)
    if bad is not None:
        raise InputError(f"column {bad!r} mixes values of several types; turn it into one type, for example text")
    return pa.table(arrays)


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
    bound = True
    try:
        backend = table.get_backend()
    except IbisError:
        bound = False
    if not bound:
        raise InputError("the Ibis table belongs to no database; give one that was read from a connection")
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
    doubled = _first_doubled(names)
    if doubled:
        raise InputError(f"columns {doubled[0]} and {doubled[1]} of the table have the same name; rename one")
    arrays, bad = [], ""
    whole: dict[str, str] = {}
    for name in frame.columns:
        values = frame[name]
        try:
            if _are_whole(values):
                whole[str(name)] = "float32" if values.dtype.itemsize < 8 else "float64"
                array = _as_whole(values.to_numpy())
            else:
                array = pa.array(values, from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            bad = str(name)
            break
        arrays.append(array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array)
    if bad:
        raise InputError(f"column {bad!r} mixes values of several types; turn it into one type, for example text")
    table = pa.Table.from_arrays(arrays, names)
    origin = {str(name): kind for name, kind in frame.dtypes.items()}
    opened = from_arrow(engine, table.schema, table.to_batches(), "pandas", origin, label)
    return dataclasses.replace(opened, whole=whole)


def _are_whole(values: Any) -> bool:
    """Return whether a pandas column holds floats that are all whole numbers below 2^53, and any at all."""
    if not isinstance(values.dtype, np.dtype) or values.dtype.kind != "f" or values.dtype.itemsize > 8:
        return False
    cells = values.to_numpy()
    some = False
    for first in range(0, cells.size, BLOCK):
        known = cells[first : first + BLOCK]
        known = known[~np.isnan(known)].astype(np.float64)
        if not ((np.abs(known) < EXACT) & (known == np.trunc(known))).all():
            return False
        some |= known.size > 0
    return some


def _as_whole(cells: NDArray[Any]) -> pa.Array:
    """Return floats that are whole numbers as such, NaN as a missing one."""
    missing = np.isnan(cells)
    return pa.array(np.where(missing, 0, cells).astype(np.int64), mask=missing)


def _first_doubled(names: Iterable[str]) -> tuple[int, int] | None:
    seen: dict[str, int] = {}
    for position, name in enumerate(names, start=1):
        if name in seen:
            return seen[name], position
        seen[name] = position
    return None
