"""Excel sheets, read by fastexcel (the extra ``statistics``), named ``FILE::SHEET``.

The first line that is not empty names the columns. Cells keep Excel's types: numbers that are all whole become
whole numbers, and timestamps that are all midnight become dates. An error such as ``#N/A`` is NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from incrowd.errors import InputError, did_you_mean, refuse_on
from incrowd.tables.formats.base import Format
from incrowd.tables.formats.import_columns import from_arrow, mixed, whole_numbers, written_names

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened


@dataclass(frozen=True)
class Spreadsheet(Format):
    """sheets of Excel workbooks."""

    name = "spreadsheet"
    summary = "sheets of Excel workbooks"
    endings = (".xlsx",)
    in_parts = True

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return a sheet of an Excel workbook inside the engine: the one named, else the first.

        Raises InputError if the extra is not installed, the workbook is cut short, or a column mixes types. A workbook
        has at most 2^20 rows, and is read into memory whole.
        """
        with refuse_on(f"{label} needs a reader that is not installed: pip install fastexcel", ImportError):
            import fastexcel
        with refuse_on(f"{label} is no whole Excel workbook; it may be cut short", fastexcel.FastExcelError):
            book = fastexcel.read_excel(str(path))
        sheets = book.sheet_names
        if part and part not in sheets:
            raise InputError(f"{label} has no sheet {part!r}{did_you_mean(part, sheets)}; it has {', '.join(sheets)}")
        chosen = part or sheets[0]
        first = f"sheet {chosen!r} of {label} was read, the first of {len(sheets)}"
        notes = (first,) if len(sheets) > 1 and not part else ()
        names = _names(fastexcel, book, chosen, label)
        places = [column.absolute_index for column in book.load_sheet(chosen, n_rows=1).available_columns()]
        columns = [_column(fastexcel, book, chosen, *at) for at in zip(places, names, strict=True)]
        table = pa.Table.from_arrays(columns, names)
        return from_arrow(engine, table.schema, table.to_batches(), "spreadsheet", None, label, notes=notes)


def _names(fastexcel: Any, book: Any, sheet: str, label: str) -> list[str]:
    """Return the names as they are written: the reader would rename doubled and empty ones."""
    empty = f"{label} is empty; a table needs a line of names and at least one row"
    with refuse_on(empty, fastexcel.FastExcelError):
        first = pa.table(book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_arrow())
    if not first.num_rows:
        raise InputError(empty)
    cells = [column[0].as_py() or "" for column in first.columns]
    names = [cell if cell.strip() else "" for cell in cells]
    written_names(names, label, "its first line")
    return names


def _column(fastexcel: Any, book: Any, sheet: str, place: int, name: str) -> pa.Array:
    with refuse_on(mixed(name), fastexcel.FastExcelError, pa.ArrowException):
        loaded = book.load_sheet(
            sheet, header_row=0, use_columns=[place], schema_sample_rows=None, dtype_coercion="strict"
        )
        found = pa.table(loaded.to_arrow()).column(0).combine_chunks()
    if pa.types.is_timestamp(found.type) and len(found.drop_null()):
        days = found.cast(pa.date32(), safe=False)
        return days if pc.all(pc.equal(days.cast(found.type), found)).as_py() else found
    return whole_numbers(found)
