"""A table to be made k-anonymous: CSV with a header, every column a quasi-identifier."""

from __future__ import annotations

import csv
import io
from typing import Any

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_ITEMS, MOST_NAME, refuse_cells
from incrowd.hardness.problems.problem import Given, Problem, bad

__all__ = ["ROWS"]

STAR = "*"
MOST_COLUMNS = 1_000


class _Rows(Problem):
    name = "rows"
    holds = "a table in CSV with a header, all of it quasi-identifiers"

    def read(self, text: str) -> Given:
        """Return the rows of a text as tuples of texts."""
        try:
            lines = [line for line in csv.reader(io.StringIO(text, newline=""), strict=True) if line]
        except csv.Error:
            raise InputError("the source is no CSV: quotes or line ends do not fit") from None
        if len(lines) < 2:
            raise InputError("the source needs a header and at least one row")
        header, *rows = lines
        if len(set(header)) < len(header) or not all(header) or len(header) > MOST_COLUMNS:
            raise InputError(
                f"the header of the source must name at most {MOST_COLUMNS:,} columns, each with its own name"
            )
        if len(rows) > MOST_ITEMS:
            raise InputError(f"the source has more than {MOST_ITEMS:,} rows; that is too large a problem")
        refuse_cells(len(rows), len(header))
        for i, row in enumerate(rows, 1):
            if len(row) != len(header):
                raise InputError(f"row {i} of the source has {len(row)} cells where the header has {len(header)}")
            if any(not cell or cell == STAR or cell.lower() == "nan" or len(cell) > MOST_NAME for cell in row):
                raise InputError(
                    f"row {i} of the source has a cell that is missing, a star, NaN or longer than {MOST_NAME} "
                    "characters"
                )
        return Given(tuple(map(tuple, rows)), {})

    def pack(self, source: Any) -> dict[str, Any]:
        """Return the rows of a `Rows`, or rows as they are."""
        return {"rows": [list(row) for row in getattr(source, "rows", source)]}

    def unpack(self, held: Any) -> tuple[tuple[str, ...], ...]:
        """Return the rows."""
        rows = held.get("rows") if isinstance(held, dict) else None
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ITEMS:
            bad(f"rows must be a list of 1 to {MOST_ITEMS:,} rows")
        if not all(
            isinstance(row, list) and 1 <= len(row) <= MOST_COLUMNS and len(row) == len(rows[0]) for row in rows
        ):
            bad("rows must be lists of equal length")
        if not all(
            isinstance(cell, str) and cell != STAR and 0 < len(cell) <= MOST_NAME for row in rows for cell in row
        ):
            bad("rows must hold texts")
        return tuple(map(tuple, rows))

    def counts(self, source: Any) -> dict[str, int]:
        """Return nothing: rows are called by their numbers."""
        return {}


ROWS = _Rows()
