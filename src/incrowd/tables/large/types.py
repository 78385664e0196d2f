"""Row types that stay in the engine: counted and packed into words there; what crosses are the columns' own values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.tables.large.words import laid_out
from incrowd.tables.values import RowTypes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.large.words import Layout
    from incrowd.tables.table import Grouped, Table
    from incrowd.tables.values import Int64, Levels, Problem

JOINS = 12  # a longer chain of joins is too deep for the engine's layers


@dataclass(frozen=True, slots=True, eq=False)
class CountedTypes(RowTypes):
    """Row types of which no more than their number crossed: `codes` and `counts` hold none of them.

    `held`: row types. `rows`: rows of them all.
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

    `tables`: ``value{j}`` and ``code{j}``: its rank by UTF-8 bytes, NULL first. `lines`: tuple of (d,) int64 or None,
    length m, the line of every code in its column's hierarchy.
    """

    tables: tuple[ir.Table, ...]
    sizes: tuple[int, ...]
    lines: tuple[Int64 | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PackedTypes:
    """Row types as words, in the engine.

    `rows`: words ``w0``, ``w1``, ..., ``n``, and ``type``, one number for each line. `values`: the words, ``type`` and
    the columns by their ids.
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


# Instances of a pattern in the engine: row types that show the same words under its mask, and what each costs.
def whole(value: int) -> ir.Value:
    """Return a whole number of 64 bits: an engine gives a plain literal as few bits as it fits into."""
    return ibis.literal(str(value)).cast("int64")


class Instances:
    """What the patterns of a problem show of packed row types.

    Of the problem it takes the levels, patterns and k, not the row types.
    """

    def __init__(self, engine: Engine, problem: Problem, layout: Layout) -> None:
        self.engine = engine
        self.problem = problem
        self.layout = layout
        self.words = [f"w{i}" for i in range(layout.words)]
        self.keys = [f"v{i}" for i in range(layout.words)]
        self._costs: dict[tuple[int, int], ir.Table] = {}

    def under(self, rows: ir.Table, vector: Sequence[int]) -> ir.Table:
        """Return row types with what they show under a level vector as ``v0``, ``v1``, ... The rows come with words."""
        masks = self.layout.masks(vector)
        return rows.mutate(**{v: rows[w] & mask for v, w, mask in zip(self.keys, self.words, masks, strict=True)})

    def crowds(self, rows: ir.Table, vector: Sequence[int]) -> ir.Table:
        """Return the instances that at least k rows agree with: keys and ``crowd``, the rows of each.

        The rows come with words and ``n``. It takes one GROUP BY.
        """
        grouped = self.under(rows, vector).group_by(self.keys).aggregate(crowd=lambda t: t.n.sum().cast("int64"))
        return grouped.filter(grouped.crowd >= self.problem.k)

    def priced(self, shown: ir.Table, vector: Sequence[int]) -> ir.Table:
        """Return instances with the scaled cost of one row of each as ``cost``.

        `shown` has keys under the vector. There is one join a column whose cost depends on what it shows.
        """
        fixed, joined = 0, shown
        looked_up = []
        for j, (level, at) in enumerate(zip(self.problem.levels, vector, strict=True)):
            told = level.cost[int(at)]
            if told.size == 0 or (told == told[0]).all():
                fixed += int(told[0]) if told.size else 0
                continue
            word = self.layout.place[j][0]
            prices = self._prices(j, int(at))
            key = f"k{j}"
            joined = joined.mutate(**{key: joined[f"v{word}"] & self.layout.shown(j, int(at))})
            joined = joined.join(prices, joined[key] == prices[f"node{j}"]).drop(key, f"node{j}")
            looked_up.append(f"cost{j}")
        total = whole(fixed)
        for name in looked_up:
            total = total + joined[name]
        return joined.mutate(cost=total.cast("int64")).drop(*looked_up)

    def _prices(self, j: int, level: int) -> ir.Table:
        """Return what each node of a column at a level costs: ``node{j}``, its bits in place, and ``cost{j}``."""
        if (j, level) not in self._costs:
            mask = self.layout.shown(j, level)
            nodes, first = np.unique(self.layout.shifted(j) & mask, return_index=True)
            costs = self.problem.levels[j].cost[level][first].astype(np.int64)
            placed = pa.table({f"node{j}": nodes.astype(np.int64), f"cost{j}": costs})
            self._costs[j, level] = self.engine.put(placed)
        return self._costs[j, level]

    def uniform(self, vector: Sequence[int]) -> bool:
        """Return whether every row costs the same under a level vector."""
        each = (level.cost[int(at)] for level, at in zip(self.problem.levels, vector, strict=True))
        return all((told == told[0]).all() for told in each)
