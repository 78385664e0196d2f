"""Which line of its hierarchy each value code of a column has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.tables.table import Compressed, Table
    from incrowd.tables.values import Int64

__all__ = ["hierarchy_lines"]


def hierarchy_lines(table: Table, compressed: Compressed) -> tuple[Int64 | None, ...]:
    """Return the line that every value code has in its column's hierarchy, shape (d,) per quasi-identifier.

    It is None for a column that has no hierarchy. Each of the others takes one GROUP BY over the row types and one join
    with the lines. Integers alone leave the engine, 16 bytes a distinct value.
    """
    engine, values = table.engine, compressed.values
    lines: list[Int64 | None] = []
    for j, column in enumerate(table.quasi_identifiers):
        ladder = table.ladders.get(column.id)
        if ladder is None:
            lines.append(None)
            continue
        with engine.guard("looking up the hierarchies"):
            text = engine.text(values[column.id])
            first = values.select(v=text, type=values["type"]).group_by("v").aggregate(type=lambda t: t["type"].min())
            joined = first.join(ladder.rows, first.v.identical_to(ladder.rows.v))
            found = engine.fetch(joined.select(type=joined["type"], line=joined.line))
        line = np.empty(compressed.types.sizes[j], np.int64)
        line[compressed.types.codes[found.column("type").to_numpy(), j]] = found.column("line").to_numpy()
        lines.append(line)
    return tuple(lines)
