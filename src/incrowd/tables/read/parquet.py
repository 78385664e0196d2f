"""Parquet: read by the engine itself, with its types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis
import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.read.arrive import distinct_names, from_arrow, opened, plain_path
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from incrowd.tables.backend import Engine
    from incrowd.tables.roles import Reading

__all__ = ["open_parquet"]


def open_parquet(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    """Return a Parquet file inside the engine.

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
    except (pa.ArrowException, OSError):
        schema = None
    if schema is None:
        raise InputError(broken)
    names = tuple(schema.names)
    distinct_names(names, label)
    trouble = ""
    try:
        with engine.guard(f"reading {label}"):
            # a folder called year=2020 must not take the place of a column called year
            raw = engine.con.read_parquet(plain_path(engine, path), hive_partitioning=False)
            ids = {f"c{i}": raw[column] for i, column in enumerate(raw.columns)}
            data = engine.keep(raw.select(ibis.row_number().name(KEY), **ids))
    except InputError as error:
        trouble = str(error)
    if not trouble:
        return opened(engine, data, names, "parquet", schema, label)
    if "memory" in trouble or "disk" in trouble:
        raise InputError(trouble)
    # read once more by the other reader, which names the column
    return from_arrow(engine, schema, _batches(path), "parquet", schema, label, broken=broken)


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        yield from file.iter_batches()
