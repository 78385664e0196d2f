"""Arrow files (IPC, Feather): streamed batch by batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from incrowd.errors import refuse_on
from incrowd.tables.formats.base import Format, renamed
from incrowd.tables.formats.import_columns import from_arrow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened


@dataclass(frozen=True)
class ArrowFile(Format):
    """Arrow files (IPC, Feather)."""

    name = "arrow"
    summary = "Arrow files (IPC, Feather)"
    endings = (".arrow", ".feather", ".ipc")
    written = endings
    mark = b"ARROW1"

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return an Arrow file (the file or the stream format, compressed or not) inside the engine.

        Raises InputError if it is cut short or none.
        """
        broken = f"{label} is no whole Arrow file; it may be cut short"
        with path.open("rb") as source:
            is_file = source.read(6) == self.mark
        with refuse_on(broken, pa.ArrowException, OSError, ValueError):
            # not mapped: the pages of a mapped file count as memory that this process holds
            read = pa.OSFile(str(path))
            reader = pa.ipc.open_file(read) if is_file else pa.ipc.open_stream(read)
            schema = reader.schema
        return from_arrow(engine, schema, _batches(reader), "arrow", schema, label, broken=broken)

    def write(self, engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
        """Write an Arrow file (IPC, which is Feather's second version), uncompressed, so that it can be mapped."""
        reader = engine.batches(rows)
        plain = pa.schema([field.with_type(_plain(field.type)) for field in renamed(reader.schema, names)])
        with path.open("wb") as out, pa.ipc.new_file(out, plain) as writer:
            for batch in reader:
                # taking every row writes zeros under NULLs, where the engine leaves whatever its memory held
                every = pa.array(np.arange(batch.num_rows))
                columns = [
                    column.cast(field.type).take(every) for column, field in zip(batch.columns, plain, strict=True)
                ]
                writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=plain))

    def read_back(self, engine: Engine, path: Path, names: Sequence[str], rows: ir.Table) -> ir.Table:
        """Return a written file inside the engine."""
        with pa.OSFile(str(path)) as source:
            reader = pa.ipc.open_file(source)
            schema = renamed(reader.schema, list(rows.columns))
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
            return engine.take(schema, (pa.RecordBatch.from_arrays(b.columns, schema=schema) for b in batches))


def _batches(reader: pa.RecordBatchFileReader | pa.RecordBatchStreamReader) -> Iterator[pa.RecordBatch]:
    number = getattr(reader, "num_record_batches", None)  # of the file format
    for batch in reader if number is None else map(reader.get_batch, range(number)):
        batch.validate(full=True)  # offsets of a damaged file may point anywhere
        yield batch


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type without dictionaries, which would have to be the same in every batch."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind
