"""Hierarchies as ARX writes and reads them: CSV without a header, one line a value, its labels level by level.

What is honoured: ``;`` between entries (a comma or tab is recognised), ``"`` doubled inside quotes, blanks trimmed
also inside quotes, empty lines skipped, no comment sign, an empty field is the empty text, a missing value is
the text ``NULL``, and a last column of stars that may be absent. A byte-order mark is taken off.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy.csv_lines import csv_of
from incrowd.tables.hierarchy.values import Hierarchy

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["read_hierarchy", "write_hierarchy"]

DELIMITERS = (";", "\t", ",", "|")


def read_hierarchy(
    path: str | Path, *, delimiter: str | None = None, encodings: Sequence[str] = ("utf-8-sig",), **costs: Any
) -> Hierarchy:
    """Return the hierarchy in a CSV file.

    `delimiter` is by default the first of ``;``, tab, ``,``, ``|`` that the first line holds. `encodings` are tried in
    their order. `costs` are ``level_costs`` or ``node_costs``, as in `Hierarchy`.

    Raises InputError if the file cannot be read, is no text in any of the encodings, or is ARX's own binary form.
    Raises PolicyError if its lines are no hierarchy; the sentence names the file and counts the faults.
    """
    path = Path(path)
    name = f"hierarchy {path.name!r}"
    if path.suffix.lower() == ".ahs":
        raise InputError(f"{name} is a Java object of ARX; open it in ARX and export the hierarchy as CSV")
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{name} does not exist; `incrowd hierarchy COLUMN TABLE -o {path.name}` makes one") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte or half a surrogate pair in it
        raise InputError(f"{name} is no name that a file can have") from None
    text = _decoded(raw, encodings)
    if text is None:
        known = dict.fromkeys(encoding.removesuffix("-sig") for encoding in encodings)
        raise InputError(f"{name} is not {' or '.join(known)} text; save it as UTF-8")
    sign = delimiter or _delimiter(text)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True))
    except csv.Error:
        raise InputError(f"{name} has a quote that is never closed or not doubled; mend that line") from None
    lines = [tuple(cell.strip() for cell in row) for row in rows if any(row)]
    try:
        return Hierarchy(lines=tuple(lines), **costs)
    except PolicyError as error:
        raise PolicyError(f"{name}: {error}") from None


def _decoded(raw: bytes, encodings: Sequence[str]) -> str | None:
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if "\0" not in text:
            return text
    return None


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return next((sign for sign in DELIMITERS if sign in first), ";")


def write_hierarchy(hierarchy: Hierarchy, *, delimiter: str = ";") -> str:
    """Return a hierarchy as ARX's CSV, with the column of stars.

    It has a line a leaf, each ended by a newline. `delimiter` is one character.
    """
    return csv_of(hierarchy.lines, delimiter=delimiter)
