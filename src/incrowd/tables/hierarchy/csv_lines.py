"""The lines of a hierarchy as text, as ARX writes them: CSV without a header, one line a value, the star last."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["csv_of"]


def csv_of(lines: Iterable[Sequence[str]], *, delimiter: str = ";") -> str:
    """Return the lines of a hierarchy (a value, then its labels) as CSV, with the column of stars.

    `delimiter` is one character.
    """
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    for line in lines:
        writer.writerow((*line, "*"))
    return out.getvalue()
