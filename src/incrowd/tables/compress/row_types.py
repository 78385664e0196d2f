"""Stage 2: the distinct rows on the quasi-identifiers, with counts and integer codes.

The engine groups and ranks; what crosses over is integers. The values stay behind, in a table that knows
each type's index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis
import numpy as np

from incrowd.tables.table import Compressed
from incrowd.tables.values import RowTypes

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.table import Table

__all__ = ["compress"]


def compress(table: Table) -> Compressed:
    """Return the row types of a table.

    Parameters
    ----------
    table : Table

    Returns
    -------
    Compressed
        Types in the order of the table sorted by UTF-8 bytes (NULL first), so that an index names a type for
        everybody who holds the original.

    Notes
    -----
    One GROUP BY over the rows, one sort of each column's distinct values, one sort of the types. Outside the
    engine: 4 m + 8 bytes a type.
    """
    engine = table.engine
    columns = table.quasi_identifiers
    ids = [c.id for c in columns]
    with engine.guard("grouping the rows"):
        grouped = engine.keep(table.data.group_by(ids).aggregate(n=lambda rows: rows.count()))
        coded = grouped
        sizes = []
        ranks = []
        for j, name in enumerate(ids):
            rank = _ranks(table, grouped, name, f"code{j}")
            sizes.append(int(engine.one(rank.aggregate(n=rank.count()))["n"]))
            coded = coded.join(rank, [coded[name].identical_to(rank[f"value{j}"])]).drop(f"value{j}")
            ranks.append(rank)
        codes = [f"code{j}" for j in range(len(ids))]
        order = ibis.row_number().over(order_by=codes)
        typed = engine.keep(coded.mutate(type=order.cast("int64")))
        arrow = engine.fetch(typed.select("n", *codes).order_by(codes))
        values = engine.keep(typed.select("type", *ids))
        for done in (grouped, typed, *ranks):
            engine.drop(done)
    stacked = [arrow.column(name).to_numpy() for name in codes]
    types = RowTypes(
        np.ascontiguousarray(np.stack(stacked, axis=1), dtype=np.int32),
        arrow.column("n").to_numpy().astype(np.int64),
        tuple(sizes),
    )
    return Compressed(types, values)


def _ranks(table: Table, grouped: ir.Table, name: str, code: str) -> ir.Table:
    """Return the distinct values of a column with their ranks by UTF-8 bytes, NULL first."""
    distinct = grouped.select(**{f"value{code[4:]}": grouped[name]}).distinct()
    value = distinct[f"value{code[4:]}"]
    text = table.engine.text(value)
    order = [text.isnull().desc(), text.asc(), value.asc()]
    ranked = distinct.mutate(**{code: ibis.row_number().over(order_by=order).cast("int32")})
    return table.engine.keep(ranked)
