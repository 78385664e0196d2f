"""The distinct rows of a table, counted where they lie: what tells how large a search will be before it begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.table import Table

__all__ = ["Grouped", "grouped_rows"]


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """The distinct rows of a table on some columns, as they lie in the engine.

    Attributes
    ----------
    rows : ibis table
        The columns by their ids, and ``n``.
    t : int
        Its lines.
    """

    rows: ir.Table
    t: int


def grouped_rows(table: Table, ids: Sequence[str]) -> Grouped:
    """Return the distinct rows of a table with their counts, computed once in the engine.

    `ids` are columns by their ids. This takes one GROUP BY over the rows.
    """
    engine = table.engine
    with engine.guard("grouping the rows"):
        rows = engine.keep(table.data.group_by(list(ids)).aggregate(n=lambda lines: lines.count()))
        return Grouped(rows, int(engine.one(rows.aggregate(t=rows.count()))["t"]))
