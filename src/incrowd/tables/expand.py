"""Stage 4: plan -> rows, inside the engine.

A type whose rows all go to one class is joined with its released cells. Where a type is split, which of its
rows gets which pattern is decided by a seeded hash of the row's content and of the whole table (`row_salt`), never by
position: the k-th row of the input must not be recognisable by where the plan cut.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.engine.row_salt import lots
from incrowd.tables.table import KEY, SHOWN, WAS, Compressed, Expanded, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Column
    from incrowd.tables.values import Plan


def expand(
    table: Table,
    compressed: Compressed,
    plan: Plan,
    *,
    star: str | None,
    seed: int,
) -> Expanded:
    """Return the released rows of a plan, computed once.

    `compressed` has the row types and their values. `star` is the text of a star (None: NULL), and `seed` decides which
    of equal rows get which pattern. It takes one join of the rows with the row types and one sort of the rows of split
    types, and is linear in rows and columns.
    """
    once = table.engine.keeps_met
    return laid_out(table, compressed, plan, lambda p: cells_of(table, p, star), star=star, seed=seed, once=once)


def laid_out(
    table: Table,
    compressed: Compressed,
    plan: Plan,
    shown: Callable[[ir.Table], ir.Table],
    *,
    star: str | None,
    seed: int,
    once: bool = False,
) -> Expanded:
    """Return the released rows of a plan, whatever its cells show.

    `shown` makes of parts these parts with the released cell of each quasi-identifier as ``r{j}``. `once` says that it
    reads the parts once, so that they need not be kept before. The rest is as in `expand`.
    """
    engine = table.engine
    m = len(table.quasi_identifiers)
    with engine.guard("expanding the plan"):
        placed = engine.put(_placed(plan, m))
        judged = () if compressed.domain is None else table.judged(compressed.domain.sensitive.names)
        parts = _parts(table, placed, compressed.values, judged)
        if not once:
            parts = engine.keep(parts)
        split = bool((np.bincount(plan.part_type, minlength=compressed.types.t) > 1).any())
    return rows_of_parts(table, parts, shown, judged, split=split, star=star, seed=seed)


def rows_of_parts(
    table: Table,
    parts: ir.Table,
    shown: Callable[[ir.Table], ir.Table],
    judged: Sequence[Column] = (),
    *,
    split: bool,
    star: str | None,
    seed: int,
) -> Expanded:
    """Return the released rows of a plan that lies in the engine.

    `parts` are as `Expanded` has them, with ``type``, ``split``, and the range ``start`` to ``stop`` of their rows in
    the type. `judged` are the sensitive columns that tell types apart too, as ``x{j}`` in the parts. `split` says
    whether some type may lie in several classes. `shown` is as in `laid_out`, and `star` and `seed` are as in `expand`.
    """
    engine, m = table.engine, len(table.quasi_identifiers)
    with engine.guard("expanding the plan"):
        cells = shown(parts)
        hashed = engine.short_hash([cells[f"r{j}"] for j in range(m)])
        cells = engine.keep(cells.mutate(**{SHOWN: hashed}))
        found = None
        if engine.keeps_met:  # where they lie already
            parts = engine.some(cells, parts.columns)
            found = engine.some(cells, [SHOWN, *(f"r{j}" for j in range(m))])
        rows = _joined(table, table.data, cells.filter(~cells.split) if split else cells, judged, star)
        if split:
            some = _split_rows(table, cells, judged, seed)
            rows = ibis.union(rows, engine.keep(some) if engine.keeps_met else some, distinct=False)
        kept = rows if engine.keeps_met else engine.keep(rows)
    return Expanded(table, kept, parts, star, shown=found)


def _placed(plan: Plan, m: int) -> pa.Table:
    """Return the parts of a plan as a table: type, class, rows, range within the type, levels."""
    stop = np.cumsum(plan.part_rows)
    start = stop - plan.part_rows
    first = np.ones(plan.part_type.size, bool)
    first[1:] = plan.part_type[1:] != plan.part_type[:-1]
    base = start[np.maximum.accumulate(np.where(first, np.arange(first.size), 0))]
    several = np.bincount(plan.part_type)[plan.part_type] > 1
    return pa.table({
        "type": plan.part_type.astype(np.int64),
        "group": plan.part_class.astype(np.int64),
        "rows": plan.part_rows,
        "start": start - base,
        "stop": stop - base,
        "split": several,
        **{f"l{j}": plan.levels[plan.part_class, j] for j in range(m)},
    })  # fmt: skip


def _parts(table: Table, placed: ir.Table, values: ir.Table, judged: Sequence[Column]) -> ir.Table:
    joined = placed.join(values, "type")
    return joined.select(*placed.columns, **{name: joined[c.id] for name, c in _type_columns(table, judged).items()})


def cells_of(table: Table, parts: ir.Table, star: str | None) -> ir.Table:
    """Add the released cell of each quasi-identifier as ``r{j}``: the value, its label or a star.

    `star` is the text of a star (None: NULL).
    """
    engine, came = table.engine, parts.columns
    for j, column in enumerate(table.quasi_identifiers):
        if column.text and (ladder := table.ladders.get(column.id)) is not None:
            labels = ladder.rows.select(**{f"n{j}_{name}": name for name in ladder.rows.columns if name != "line"})
            parts = parts.left_join(labels, engine.text(parts[f"o{j}"]).identical_to(labels[f"n{j}_v"])).drop(f"n{j}_v")
    out = {}
    for j, column in enumerate(table.quasi_identifiers):
        original = parts[f"o{j}"]
        held = table.held.get(column.id, lambda text: text)
        top = ibis.null(original.type()) if star is None else ibis.literal(star) if column.text else original
        level = parts[f"l{j}"]
        labels = [name for name in parts.columns if name.startswith(f"n{j}_")]
        between = ((level == up, held(parts[name])) for up, name in enumerate(labels, 1))
        out[f"r{j}"] = ibis.cases((level == 0, original), *between, else_=held(top))
    return parts.select(*came, **out)


def _joined(table: Table, rows: ir.Table, cells: ir.Table, judged: Sequence[Column], star: str | None) -> ir.Table:
    """Join rows with the cells their type is released as; NULL meets NULL."""
    on = {name: c.id for name, c in _type_columns(table, judged).items()}
    shown = {f"r{j}": c.id for j, c in enumerate(table.quasi_identifiers)}
    return _released(table, table.engine.met(rows, cells.select(*on, *shown, SHOWN), on, shown, star))


def _released(table: Table, joined: ir.Table) -> ir.Table:
    """Return the released rows of rows that were joined with their cells."""
    index = {c.id: f"r{j}" for j, c in enumerate(table.quasi_identifiers)}
    cells = {c.id: joined[index.get(c.id, c.id)] for c in table.columns}
    if table.engine.brings_originals:
        cells |= {WAS + i: joined[i] for i in index}
    return joined.select(KEY, SHOWN, **cells)


def _type_columns(table: Table, judged: Sequence[Column]) -> dict[str, Column]:
    """Return the columns that tell row types apart, by their names in the parts."""
    return {f"o{j}": c for j, c in enumerate(table.quasi_identifiers)} | {f"x{j}": c for j, c in enumerate(judged)}


def _split_rows(table: Table, cells: ir.Table, judged: Sequence[Column], seed: int) -> ir.Table:
    telling = _type_columns(table, judged)
    some = cells.filter(cells.split)
    types = some.select("type", **{f"t{name}": some[name] for name in telling}).distinct()
    rows = table.data
    typed = rows.join(types, [rows[c.id].identical_to(types[f"t{name}"]) for name, c in telling.items()])
    typed = typed.drop(*[f"t{name}" for name in telling]).rename(row_type="type")
    ranked = table.engine.keep(typed.mutate(rank=lots(table, typed, seed)))
    on = [ranked.row_type == some.type, ranked["rank"] >= some.start, ranked["rank"] < some.stop]
    return _released(table, ranked.join(some.drop("rows", "group"), on))


# Range labels: what a class shows of a numeric column in which its rows differ.
#
# ``[17-34]``: the least and the largest number of the class as they are written in the table; a star where missing
# values stand beside them, and in every other column.
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")


def expand_ranges(table: Table, compressed: Compressed, plan: Plan, *, star: str, seed: int) -> Expanded:
    """Return the released rows of a plan whose classes show ranges; as `expand`.

    `table`: its quasi-identifiers are text. `plan`: numeric columns above level 0 show a range; classes may show the
    same otherwise. InputError is raised if a column holds numbers that a range cannot show.
    """

    def shown(parts: ir.Table) -> ir.Table:
        return _with_ranges(table, parts, cells_of(table, parts, star))

    return laid_out(table, compressed, plan, shown, star=star, seed=seed)


def _with_ranges(table: Table, parts: ir.Table, cells: ir.Table) -> ir.Table:
    """Return the cells with range labels.

    `table`: its quasi-identifiers are text. `parts`: with ``group``, ``o{j}`` and ``l{j}``. `cells`: `parts` with
    ``r{j}``: the value or a star. Per numeric column two GROUP BYs over the parts and one sort of the distinct values,
    which come out of the engine.
    """
    for j, column in enumerate(table.quasi_identifiers):
        if column.name in table.roles.numeric:
            labels = _labels(table.engine, parts, j, column)
            labels = labels.select(**{f"of{j}": "group", f"label{j}": "label"})
            joined = cells.left_join(labels, cells.group == labels[f"of{j}"]).drop(f"of{j}")
            cells = joined.mutate(**{f"r{j}": joined[f"label{j}"].fill_null(joined[f"r{j}"])}).drop(f"label{j}")
    return cells


def _labels(engine: Engine, parts: ir.Table, j: int, column: Column) -> ir.Table:
    """Return ``group`` and ``label`` of every class that shows a range in a numeric column."""
    wide = parts.filter(parts[f"l{j}"] > 0).select("group", value=parts[f"o{j}"]).distinct()
    ranks = _ranks(engine, parts, j, column)
    ranked = wide.join(ranks, wide.value.identical_to(ranks.v)).drop("v", "value")
    ends = ranked.group_by("group").aggregate(low=ranked["rank"].min(), high=ranked["rank"].max())
    ends = ends.filter(ends.low > 0)  # rank 0 is a missing value among the numbers
    low = ranks.select(low="rank", first="v")
    high = ranks.select(high="rank", last="v")
    both = ends.join(low, "low").join(high, "high")
    return engine.keep(both.select("group", label="[" + both["first"] + "-" + both["last"] + "]"))


def _ranks(engine: Engine, parts: ir.Table, j: int, column: Column) -> ir.Table:
    """Return the distinct numbers of a column (``v``) with their ``rank``, a missing one first."""
    found = engine.fetch(parts.select(v=parts[f"o{j}"]).distinct()).column("v").to_pylist()
    values = [value for value in found if value is not None]
    if not all(NUMBER.fullmatch(value) for value in values):
        raise InputError(
            f"column {column.name!r} is declared numeric but writes some numbers in a way that a range cannot "
            "show; write them like 17, -3.5 or 1e6, or leave the column out of numeric"
        )
    values.sort(key=lambda value: (Decimal(value), value))
    ranked = {"v": pa.array([None, *values], pa.string()), "rank": pa.array(range(len(values) + 1), pa.int64())}
    return engine.put(pa.table(ranked))
