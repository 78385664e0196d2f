r"""Range labels: what a class shows of a column in which its rows differ.

Numbers: ``[17-34]``, the least and the largest of the class as they are written in the table. Texts: ``{A, B}``, the
values of the class by their UTF-8 bytes, a missing value first as ``\N``; a backslash stands before ``\``, ``,``,
``{`` and ``}`` of a value. A class that has every value of a text column, or numbers beside missing values, shows a
star instead.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

import ibis
import pyarrow as pa

from incrowd.errors import InputError
from incrowd.tables.expand.rows import laid_out

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Column, Compressed, Expanded, Table
    from incrowd.tables.values import Plan

__all__ = ["expand_ranges"]

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")
LIKE_A_LABEL = re.compile(r"\[.*\]|\{.*\}", re.DOTALL)
ESCAPED = re.compile(r"([\\,{}])")
MISSING = r"\N"


def expand_ranges(table: Table, compressed: Compressed, plan: Plan, *, star: str, seed: int) -> Expanded:
    """Return the released rows of a plan whose groups show ranges; as `expand`.

    Parameters
    ----------
    table : Table
        Its quasi-identifiers are text.
    compressed : Compressed
    plan : Plan
        Columns above level 0 show a range; groups may show the same otherwise.
    star : str
    seed : int

    Raises
    ------
    InputError
        If a column holds values that read like labels, or numbers that a range cannot show.
    """

    def shown(parts: ir.Table) -> ir.Table:
        plain = parts.mutate(**{f"r{j}": parts[f"o{j}"] for j in range(len(table.quasi_identifiers))})
        return _with_ranges(table, parts, plain, star)

    return laid_out(table, compressed, plan, shown, star=star, seed=seed)


def _with_ranges(table: Table, parts: ir.Table, cells: ir.Table, star: str) -> ir.Table:
    """Return the cells with a range label wherever a column is above level 0.

    Parameters
    ----------
    table : Table
        Its quasi-identifiers are text.
    parts : ibis table
        With ``group``, ``o{j}`` and ``l{j}``.
    cells : ibis table
        `parts` with ``r{j}``.
    star : str

    Notes
    -----
    Per column two GROUP BYs over the parts and one sort of the distinct values, which come out of the engine.
    """
    for j, column in enumerate(table.quasi_identifiers):
        labels = _labels(table, parts, j, column, star)
        labels = labels.select(**{f"of{j}": "group", f"label{j}": "label"})
        joined = cells.left_join(labels, cells.group == labels[f"of{j}"]).drop(f"of{j}")
        shown = ibis.ifelse(joined[f"l{j}"] > 0, joined[f"label{j}"], joined[f"r{j}"])
        cells = joined.mutate(**{f"r{j}": shown}).drop(f"label{j}")
    return cells


def _labels(table: Table, parts: ir.Table, j: int, column: Column, star: str) -> ir.Table:
    """Return ``group`` and ``label`` of every group that is not constant in a column."""
    engine = table.engine
    numeric = column.name in table.roles.numeric
    wide = parts.filter(parts[f"l{j}"] > 0).select("group", value=parts[f"o{j}"]).distinct()
    ranks, known = _ranks(engine, parts, j, column, numeric)
    ranked = wide.join(ranks, wide.value.identical_to(ranks.v)).drop("v", "value")
    if not numeric:
        sets = ranked.group_by("group").aggregate(
            label=engine.listed(ranked.written, ranked["rank"], ", "), size=ranked.count()
        )
        label = ibis.ifelse(sets["size"] == known, ibis.literal(star), "{" + sets.label + "}")
        return engine.keep(sets.select("group", label=label))
    ends = ranked.group_by("group").aggregate(low=ranked["rank"].min(), high=ranked["rank"].max())
    low = ranks.select(low="rank", first="written")
    high = ranks.select(high="rank", last="written")
    both = ends.join(low, "low").join(high, "high")
    # rank 0 is a missing value among the numbers
    label = ibis.ifelse(both.low == 0, ibis.literal(star), "[" + both["first"] + "-" + both["last"] + "]")
    return engine.keep(both.select("group", label=label))


def _ranks(engine: Engine, parts: ir.Table, j: int, column: Column, numeric: bool) -> tuple[ir.Table, int]:
    """Return the distinct values of a column (``v``) with their ``rank`` and how they are ``written``, and how many."""
    found = engine.fetch(parts.select(v=parts[f"o{j}"]).distinct()).column("v").to_pylist()
    values = [value for value in found if value is not None]
    if numeric:
        if not all(NUMBER.fullmatch(value) for value in values):
            raise InputError(
                f"column {column.name!r} is declared numeric but writes some numbers in a way that a range cannot "
                "show; write them like 17, -3.5 or 1e6, or leave the column out of --numeric"
            )
        values.sort(key=lambda value: (Decimal(value), value))
    else:
        if any(LIKE_A_LABEL.fullmatch(value) for value in values):
            raise InputError(
                f"column {column.name!r} holds values in [] or {{}} that read like range labels; "
                "write them without, or take --recoding levels"
            )
        values.sort(key=lambda value: value.encode())
    written = [value if numeric else ESCAPED.sub(r"\\\1", value) for value in values]
    ranked = pa.table(
        {
            "v": pa.array([None, *values], pa.string()),
            "rank": pa.array(range(len(values) + 1), pa.int64()),
            "written": pa.array([MISSING, *written], pa.string()),
        }
    )
    return engine.put(ranked), len(found)
