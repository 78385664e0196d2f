"""Parquet: read by the engine itself, with its types."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.engine.guard import lacks_room
from incrowd.tables.read.import_columns import check_names, distinct_names, from_arrow, opened, plain_path
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading

__all__ = ["open_parquet"]


def open_parquet(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    """Return a Parquet file as the engine reads it; its rows stay in the file.

    Raises
    ------
    InputError
        If it is cut short, or a column holds what the engine cannot (by name).
    """
    import pyarrow.parquet as pq

    del reading
    broken = f"{label} is no whole Parquet file; it may be cut short"
    try:
        schema = pq.read_schema(path)
        check_names(schema, label)
    except (pa.ArrowException, OSError, ValueError):
        schema = None
    if schema is None:
        raise InputError(broken)
    names = tuple(schema.names)
    distinct_names(names, label)
    trouble = ""
    try:
        with engine.guard(f"reading {label}"):
            # a folder called year=2020 must not take the place of a column called year
            raw = engine.con.read_parquet(plain_path(engine, path), hive_partitioning=False, file_row_number=True)
            *columns, place = raw.columns
            data = raw.select(raw[place].name(KEY), **{f"c{i}": raw[column] for i, column in enumerate(columns)})
            found = opened(engine, data, names, "parquet", schema, label)
    except InputError as error:
        trouble = str(error)

    def named() -> Opened:
        """Read once more by the other reader, which names the column."""
        return from_arrow(engine, schema, _batches(path), "parquet", schema, label, broken=broken)

    if not trouble:
        return dataclasses.replace(found, again=named)
    if lacks_room(trouble):
        raise InputError(trouble)
    return named()


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        yield from file.iter_batches()
