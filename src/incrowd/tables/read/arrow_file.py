"""Arrow files (IPC, Feather): streamed into the engine batch by batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.read.import_columns import check_names, from_arrow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened

__all__ = ["open_arrow_file"]


def open_arrow_file(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    """Return an Arrow file (the file or the stream format, compressed or not) inside the engine.

    Raises
    ------
    InputError
        If it is cut short or none.
    """
    del reading
    broken = f"{label} is no whole Arrow file; it may be cut short"
    with path.open("rb") as source:
        is_file = source.read(6) == b"ARROW1"
    reader = None
    try:
        # mapped, so that nothing but the batch at hand is in memory
        mapped = pa.memory_map(str(path))
        reader = pa.ipc.open_file(mapped) if is_file else pa.ipc.open_stream(mapped)
        check_names(reader.schema, label)
    except (pa.ArrowException, OSError, ValueError):
        reader = None
    if reader is None:
        raise InputError(broken)
    return from_arrow(engine, reader.schema, _batches(reader), "arrow", reader.schema, label, broken=broken)


def _batches(reader: pa.RecordBatchFileReader | pa.RecordBatchStreamReader) -> Iterator[pa.RecordBatch]:
    if hasattr(reader, "num_record_batches"):
        for i in range(reader.num_record_batches):
            batch = reader.get_batch(i)
            batch.validate(full=True)  # offsets of a damaged file may point anywhere
            yield batch
    else:
        for batch in reader:
            batch.validate(full=True)
            yield batch
