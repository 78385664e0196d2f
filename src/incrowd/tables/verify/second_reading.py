"""A table's CSV file read a second way, by Arrow, and held against the cells that the engine compares.

Where these two differ `incrowd.check` reads the file too, and has the last word: it is slow, and exact.
"""

from __future__ import annotations

import io
import itertools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from incrowd.check.exact import Unreadable
from incrowd.check.tables import BLANKS, Table, decoded, detected
from incrowd.errors import OurBug

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened

MOST = 1 << 24  # bytes of a file that is read twice
ENDINGS = (".csv", ".tsv", ".txt", ".data")


def confirm_cells(engine: Engine, opened: Opened, source: Any, reading: Reading) -> None:
    """Raise `OurBug` where the engine's cells of a CSV file are others than those that two other readers find.

    What is no such file, or longer than `MOST`, or not read by Arrow, is passed over. O(cells) time and memory.
    """
    if not isinstance(source, (str, Path)) or Path(source).suffix.lower() not in ENDINGS:
        return
    if not Path(source).is_file() or Path(source).stat().st_size > MOST:
        return
    with engine.guard("reading the table a second time"):
        names = [f"c{j}" for j in range(len(opened.names))]
        found = engine.fetch(opened.data.select(**{name: engine.text(opened.data[name]) for name in names}))
    cells = pa.table([found.column(name).cast(pa.string()) for name in names], names)
    try:
        if _same(cells, _cells(Path(source), reading, len(names))):
            return
        header = reading.header is not False
        third = Table(
            source, header=header, delimiter=reading.delimiter, encoding=reading.encoding, na=reading.na,
            strip=reading.strip,
        )  # fmt: skip
    except (Unreadable, pa.ArrowInvalid):
        return
    if Counter(zip(*(column.to_pylist() for column in cells.columns), strict=True)) != Counter(third.rows):
        raise OurBug(f"other ways of reading {opened.label} find other cells; nothing was verified. Please report this")


def _same(cells: pa.Table, other: pa.Table) -> bool:
    """Return whether two tables hold the same rows; the engine promises no order."""
    if cells.num_rows != other.num_rows or cells.equals(other):
        return bool(cells.num_rows == other.num_rows)
    order = [(name, "ascending") for name in cells.column_names]
    return bool(cells.sort_by(order).equals(other.sort_by(order)))


def _cells(path: Path, reading: Reading, width: int) -> pa.Table:
    """Return the cells of a file as texts, NULL where a value is missing."""
    text = decoded(path, reading.encoding).lstrip("\r\n")
    sign = reading.delimiter
    sign = detected(list(itertools.islice(io.StringIO(text, newline=""), 800))) if sign is None else sign
    sign = {"\\t": "\t", "tab": "\t"}.get(sign, sign)
    names = [f"c{j}" for j in range(width)]
    found = csv.read_csv(
        pa.BufferReader(text.encode()),
        csv.ReadOptions(column_names=names),
        csv.ParseOptions(delimiter=sign, newlines_in_values=True, ignore_empty_lines=width > 1),
        csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False),
    )
    found = found.slice(0 if reading.header is False else 1)
    missing = pa.array(["", *reading.na])
    columns = []
    for name in names:
        cells = pc.utf8_trim(found.column(name), characters=BLANKS) if reading.strip else found.column(name)
        columns.append(pc.if_else(pc.is_in(cells, missing), None, cells))
    return pa.table(columns, names)
