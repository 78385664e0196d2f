"""The row types of an original table, counted, ranked and numbered in the engine; counts alone and lines leave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.verify.bound.row_types import lines_of_ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted

__all__ = ["TypeTable", "type_table", "with_prices"]

JOINS = 12  # a longer chain of joins is too deep for the engine's layers
ORDERED = "duckdb"  # the engine whose kept tables have their lines in the order in which they were computed
PRICES = pa.schema([("type", pa.int64()), ("p", pa.int64())])


@dataclass(frozen=True, slots=True, eq=False)
class TypeTable:
    """Row types in the engine.

    Attributes
    ----------
    engine : Engine
    rows : ibis table
        ``n`` and the rank ``r0``, ``r1``, ... of every value in its column, a line a type; in the order of these where
        the engine keeps one (DuckDB).
    t, n : int
        Row types, and rows of them all.
    sizes : tuple of int, length m
        Distinct values of each column.
    lines : tuple of (d,) int64 or None, length m
        Line of each rank in its column's hierarchy.
    """

    engine: Engine
    rows: ir.Table
    t: int
    n: int
    sizes: tuple[int, ...]
    lines: tuple[NDArray[np.int64] | None, ...]


def type_table(engine: Engine, types: ir.Table, hierarchies: Mapping[int, Fitted]) -> TypeTable:
    """Return row types with the ranks of their values; `types`, which is as `grouped` returns it, is forgotten.

    `hierarchies` are by the place of the column, which is text then. One sort of the values and one join a column, and
    one sort of the types. Of columns with a hierarchy 16 bytes a value leave the engine.
    """
    rows, m = types, len(types.columns) - 1
    sizes, lines, between = [], [], [rows]
    with engine.guard("ranking the original's row types"):
        for j in range(m):
            ranked = _ranked(engine, types, j)
            sizes.append(int(engine.one(ranked.aggregate(d=ranked.count()))["d"]))
            texted = ranked.select(value=engine.text(ranked[f"u{j}"]), rank=ranked[f"r{j}"])
            lines.append(lines_of_ranks(engine, texted, hierarchies.get(j)))
            rows = rows.join(ranked, [rows[f"v{j}"].identical_to(ranked[f"u{j}"])]).drop(f"u{j}", f"v{j}")
            if (j + 1) % JOINS == 0 and j + 1 < m:
                rows = engine.keep(rows)
                between.append(rows)
        ranks = [f"r{j}" for j in range(m)]
        ordered = rows.select("n", *ranks)
        ordered = engine.keep(ordered.order_by(ranks) if engine.name == ORDERED else ordered)  # [T2]
        told = engine.one(ordered.aggregate(t=ordered.count(), n=ordered.n.sum()))
        for done in between:
            engine.drop(done)
    return TypeTable(engine, ordered, int(told["t"]), int(told["n"]), tuple(sizes), tuple(lines))


def _ranked(engine: Engine, rows: ir.Table, j: int) -> ir.Table:
    """Return the distinct values ``u{j}`` of a column with the rank ``r{j}`` of each [T1]."""
    distinct = rows.select(**{f"u{j}": rows[f"v{j}"]}).distinct()
    text = engine.text(distinct[f"u{j}"])
    rank = ibis.dense_rank().over(order_by=[text.notnull().cast("int8"), text])
    return engine.keep(distinct.mutate(**{f"r{j}": rank.cast("int32")}))


def with_prices(types: TypeTable, prices: Iterator[NDArray[np.int64]]) -> ir.Table:
    """Return row types, kept, with their number ``type`` and their price ``p``; those without prices are forgotten.

    The prices are in the order of the types, and as many of them. It takes one join; on Spark, which keeps no order,
    also one GROUP BY and one sort of the types of each value of the first column.
    """
    engine = types.engine
    with engine.guard("reading the prices"):
        put = engine.take(PRICES, _batches(prices))
        priced = engine.keep(_numbered(types).join(put, "type"))
        for done in (put, types.rows):
            engine.drop(done)
    return priced


def _numbered(types: TypeTable) -> ir.Table:
    """Return row types with their number [T2]."""
    rows = types.rows
    if types.engine.name == ORDERED:
        return rows.mutate(type=ibis.row_number().cast("int64"))
    ranks = [f"r{j}" for j in range(len(types.sizes))]
    held = rows.group_by("r0").aggregate(types=rows.count())
    before = held.types.sum().over(ibis.cumulative_window(order_by=held.r0)) - held.types
    starts = held.select(begins=held.r0, before=before.cast("int64"))
    own = rows.mutate(own=ibis.row_number().over(group_by=rows.r0, order_by=[rows[rank] for rank in ranks]))
    numbered = own.join(starts, own.r0 == starts.begins)
    return numbered.mutate(type=(numbered.own + numbered.before).cast("int64")).drop("own", "begins", "before")


def _batches(prices: Iterator[NDArray[np.int64]]) -> Iterator[pa.RecordBatch]:
    """Give the prices with their numbers as the engine takes them."""
    begin = 0
    for some in prices:
        numbers = np.arange(begin, begin + len(some))
        yield pa.RecordBatch.from_arrays([pa.array(numbers), pa.array(some)], schema=PRICES)
        begin += len(some)
