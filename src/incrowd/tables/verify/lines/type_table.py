"""The row types of an original table, counted, ranked and numbered in the engine; counts alone and lines leave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted

__all__ = ["Grouped", "TypeTable", "grouped", "type_table", "with_prices"]

JOINS = 12  # a longer chain of joins is too deep for the engine's layers
PRICES = pa.schema([("type", pa.int64()), ("p", pa.int64())])


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """The distinct rows on some columns.

    Attributes
    ----------
    rows : ibis table
        ``v0``, ``v1``, ... and ``n``.
    t : int
        How many there are.
    """

    rows: ir.Table
    t: int


@dataclass(frozen=True, slots=True, eq=False)
class TypeTable:
    """Row types in the engine.

    Attributes
    ----------
    engine : Engine
    rows : ibis table
        ``n`` and the rank ``r0``, ``r1``, ... of every value in its column, a line a type, in the order of these.
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


def grouped(engine: Engine, rows: ir.Table, columns: Sequence[ir.Value]) -> Grouped:
    """Return the distinct rows on some columns, with their counts.

    Parameters
    ----------
    engine : Engine
    rows : ibis table
    columns : sequence of ibis columns of `rows`, length m
        The quasi-identifiers.

    Notes
    -----
    One GROUP BY.
    """
    with engine.guard("counting the original's row types"):
        values = rows.select(**{f"v{j}": engine.plain(column) for j, column in enumerate(columns)})
        types = engine.keep(values.group_by(values.columns).aggregate(n=lambda r: r.count()))
        return Grouped(types, int(engine.one(types.aggregate(t=types.count()))["t"]))


def type_table(engine: Engine, types: Grouped, hierarchies: Mapping[int, Fitted]) -> TypeTable:
    """Return row types with the ranks of their values; `types` is forgotten.

    Parameters
    ----------
    engine : Engine
        One that keeps the order of lines (DuckDB).
    types : Grouped
    hierarchies : mapping of int to Fitted
        By the place of the column, which is text then.

    Notes
    -----
    One sort of the values and one join a column, and one sort of the types. Of columns with a hierarchy 16 bytes a
    value leave the engine.
    """
    rows, m = types.rows, len(types.rows.columns) - 1
    sizes, lines, between = [], [], [rows]
    with engine.guard("ranking the original's row types"):
        for j in range(m):
            ranked = _ranked(engine, types.rows, j)
            sizes.append(int(engine.one(ranked.aggregate(d=ranked.count()))["d"]))
            lines.append(_lines(engine, ranked, j, sizes[-1], hierarchies.get(j)))
            rows = rows.join(ranked, [rows[f"v{j}"].identical_to(ranked[f"u{j}"])]).drop(f"u{j}", f"v{j}")
            if (j + 1) % JOINS == 0 and j + 1 < m:
                rows = engine.keep(rows)
                between.append(rows)
        ranks = [f"r{j}" for j in range(m)]
        ordered = engine.keep(rows.select("n", *ranks).order_by(ranks))  # [T2]
        n = int(engine.one(ordered.aggregate(n=ordered.n.sum()))["n"])
        for done in between:
            engine.drop(done)
    return TypeTable(engine, ordered, types.t, n, tuple(sizes), tuple(lines))


def _ranked(engine: Engine, rows: ir.Table, j: int) -> ir.Table:
    """Return the distinct values ``u{j}`` of a column with the rank ``r{j}`` of each [T1]."""
    distinct = rows.select(**{f"u{j}": rows[f"v{j}"]}).distinct()
    text = engine.text(distinct[f"u{j}"])
    rank = ibis.dense_rank().over(order_by=[text.notnull().cast("int8"), text])
    return engine.keep(distinct.mutate(**{f"r{j}": rank.cast("int32")}))


def _lines(engine: Engine, ranked: ir.Table, j: int, size: int, fitted: Fitted | None) -> NDArray[np.int64] | None:
    """Return the line of each rank of a column in its hierarchy."""
    if fitted is None:
        return None
    leaves = [line[0] for line in fitted.shown()]
    known = engine.put(
        pa.table({"leaf": pa.array(leaves, pa.string()), "line": pa.array(range(len(leaves)), pa.int64())})
    )
    values = ranked.select(value=engine.text(ranked[f"u{j}"]), rank=ranked[f"r{j}"])
    found = engine.fetch(values.join(known, values.value.identical_to(known.leaf)).select("rank", "line"))
    lines = np.empty(size, np.int64)
    lines[found.column("rank").to_numpy()] = found.column("line").to_numpy()
    return lines


def with_prices(types: TypeTable, prices: Iterator[NDArray[np.int64]]) -> ir.Table:
    """Return row types, kept, with their number ``type`` and their price ``p``; those without prices are forgotten.

    Parameters
    ----------
    types : TypeTable
    prices : iterator of int64 arrays
        In the order of the types: as many of them.

    Notes
    -----
    One join.
    """
    engine = types.engine
    with engine.guard("reading the prices"):
        put = engine.take(PRICES, _batches(prices))
        numbered = types.rows.mutate(type=ibis.row_number().cast("int64"))
        priced = engine.keep(numbered.join(put, "type"))
        for done in (put, types.rows):
            engine.drop(done)
    return priced


def _batches(prices: Iterator[NDArray[np.int64]]) -> Iterator[pa.RecordBatch]:
    """Give the prices with their numbers as the engine takes them."""
    begin = 0
    for some in prices:
        numbers = np.arange(begin, begin + len(some))
        yield pa.RecordBatch.from_arrays([pa.array(numbers), pa.array(some)], schema=PRICES)
        begin += len(some)
