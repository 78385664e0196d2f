"""How each kind of file is written, and read back for the last check before it gets its name.

Every writer streams: what is in memory is a batch. Columns are called by the user's names, which the engine would
take for one where they differ in case alone, so none of them reaches the engine as a name of its own.
"""

from __future__ import annotations

import csv
import gzip
import io
import shutil
from typing import IO, TYPE_CHECKING

import ibis.expr.datatypes as dt
import numpy as np
import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.engine.json_lines import cells, lines_of, scan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine

__all__ = ["read_back", "write_arrow", "write_csv", "write_json_lines", "write_parquet"]

BLOCK = 1 << 20
LEVEL = 6  # gzip's own default; Python's is 9, for hardly a byte less


def write_csv(engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
    """Write CSV: comma, UTF-8, LF, a header line, NULL as the empty field; through gzip if `packed`."""
    body = path.with_name(path.name + ".body")
    try:
        body.touch(mode=0o600, exist_ok=False)  # nobody reads along before the check
        # without its header: the engine would take names that differ in case alone for one
        engine.con.to_csv(rows, body, header=False, delim=",", nullstr="", use_tmp_file=False)
        with _sink(path, packed) as out:
            out.write(_header(names))
            with body.open("rb") as source:
                shutil.copyfileobj(source, out, BLOCK)
    finally:
        body.unlink(missing_ok=True)


def write_json_lines(engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
    """Write one JSON object a line, UTF-8, LF, nulls written out; through gzip if `packed`."""
    floats = {i: rows[i].isinf().sum() for i in rows.columns if rows[i].type().is_floating()}
    endless = engine.one(rows.aggregate(**floats)) if floats else {}
    for i, name in zip(rows.columns, names, strict=True):
        if endless.get(i):
            raise InputError(f"column {name!r} holds infinite numbers, which JSON lines cannot; write CSV or Parquet")
    with _sink(path, packed) as out:
        for batch in engine.batches(lines_of(engine, rows, names)):
            for line in batch.column(0).to_pylist():
                out.write(line.encode() + b"\n")


def write_parquet(engine: Engine, rows: ir.Table, names: Sequence[str], path: Path) -> None:
    """Write Parquet; by the engine itself, except where names differ in case alone."""
    if len({name.casefold() for name in names}) == len(names):
        # as texts: places in lists, written in order by several threads, come out as empty texts now and then
        cells = {i: engine.text(rows[i]) if rows[i].type().is_string() else rows[i] for i in rows.columns}
        renamed = rows.select(**{name: cells[i] for name, i in zip(names, rows.columns, strict=True)})
        engine.con.to_parquet(renamed, path, use_tmp_file=False)  # else by a file beside it that all may read
        return
    import pyarrow.parquet as pq

    reader = engine.batches(rows)
    schema = _renamed(reader.schema, names)
    with pq.ParquetWriter(path, schema) as writer:
        for batch in reader:
            writer.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=schema))


def write_arrow(engine: Engine, rows: ir.Table, names: Sequence[str], path: Path) -> None:
    """Write an Arrow file (IPC, which is Feather's second version), uncompressed, so that it can be mapped."""
    reader = engine.batches(rows)
    plain = pa.schema([field.with_type(_plain(field.type)) for field in _renamed(reader.schema, names)])
    with path.open("wb") as out, pa.ipc.new_file(out, plain) as writer:
        for batch in reader:
            # taking every row writes zeros under NULLs, where the engine leaves whatever its memory held
            every = pa.array(np.arange(batch.num_rows))
            columns = [column.cast(field.type).take(every) for column, field in zip(batch.columns, plain, strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=plain))


def read_back(engine: Engine, path: Path, kind: str, names: Sequence[str], rows: ir.Table) -> ir.Table:
    """Return a written file inside the engine, its columns called as those of `rows`.

    Text kinds come back as text, JSON lines in the types that `rows` has.
    """
    ids = list(rows.columns)
    if kind == "parquet":
        raw = engine.con.read_parquet(str(path), hive_partitioning=False)
        return raw.select(**{i: raw[name] for i, name in zip(ids, raw.columns, strict=True)})
    if kind == "arrow":
        with pa.memory_map(str(path)) as source:
            reader = pa.ipc.open_file(source)
            schema = _renamed(reader.schema, ids)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
            return engine.take(schema, (pa.RecordBatch.from_arrays(b.columns, schema=schema) for b in batches))
    packed = path.suffix == ".gz"
    if kind == "jsonl":
        lines = scan(engine, path, packed=packed)
        kinds = {name: _json_type(rows[i]) for i, name in zip(ids, names, strict=True)}
        return lines.select(**dict(zip(ids, cells(lines, kinds), strict=True)))
    return engine.con.read_csv(
        str(path), columns=dict.fromkeys(ids, "VARCHAR"), auto_detect=False, header=True, delim=",",
        quote='"', escape='"', strict_mode=True, compression="gzip" if packed else "none",
    )  # fmt: skip


def _json_type(value: ir.Value) -> dt.DataType:
    kind = value.type()
    same = kind.is_json() or kind.is_integer() or kind.is_floating() or kind.is_boolean()
    return kind if same else dt.string


def _header(names: Sequence[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(names)
    return text.getvalue().encode()


def _sink(path: Path, packed: bool) -> IO[bytes]:
    return _Packed(path) if packed else path.open("wb")  # type: ignore[return-value]


class _Packed(gzip.GzipFile):
    """A gzip file without name and time inside: equal releases are equal files."""

    def __init__(self, path: Path) -> None:
        self.under = path.open("wb")
        super().__init__("", "wb", LEVEL, fileobj=self.under, mtime=0)

    def close(self) -> None:
        try:
            super().close()
        finally:
            self.under.close()


def _renamed(schema: pa.Schema, names: Sequence[str]) -> pa.Schema:
    return pa.schema([field.with_name(name) for field, name in zip(schema, names, strict=True)])


def _plain(kind: pa.DataType) -> pa.DataType:
    """Return the type without dictionaries, which would have to be the same in every batch."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind
