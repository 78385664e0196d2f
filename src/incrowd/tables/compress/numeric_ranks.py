"""Where the values of numeric columns lie among each other, in whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.tables.table import Column, Compressed, Table
    from incrowd.tables.values import Int64

__all__ = ["places"]

LENGTH = 1 << 30


def places(table: Table, compressed: Compressed) -> tuple[Int64 | None, ...]:
    """Return `Problem.places`: for columns declared numeric the place of every value code, for others None.

    The least number lies at 1, the largest at 2^30, the others between them in proportion (rounded down); NULL
    lies at 0. Where they are further apart than a float can say, neighbours are one apart.

    Each array is (d,). A numeric column takes one GROUP BY over the row types and, outside the engine, 20 bytes a
    distinct value.
    """
    return tuple(
        _places(table, compressed, j, column) if column.name in table.roles.numeric else None
        for j, column in enumerate(table.quasi_identifiers)
    )


def _places(table: Table, compressed: Compressed, j: int, column: Column) -> Int64:
    engine, values = table.engine, compressed.values
    number = engine.text(values[column.id]).try_cast("float64")
    with engine.guard("ordering the numbers"):
        found = engine.fetch(
            values.select(number=number, type=values["type"], value=values[column.id])
            .group_by("value")
            .aggregate(number=lambda t: t["number"].max(), type=lambda t: t["type"].min())
            .select("number", "type")
        )
    code = compressed.types.codes[found.column("type").to_numpy(), j]
    numbers = np.empty(code.size, np.float64)
    numbers[code] = found.column("number").to_numpy(zero_copy_only=False)
    known = ~np.isnan(numbers)
    place = np.zeros(code.size, np.int64)
    if not known.any():
        return place
    distinct, rank = np.unique(numbers[known], return_inverse=True)
    with np.errstate(over="ignore"):
        span = distinct[-1] - distinct[0]
    if 0 < span < np.inf:
        share = (numbers[known] - distinct[0]) / span
        place[known] = 1 + np.floor(share * (LENGTH - 1)).astype(np.int64)
    else:
        place[known] = 1 + rank
    return place
