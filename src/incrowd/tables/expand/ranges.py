"""Range labels: what a class shows of a numeric column in which its rows differ.

``[17-34]``: the least and the largest number of the class as they are written in the table; a star where missing values
stand beside them, and in every other column.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.expand.rows import cells_of, laid_out

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Column, Compressed, Expanded, Table
    from incrowd.tables.values import Plan

__all__ = ["expand_ranges"]

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")


def expand_ranges(table: Table, compressed: Compressed, plan: Plan, *, star: str, seed: int) -> Expanded:
    """Return the released rows of a plan whose groups show ranges; as `expand`.

    Parameters
    ----------
    table : Table
        Its quasi-identifiers are text.
    compressed : Compressed
    plan : Plan
        Numeric columns above level 0 show a range; groups may show the same otherwise.
    star : str
    seed : int

    Raises
    ------
    InputError
        If a column holds numbers that a range cannot show.
    """

    def shown(parts: ir.Table) -> ir.Table:
        return _with_ranges(table, parts, cells_of(table, parts, star))

    return laid_out(table, compressed, plan, shown, star=star, seed=seed)


def _with_ranges(table: Table, parts: ir.Table, cells: ir.Table) -> ir.Table:
    """Return the cells with range labels.

    Parameters
    ----------
    table : Table
        Its quasi-identifiers are text.
    parts : ibis table
        With ``group``, ``o{j}`` and ``l{j}``.
    cells : ibis table
        `parts` with ``r{j}``: the value or a star.

    Notes
    -----
    Per numeric column two GROUP BYs over the parts and one sort of the distinct values, which come out of the engine.
    """
    for j, column in enumerate(table.quasi_identifiers):
        if column.name in table.roles.numeric:
            labels = _labels(table.engine, parts, j, column)
            labels = labels.select(**{f"of{j}": "group", f"label{j}": "label"})
            joined = cells.left_join(labels, cells.group == labels[f"of{j}"]).drop(f"of{j}")
            cells = joined.mutate(**{f"r{j}": joined[f"label{j}"].fill_null(joined[f"r{j}"])}).drop(f"label{j}")
    return cells


def _labels(engine: Engine, parts: ir.Table, j: int, column: Column) -> ir.Table:
    """Return ``group`` and ``label`` of every group that shows a range in a numeric column."""
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
            "show; write them like 17, -3.5 or 1e6, or leave the column out of --numeric"
        )
    values.sort(key=lambda value: (Decimal(value), value))
    ranked = {"v": pa.array([None, *values], pa.string()), "rank": pa.array(range(len(values) + 1), pa.int64())}
    return engine.put(pa.table(ranked))
