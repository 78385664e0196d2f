"""Parquet: read and written by the engine itself, with its types."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from incrowd.errors import InputError, refuse_on
from incrowd.tables.engine.guard import lacks_memory
from incrowd.tables.formats.base import Format, renamed
from incrowd.tables.formats.import_columns import from_arrow, names_of, opened
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading


@dataclass(frozen=True)
class Parquet(Format):
    """Parquet, with the types of its columns."""

    name = "parquet"
    summary = "Parquet, with the types of its columns"
    endings = (".parquet", ".pq")
    written = endings
    mark = b"PAR1"

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a Parquet file as the engine reads it; its rows stay in the file.

        Raises InputError if it is cut short, or a column holds what the engine cannot (by name).
        """
        import pyarrow.parquet as pq

        broken = f"{label} is no whole Parquet file; it may be cut short"
        with refuse_on(broken, pa.ArrowException, OSError, ValueError):
            schema = pq.read_schema(path)
        names = names_of(schema, label)

        def by_column() -> Opened:
            """Read once more by the other reader, which names the column."""
            return from_arrow(engine, schema, _batches(path), "parquet", schema, label, broken=broken)

        if "decimal256" in str(schema.types):  # which the engine's reader makes floats of
            return by_column()
        try:
            with engine.guard(f"reading {label}"):
                # a folder called year=2020 must not take the place of a column called year
                raw = engine.scan("read_parquet", path, hive_partitioning=False, file_row_number=True)
                *columns, place = raw.columns
                data = raw.select(raw[place].name(KEY), **{f"c{i}": raw[column] for i, column in enumerate(columns)})
                found = opened(engine, data, names, "parquet", schema, label)
            return dataclasses.replace(found, again=by_column)
        except InputError as error:
            if lacks_memory(str(error)):
                raise
        return by_column()

    def write(self, engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
        """Write Parquet; by the engine itself, except where names differ in case alone."""
        if len({name.casefold() for name in names}) == len(names):
            # as texts: places in lists, written in order by several threads, come out as empty texts now and then
            texts = engine.respelled(rows)
            called = texts.select(**{name: texts[i] for name, i in zip(names, rows.columns, strict=True)})
            engine.con.to_parquet(called, path, use_tmp_file=False)  # else by a file beside it that all may read
            return
        import pyarrow.parquet as pq

        reader = engine.batches(rows)
        schema = renamed(reader.schema, names)
        with pq.ParquetWriter(path, schema) as writer:
            for batch in reader:
                writer.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=schema))

    def read_back(self, engine: Engine, path: Path, names: Sequence[str], rows: ir.Table) -> ir.Table:
        """Return a written file inside the engine."""
        raw = engine.scan("read_parquet", path, hive_partitioning=False)
        return raw.select(**{i: raw[name] for i, name in zip(rows.columns, raw.columns, strict=True)})


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        yield from file.iter_batches()
