"""Tables of SPSS, Stata and SAS, read by pyreadstat (the extra ``statistics``).

Value labels are the values: a cell that has a label reads as its label, one without as its code, and the column
is text. User-defined missing values of SPSS and Stata are NULL. Such programs know numbers and text only: numbers
that are all whole become whole numbers, and the empty text, which is how they store a missing text, is NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from incrowd.errors import InputError, refuse_on
from incrowd.tables.formats.base import Format
from incrowd.tables.formats.import_columns import EXACT, array_of, from_arrow, whole_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading
    from incrowd.tables.table import Opened


READERS = {  # ending: function of pyreadstat, program
    ".sav": ("read_sav", "SPSS"),
    ".zsav": ("read_sav", "SPSS"),
    ".dta": ("read_dta", "Stata"),
    ".sas7bdat": ("read_sas7bdat", "SAS"),
    ".xpt": ("read_xport", "SAS transport"),
}
CARD = 80


@dataclass(frozen=True)
class Statistics(Format):
    """tables of SPSS, Stata and SAS."""

    name = "statistics"
    summary = "tables of SPSS, Stata and SAS"
    endings = (".sav", ".zsav", ".dta", ".sas7bdat", ".xpt")

    def read(self, engine: Engine, path: Path, reading: Reading, label: str, part: str = "") -> Opened:
        """Return an SPSS, Stata or SAS file inside the engine.

        Raises InputError if the extra is not installed, or the file is cut short. The table is read into memory whole,
        as Python objects: about 100 bytes a cell.
        """
        ending = path.suffix.lower()
        with refuse_on(f"{label} needs a reader that is not installed: pip install pyreadstat", ImportError):
            import pyreadstat
        reader, program = READERS[ending]
        broken = f"{label} is no whole {program} file; it may be cut short"
        if not _whole(path, ending):
            raise InputError(broken)
        encoding = {} if reading.encoding == "utf-8" else {"encoding": reading.encoding}
        with refuse_on(
            f"{broken}, or hold text in another encoding (name its encoding) or dates out of range",
            pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, ValueError, OverflowError,
            TypeError,  # a name that its encoding does not have is None to the reader
        ):  # fmt: skip
            cells, meta = getattr(pyreadstat, reader)(str(path), output_format="dict", **encoding)
        rows = {len(values) for values in cells.values()}
        if len(rows) > 1 or (meta.number_rows is not None and rows and rows != {meta.number_rows}):
            raise InputError(broken)
        columns, notes = [], []
        for name in meta.column_names:
            labels = meta.variable_value_labels.get(name, {})
            if len(set(labels.values())) < len(labels):
                notes.append(f"column {name!r} of {label} has one label for several codes, so its codes are kept")
                labels = {}
            columns.append(_column(name, cells[name], labels))
        table = pa.Table.from_arrays(columns, list(meta.column_names))
        return from_arrow(engine, table.schema, table.to_batches(), "statistics", None, label, notes=tuple(notes))


def _whole(path: Path, ending: str) -> bool:
    """Return whether a file ends as its format says; the reader takes some cut ones for whole."""
    with path.open("rb") as source:
        head = source.read(11)
        size = source.seek(0, 2)
        if ending == ".xpt":
            return size > 0 and size % CARD == 0
        if ending == ".dta" and head == b"<stata_dta>":
            source.seek(max(0, size - 12))
            return source.read() == b"</stata_dta>"
    return True


def _column(name: str, values: list[Any], labels: Mapping[Any, str]) -> pa.Array:
    """Return a column as Arrow; what it holds never reaches a message."""
    values = [None if value is None or value != value or value == "" else value for value in values]
    if labels:
        texts = {code: str(text) for code, text in labels.items()}
        return pa.array([None if v is None else texts.get(v, _code(v)) for v in values], pa.string())
    return whole_numbers(array_of(name, values))


def _code(value: Any) -> str:
    whole = isinstance(value, (int, float)) and abs(value) <= EXACT and value == int(value)
    return str(int(value)) if whole else str(value)
