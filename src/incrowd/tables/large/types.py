"""Row types that stay in the engine: counted and packed into words there; what crosses are the columns' own values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.large.instances import whole
from incrowd.tables.large.words import laid_out
from incrowd.tables.values import RowTypes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.large.words import Layout
    from incrowd.tables.row_groups import Grouped
    from incrowd.tables.table import Table
    from incrowd.tables.values import Int64, Levels

__all__ = ["CountedTypes", "Dictionaries", "PackedTypes", "dictionaries", "packed"]

JOINS = 12  # a longer chain of joins is too deep for the engine's layers


@dataclass(frozen=True, slots=True, eq=False)
class CountedTypes(RowTypes):
    """Row types of which no more than their number crossed: `codes` and `counts` hold none of them.

    Attributes
    ----------
    held : int
        Row types.
    rows : int
        Rows of them all.
    """

    held: int = 0
    rows: int = 0

    @property
    def t(self) -> int:
        """Number of row types."""
        return self.held

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.rows


@dataclass(frozen=True, slots=True, eq=False)
class Dictionaries:
    """The distinct values of every quasi-identifier with their codes.

    Attributes
    ----------
    tables : tuple of ibis tables, length m
        ``value{j}`` and ``code{j}``: its rank by UTF-8 bytes, NULL first.
    sizes : tuple of int, length m
    lines : tuple of (d,) int64 or None, length m
        The line of every code in its column's hierarchy.
    """

    tables: tuple[ir.Table, ...]
    sizes: tuple[int, ...]
    lines: tuple[Int64 | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PackedTypes:
    """Row types as words, in the engine.

    Attributes
    ----------
    engine : Engine
    rows : ibis table
        Words ``w0``, ``w1``, ..., ``n``, and ``type``, one number for each line.
    values : ibis table
        The words, ``type`` and the columns by their ids.
    layout : Layout
    """

    engine: Engine
    rows: ir.Table
    values: ir.Table
    layout: Layout

    @property
    def words(self) -> list[str]:
        """Names of the words."""
        return [f"w{i}" for i in range(self.layout.words)]


def dictionaries(table: Table, grouped: Grouped) -> Dictionaries:
    """Return the distinct values of every quasi-identifier, ranked in the engine.

    `grouped` is on the table's quasi-identifiers. It takes one DISTINCT over the row types and one sort of the values a
    column; of columns with a hierarchy 16 bytes a value cross over.
    """
    engine = table.engine
    tables, sizes, lines = [], [], []
    with engine.guard("ranking the values"):
        for j, column in enumerate(table.quasi_identifiers):
            distinct = grouped.rows.select(**{f"value{j}": grouped.rows[column.id]}).distinct()
            value = distinct[f"value{j}"]
            text = engine.text(value)
            order = ibis.row_number().over(order_by=[text.isnull().desc(), text.asc(), value.asc()])
            ranked = engine.keep(distinct.mutate(**{f"code{j}": order.cast("int32")}))
            size = int(engine.one(ranked.aggregate(d=ranked.count()))["d"])
            tables.append(ranked)
            sizes.append(size)
            lines.append(_lines(table, ranked, j, size))
    return Dictionaries(tuple(tables), tuple(sizes), tuple(lines))


def _lines(table: Table, ranked: ir.Table, j: int, size: int) -> Int64 | None:
    """Return the line of every value code in the hierarchy of column j, None where it has none."""
    ladder = table.ladders.get(table.quasi_identifiers[j].id)
    if ladder is None:
        return None
    values = ranked.select(v=table.engine.text(ranked[f"value{j}"]), code=ranked[f"code{j}"])
    joined = values.join(ladder.rows, values.v.identical_to(ladder.rows.v))
    found = table.engine.fetch(joined.select(code=joined.code, line=joined.line))
    line = np.empty(size, np.int64)
    line[found.column("code").to_numpy()] = found.column("line").to_numpy()
    return line


def packed(table: Table, grouped: Grouped, held: Dictionaries, levels: Sequence[Levels]) -> PackedTypes:
    """Pack the row types into words; `grouped` is forgotten.

    `held` is of the same columns. It takes one join a column with its values, in one pass over the row types. Raises
    PolicyError, for which see `incrowd.tables.large.words.laid_out`.
    """
    engine, columns = table.engine, table.quasi_identifiers
    layout = laid_out(levels, [column.name for column in columns])
    with engine.guard("packing the row types"):
        lines, between = grouped.rows, []
        for j, column in enumerate(columns):
            placed = engine.put(pa.table({f"code{j}": np.arange(held.sizes[j], dtype=np.int32),
                                          f"p{j}": layout.shifted(j)}))  # fmt: skip
            paths = held.tables[j].join(placed, f"code{j}").drop(f"code{j}")
            lines = lines.join(paths, [lines[column.id].identical_to(paths[f"value{j}"])]).drop(f"value{j}")
            if (j + 1) % JOINS == 0 and j + 1 < len(columns):
                lines = engine.keep(lines)
                between.append(lines)
        words = {}
        for i in range(layout.words):
            sums = [lines[f"p{j}"] for j, (word, _) in enumerate(layout.place) if word == i]
            total = sums[0] if sums else whole(0)
            for one in sums[1:]:
                total = total + one
            words[f"w{i}"] = total.cast("int64")
        number = words["w0"] if layout.words == 1 else whole(0) + ibis.row_number()
        ids = [column.id for column in columns]
        values = engine.keep(lines.select(*ids, "n", **words, type=number))
        for done in (grouped.rows, *between):
            engine.drop(done)
    return PackedTypes(engine, values.select(*words, "n", "type"), values.drop("n"), layout)
