"""Stage 2: the distinct rows on the quasi-identifiers, with counts and integer codes.

The engine classes and ranks; what crosses over is integers. The values stay behind, in a table that knows
each type's index; of sensitive columns that a model judges, the distinct values cross over too, for the models.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import ibis
import numpy as np
import pyarrow as pa

from incrowd.errors import count_of
from incrowd.tables.row_numbers import added_up, row_keys, row_numbers
from incrowd.tables.table import KEY, Compressed, Grouped
from incrowd.tables.values import Domain, Int64, RowTypes, Sensitive

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Column, Table

JOINS = 12  # a longer chain of joins is too deep for the engine's layers


def grouped_rows(table: Table, judged: Collection[str]) -> Grouped:
    """Return the distinct rows of a table on its quasi-identifiers and the judged columns, with their counts.

    They are computed once in the engine, by one GROUP BY over the rows; their number tells how large a search will be.
    """
    engine = table.engine
    with engine.guard("grouping the rows"):
        ids = [column.id for column in (*table.quasi_identifiers, *table.judged(judged))]
        rows = engine.keep(table.data.group_by(ids).aggregate(n=lambda lines: lines.count()))
        return Grouped(rows, int(engine.one(rows.aggregate(t=rows.count()))["t"]))


def compress(table: Table, judged: Collection[str], held: Grouped) -> Compressed:
    """Return the row types of a table.

    The types are in the order of the table sorted by UTF-8 bytes (NULL first), so that an index names a type for
    everybody who holds the original. `judged` are the sensitive columns that tell types apart too, for the models that
    judge them. `held` are the rows grouped on all these columns; they are forgotten. One sort of the
    types; of a column that the engine does not hold as places in a list of its values one sort of those and one join.
    Outside the engine: 4 m + 8 bytes a type. Where the engine would sort the types in one task
    (`Engine.sorts_in_one_task`), they are sorted outside it, by their codes.
    """
    engine: Any = table.engine
    columns = table.quasi_identifiers
    m = len(columns)
    more = table.judged(judged)
    ids = [c.id for c in (*columns, *more)]
    grouped = held.rows
    with engine.guard("grouping the rows"):
        between = []
        if engine.sorts_in_one_task:
            between.append(grouped)
            grouped = engine.numbered(engine.frame(grouped))
        placed = [j for j, name in enumerate(ids[:m]) if name in table.held]
        coded = grouped.mutate(**{f"code{j}": engine.place(grouped[ids[j]]).fill_null(-1) for j in placed})
        ranks, listed = _ranks(table, grouped, {j: name for j, name in enumerate(ids) if j not in placed})
        for number, (j, rank) in enumerate(ranks.items(), 1):
            coded = coded.join(rank, [coded[ids[j]].identical_to(rank[f"value{j}"])]).drop(f"value{j}")
            if number % JOINS == 0:
                coded = engine.keep(coded)
                between.append(coded)
        codes = [f"code{j}" for j in range(len(ids))]
        if engine.sorts_in_one_task:
            arrow = _typed(engine.fetch(coded.select(KEY, "n", *codes)), codes)
            typed = engine.keep(grouped.drop("n").join(engine.put(arrow.select([KEY, "type"])), KEY))
        else:
            order = ibis.row_number().over(order_by=codes)
            typed = engine.keep(coded.mutate(type=order.cast("int64")))
            arrow = engine.fetch(typed.select("type", "n", *codes))
        values = engine.some(typed, ["type", *ids])
        texts = tuple(_texts(table, ranks[j], f"{j}") for j in range(m, len(ids)))
        for done in (grouped, typed, *listed, *between):
            engine.drop(done)
    place = np.argsort(arrow.column("type").to_numpy(), kind="stable")
    stacked = [arrow.column(name).to_numpy()[place] for name in codes]
    for j in placed:
        stacked[j] = _without_gaps(stacked[j])
    all_codes = np.ascontiguousarray(np.stack(stacked, axis=1), dtype=np.int32)
    counts = arrow.column("n").to_numpy()[place].astype(np.int64)
    sizes = tuple(int(rank) + 1 for rank in all_codes.max(axis=0))
    if not more:
        return Compressed(RowTypes(all_codes, counts, sizes), values)
    first, kinds = row_numbers(all_codes[:, m:].T, len(counts))
    times = added_up(kinds, counts, first.size)
    sensitive = Sensitive(all_codes[first, m:], tuple(c.name for c in more), sizes[m:])
    types = RowTypes(np.ascontiguousarray(all_codes[:, :m]), counts, sizes[:m], kinds.astype(np.int32))
    return Compressed(types, values, Domain(sensitive, texts, times))


def _typed(lines: pa.Table, codes: Sequence[str]) -> pa.Table:
    """Return lines with their places in the order of their codes, as the engine would number them."""
    keys = row_keys((lines.column(name).to_numpy() for name in codes), lines.num_rows)
    places = np.empty(keys.size, np.int64)
    places[np.argsort(keys)] = np.arange(keys.size)
    return lines.append_column("type", pa.array(places))


def _without_gaps(places: Int64) -> Int64:
    """Return the ranks of whole numbers from -1 on among themselves."""
    from_zero = places.astype(np.int64) + 1
    ranks: Int64 = (np.cumsum(np.bincount(from_zero) > 0) - 1)[from_zero]
    return ranks


def _texts(table: Table, ranked: ir.Table, j: str) -> tuple[str | None, ...]:
    """Return the distinct values of a column in code order, in the engine's one spelling."""
    value = table.engine.text(ranked[f"value{j}"])
    found = table.engine.fetch(ranked.select(code=ranked[f"code{j}"], text=value).order_by("code"))
    return tuple(found.column("text").to_pylist())


def _ranks(table: Table, grouped: ir.Table, ids: Mapping[int, str]) -> tuple[dict[int, ir.Table], list[ir.Table]]:
    """Return by column the distinct values with their ranks by UTF-8 bytes, NULL first; and the tables that hold them.

    Columns of one type are ranked together, in one question to the engine.
    """
    engine = table.engine
    kinds: dict[str, list[int]] = {}
    for j, name in ids.items():
        kinds.setdefault(name if name in table.held else str(grouped[name].type()), []).append(j)
    found, kept = {}, []
    for alike in kinds.values():
        each = [grouped.select(place=ibis.literal(j, "int32"), value=grouped[ids[j]]).distinct() for j in alike]
        values = ibis.union(*each, distinct=False) if len(each) > 1 else each[0]
        text = engine.text(values.value)
        order = [text.isnull().desc(), text.asc(), values.value.asc()]
        rank = ibis.row_number().over(group_by="place", order_by=order).cast("int32")
        ranked = engine.keep(values.mutate(code=rank))
        kept.append(ranked)
        for j in alike:
            one = ranked.filter(ranked.place == j)
            found[j] = one.select(**{f"value{j}": one.value, f"code{j}": one.code})
    return dict(sorted(found.items())), kept


# Where the values of numeric columns lie among each other, in whole numbers.
LENGTH = 1 << 30


def places(table: Table, compressed: Compressed) -> tuple[Int64 | None, ...]:
    """Return `Problem.places`: for columns declared numeric the place of every value code, for others None.

    The least number lies at 1, the largest at 2^30, the others between them in proportion (rounded down); NULL lies at
    0. Where they are further apart than a float can say, neighbours are one apart. Each array is (d,). A numeric column
    takes one GROUP BY over the row types and, outside the engine, 20 bytes a distinct value.
    """
    return tuple(
        _places(table, compressed, j, column) if column.name in table.roles.numeric else None
        for j, column in enumerate(table.quasi_identifiers)
    )


def _places(table: Table, compressed: Compressed, j: int, column: Column) -> Int64:
    engine = table.engine
    with engine.guard("ordering the numbers"):
        first = first_types(engine, compressed.values, column.id)
        found = engine.fetch(first.select(number=first.v.try_cast("float64"), type=first["type"]))
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


def first_types(engine: Engine, values: ir.Table, column: str) -> ir.Table:
    """Return the distinct texts of a column of row types, as ``v``, each with the first ``type`` that has it."""
    texts = values.select(v=engine.text(values[column]), type=values["type"])
    return texts.group_by("v").aggregate(type=texts["type"].min())


# Which line of its hierarchy each value code of a column has.
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
            first = first_types(engine, values, column.id)
            joined = first.join(ladder.rows, first.v.identical_to(ladder.rows.v))
            found = engine.fetch(joined.select(type=joined["type"], line=joined.line))
        line = np.empty(compressed.types.sizes[j], np.int64)
        line[compressed.types.codes[found.column("type").to_numpy(), j]] = found.column("line").to_numpy()
        lines.append(line)
    return tuple(lines)


# What the row types say about the choice of quasi-identifiers, in time to mend it.
FEWEST_ROWS = 20


def advise(table: Table, compressed: Compressed) -> Table:
    """Return the table with a note for every column of numbers that are mostly distinct and have no hierarchy.

    It takes one pass over the row types for the columns with more distinct values than half the rows, and none
    otherwise.
    """
    engine, values = table.engine, compressed.values
    many = [
        (column, size)
        for column, size in zip(table.quasi_identifiers, compressed.types.sizes, strict=True)
        if table.rows >= FEWEST_ROWS and 2 * size > table.rows and column.id not in table.ladders
    ]
    if not many:
        return table
    wrong = {}
    for column, _ in many:
        text = engine.text(values[column.id])
        wrong[column.id] = (text.notnull() & text.try_cast("float64").isnull()).sum()
    with engine.guard("looking at the numbers"):
        found = engine.one(values.aggregate(**wrong))
    notes = [
        f"column {column.name!r} holds numbers that are mostly distinct ({size:,} in {count_of(table.rows, 'row')}), "
        f"so few rows look alike: give it intervals, for example {column.name} = intervals:5,10,20"
        for column, size in many
        if not found[column.id]
    ]
    return dataclasses.replace(table, notes=(*table.notes, *notes)) if notes else table
