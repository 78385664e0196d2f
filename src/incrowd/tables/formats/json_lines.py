"""JSON lines: types are JSON's own, nothing is guessed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import ibis.expr.datatypes as dt

from incrowd.errors import InputError
from incrowd.tables.engine.json_lines import begins_with_mark, cells, columns_of, fault, lines_of, scan
from incrowd.tables.formats.base import Format, sink
from incrowd.tables.formats.import_columns import opened
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading

__all__ = ["JsonLines"]


@dataclass(frozen=True)
class JsonLines(Format):
    """JSON objects, one a line."""

    name = "jsonl"
    summary = "JSON objects, one a line"
    endings = (".jsonl", ".ndjson", ".json")
    written = (".jsonl", ".ndjson")
    packed = True

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a file of JSON objects inside the engine."""
        del part
        return open_json_lines(engine, path, reading, label)

    def begins(self, head: bytes) -> bool:
        """Return whether a file starts with an object."""
        return head.lstrip().startswith(b"{")

    def write(self, engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
        """Write one JSON object a line."""
        write_json_lines(engine, rows, names, path, packed=packed)

    def read_back(self, engine: Engine, path: Path, names: Sequence[str], rows: ir.Table) -> ir.Table:
        """Return a written file inside the engine, in the types that `rows` has."""
        lines = scan(engine, path, packed=path.suffix == ".gz")
        kinds = {name: _json_type(rows[i]) for i, name in zip(rows.columns, names, strict=True)}
        return lines.select(**dict(zip(rows.columns, cells(lines, kinds), strict=True)))


def open_json_lines(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    """Return a file of JSON objects, one a line, inside the engine.

    Columns come in the order in which their keys first occur; a key that a line lacks is NULL. Text stays text
    (dates too), whole numbers are int64 or decimal, other numbers float64. What is nested or mixes types passes
    as JSON and cannot be a quasi-identifier.

    Raises InputError with the number of the first faulty line.

    Notes
    -----
    Three passes over the file; linear in it. Memory is the engine's.
    """
    del reading
    packed = path.suffix == ".gz"
    good = False
    names: tuple[str, ...] = ()
    if begins_with_mark(path, packed=packed):
        raise InputError(fault(path, label, packed=packed))
    try:
        with engine.guard(f"reading {label}"):
            lines = scan(engine, path, packed=packed)
            kinds, good = columns_of(engine, lines)
            if good and kinds:
                names = tuple(kinds)
                found = {f"c{i}": value for i, value in enumerate(cells(lines, kinds))}
                data = engine.keep(lines.select(ibis.row_number().name(KEY), **found))
    except InputError as error:
        if "memory" in str(error) or "disk" in str(error):
            raise
        good = False
    if not good:
        raise InputError(fault(path, label, packed=packed))
    if not names:
        raise InputError(f"{label} is empty; a table needs at least one line with at least one key")
    return opened(engine, data, names, "jsonl", None, label)


def write_json_lines(engine: Engine, rows: ir.Table, names: Sequence[str], path: Path, *, packed: bool) -> None:
    """Write one JSON object a line, UTF-8, LF, nulls written out; through gzip if `packed`."""
    floats = {i: rows[i].isinf().sum() for i in rows.columns if rows[i].type().is_floating()}
    endless = engine.one(rows.aggregate(**floats)) if floats else {}
    for i, name in zip(rows.columns, names, strict=True):
        if endless.get(i):
            raise InputError(f"column {name!r} holds infinite numbers, which JSON lines cannot; write CSV or Parquet")
    with sink(path, packed) as out:
        for batch in engine.batches(lines_of(engine, rows, names)):
            for line in batch.column(0).to_pylist():
                out.write(line.encode() + b"\n")


def _json_type(value: ir.Value) -> dt.DataType:
    kind = value.type()
    same = kind.is_json() or kind.is_integer() or kind.is_floating() or kind.is_boolean()
    return kind if same else dt.string
