"""What the row types say about the choice of quasi-identifiers, in time to mend it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from incrowd.errors import count_of

if TYPE_CHECKING:
    from incrowd.tables.table import Compressed, Table

__all__ = ["advised"]

FEWEST_ROWS = 20


def advised(table: Table, compressed: Compressed) -> Table:
    """Return the table with a note for every column of numbers that are mostly distinct and have no hierarchy.

    It takes one pass over the row types for the columns with more distinct values than half the rows, and none
    otherwise.
    """
    engine, values = table.engine, compressed.values
    many = [
        (column, size)
        for column, size in zip(table.quasi_identifiers, compressed.types.sizes, strict=True)
        if table.rows >= FEWEST_ROWS and 2 * size > table.rows and column.id not in table.ladders
    ]
    if not many:
        return table
    wrong = {}
    for column, _ in many:
        text = engine.text(values[column.id])
        wrong[column.id] = (text.notnull() & text.try_cast("float64").isnull()).sum()
    with engine.guard("looking at the numbers"):
        found = engine.one(values.aggregate(**wrong))
    notes = [
        f"column {column.name!r} holds numbers that are mostly distinct ({size:,} in {count_of(table.rows, 'row')}), "
        f"so few rows look alike: give it intervals, for example --hierarchy {column.name}=intervals:5,10,20"
        for column, size in many
        if not found[column.id]
    ]
    return dataclasses.replace(table, notes=(*table.notes, *notes)) if notes else table
