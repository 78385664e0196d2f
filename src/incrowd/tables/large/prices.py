"""What every row type costs at least, out of the engine in the order in which a certificate names the types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np

from incrowd.tables.large.instances import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ibis.expr.types as ir

    from incrowd.tables.large.pieces import Pieces
    from incrowd.tables.large.types import PackedTypes
    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64

__all__ = ["Prices", "prices"]


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """Prices that portions of a plan have found.

    Attributes
    ----------
    lines : ibis table
        Words and ``p``, kept: a line for every row type of these portions. The others have their per-row price.
    parts : int
        Of a scaled unit, in which ``p`` is.
    value : int
        What all row types' prices prove at least, scaled.
    """

    lines: ir.Table
    parts: int
    value: int


def prices(table: Table, types: PackedTypes, told: Pieces, found: Prices | None = None) -> Iterator[Int64]:
    """Give the price of every row type, some at a time, types by the UTF-8 bytes of their values, missing ones first.

    `told` has words and ``best``, a line or more for each type. `found` are those that stand in place of these, which
    are counted in the same parts then. Both are forgotten.

    Notes
    -----
    One GROUP BY, one join (two with prices that were found) and one sort. On Spark the driver holds those of one part
    of the sort at a time.
    """
    engine = types.engine
    with engine.guard("writing the certificate's prices"):
        every = told.table()
        least = every.group_by(types.words).aggregate(p=every.best.min())
        if found is not None:
            named = found.lines.rename({f"f{word}": word for word in types.words} | {"better": "p"})
            joined = least.left_join(named, [least[word] == named[f"f{word}"] for word in types.words])
            per_row = joined.p * whole(found.parts)
            least = joined.select(*types.words, p=ibis.coalesce(joined.better, per_row))
        joined = types.values.join(least, types.words)
        order = []
        for column in table.quasi_identifiers:
            text = engine.text(joined[column.id])
            order += [text.isnull().desc(), text.asc()]
        for batch in engine.streamed(joined.order_by(order).select("p")):
            yield np.asarray(batch.column("p").to_numpy(zero_copy_only=False), np.int64)
        engine.drop(every)
        if found is not None:
            engine.drop(found.lines)
