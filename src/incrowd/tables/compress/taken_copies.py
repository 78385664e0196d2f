"""A table in two: so many copies of each row type, and all other rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.engine.row_salt import row_salt
from incrowd.tables.table import KEY, SHOWN, Expanded

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.table import Compressed, Table
    from incrowd.tables.values import Int64

__all__ = ["taken_apart"]


def taken_apart(table: Table, compressed: Compressed, copies: Int64, *, seed: int) -> tuple[Expanded, Expanded]:
    """Return a table without some copies of its row types, and these copies.

    What stays and what was taken has every row as it is, and is computed once. The row types of `compressed` are told
    apart by the quasi-identifiers alone. `copies` is (t,) int64: how many rows to take away of each type, at most as
    many as there are. `seed` decides which of the rows of a type these are, by their content.

    It takes one join of the rows with the types that lose copies and one sort of their rows.
    """
    engine, columns = table.engine, table.quasi_identifiers
    fewer = np.flatnonzero(copies)
    with engine.guard("taking equal rows away"):
        counted = engine.put(pa.table({"type": fewer, "copies": copies[fewer]}))
        named = {f"t{j}": compressed.values[c.id] for j, c in enumerate(columns)}
        types = counted.join(compressed.values.select("type", **named), "type").rename(row_type="type")
        rows = table.data
        typed = rows.left_join(types, [rows[c.id].identical_to(types[f"t{j}"]) for j, c in enumerate(columns)])
        # equal hashes mean equal rows, whose order cannot matter
        content = engine.content_hash([typed[c.id] for c in table.columns], row_salt(table, seed))
        rank = ibis.row_number().over(group_by="row_type", order_by=[content, typed[KEY]])
        taken = typed.row_type.notnull() & (rank < typed.copies)
        hashed = engine.short_hash([typed[c.id] for c in columns])
        told = engine.keep(typed.mutate(taken=taken, **{SHOWN: hashed}))
        both = [_rows(table, told.filter(part)) for part in (~told.taken, told.taken)]
        kept, away = (Expanded(table, engine.keep(part), compressed.values, None) for part in both)
        engine.drop(told)
    return kept, away


def _rows(table: Table, rows: ir.Table) -> ir.Table:
    return rows.select(KEY, SHOWN, *(c.id for c in table.columns))
