"""What every row type costs at least, out of the engine in the order in which a certificate names the types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ibis.expr.types as ir

    from incrowd.tables.large.pieces import Pieces
    from incrowd.tables.large.types import PackedTypes
    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64

__all__ = ["in_order", "prices"]


def in_order(table: Table, types: PackedTypes, told: Pieces) -> ir.Table:
    """Return the price ``p`` of every row type, kept, types by the UTF-8 bytes of their values, missing ones first.

    Parameters
    ----------
    table : Table
    types : PackedTypes
        Of it.
    told : Pieces
        Words and ``best``, a line or more for each type; forgotten.

    Notes
    -----
    One GROUP BY, one join and one sort.
    """
    engine = types.engine
    with engine.guard("sorting the certificate's prices"):
        every = told.table()
        least = every.group_by(types.words).aggregate(p=every.best.min())
        joined = types.values.join(least, types.words)
        order = []
        for column in table.quasi_identifiers:
            text = engine.text(joined[column.id])
            order += [text.isnull().desc(), text.asc()]
        sorted_prices = engine.keep(joined.order_by(order).select("p"))
        engine.drop(every)
    return sorted_prices


def prices(types: PackedTypes, ordered: ir.Table) -> Iterator[Int64]:
    """Give the prices, some at a time.

    Parameters
    ----------
    types : PackedTypes
    ordered : ibis table
        As `in_order` returns it.
    """
    with types.engine.guard("writing the certificate's prices"):
        for batch in types.engine.batches(ordered):
            yield np.asarray(batch.column("p").to_numpy(zero_copy_only=False), np.int64)
