"""The released rows as the kind of table that came in, in an order that says nothing about the input's."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa

from incrowd.tables.table import KEY, SHOWN, Column, Expanded

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

__all__ = ["as_frame", "ordered"]

MOST_KEYS = 8  # columns to order by one by one


def ordered(release: Expanded, *, keep_order: bool) -> ir.Table:
    """Return the released rows in their order, without the row key.

    Rows are ordered by a hash of what their quasi-identifiers show, then by their other columns: reproducible, and
    silent about the input's order, which would re-identify by position. With `keep_order` they stay in the input's
    order.

    Where the release says which cells belong to a hash (`Expanded.shown`), and the engine can, the hashes are sorted
    and the cells looked up afterwards.
    """
    rows, table = release.rows, release.table
    if keep_order:
        order = [rows[KEY]]
    else:
        others = [rows[c.id] for c in table.others]
        # by their values where engines agree how these are ordered, which is far cheaper than another hash
        plain = others if len(others) <= MOST_KEYS else []
        plain = [cell for cell in plain if _same_everywhere(cell)]
        left = [cell for cell in others if not any(cell is known for known in plain)]
        order = [rows[SHOWN], *plain, *([table.engine.content_hash(left)] if left else []), *_signs(left)]
        if release.shown is not None:
            engine: Any = table.engine
            sorted_rows = rows.order_by(order).select(SHOWN, *(c.id for c in table.others))
            lines = release.shown.rename({c.id: f"r{j}" for j, c in enumerate(table.quasi_identifiers)})
            found = engine.looked_up(sorted_rows, lines, SHOWN)
            if found is not None:
                return found.select([c.id for c in table.columns])
    return rows.order_by(order).select([c.id for c in table.columns])


def _same_everywhere(cell: ir.Value) -> bool:
    """Return whether every engine orders the values of a column alike, and equal ones alone are alike."""
    kind = cell.type()
    return bool(kind.is_string() or kind.is_integer() or kind.is_boolean() or kind.is_date())


def _signs(cells: Sequence[ir.Value]) -> list[ir.Value]:
    """Return what tells floats of one text apart: -0 from 0, and NaN from a missing value."""
    floats = [cell for cell in cells if cell.type().is_floating()]
    return [ibis.ifelse(cell.isnull(), 0, ibis.ifelse(cell.cast("string") == "-0.0", 1, 2)) for cell in floats]


def as_frame(release: Expanded, *, keep_order: bool) -> Any:
    """Return the released rows as the kind of table that came in (Arrow for a file).

    Columns that were not turned into text keep their type. A pandas index is dropped. For a DuckDB relation it is a
    relation on DuckDB's default connection. For an Ibis table it is an Ibis table in memory, which every backend takes:
    it joins with tables of the one it came from, and ``connection.create_table(name, release.table)`` puts it there;
    nothing is created before that. For a table on Spark it is one of its own session, computed once: a frame, or for an
    Ibis table one that reads a temporary view.

    In all, it is a frame, an Arrow table, a list of dicts, a dict of lists, a DuckDB relation or an Ibis table. Frames
    and Arrow tables hold all rows in this process. For `keep_order` see `ordered`.
    """
    table = release.table
    if table.kind == "spark":
        with table.engine.guard("collecting the release"):
            rows = ordered(release, keep_order=keep_order)
            return table.origin.take(table.engine, rows, [c.name for c in table.columns])
    with table.engine.guard("collecting the release"):
        arrow = table.engine.fetch(ordered(release, keep_order=keep_order))
    arrow = arrow.rename_columns([c.name for c in table.columns])
    if table.kind == "pandas":
        return _pandas(arrow, table.columns, table.origin)
    if table.kind == "polars":
        return _polars(arrow, table.columns, table.origin)
    if table.kind == "duckdb":
        return _relation(arrow, table.columns, table.origin)
    if isinstance(table.origin, pa.Schema):
        arrow = _restored(arrow, table.columns, table.origin)
    if table.kind == "ibis":
        import ibis

        return ibis.memtable(arrow)
    if table.kind == "list":
        return arrow.to_pylist()
    return arrow.to_pydict() if table.kind == "dict" else arrow


def _restored(arrow: pa.Table, columns: tuple[Column, ...], schema: pa.Schema) -> pa.Table:
    """Give the columns that were not turned into text the types they came in, where their values allow it."""
    for position, column in enumerate(columns):
        wanted = schema.field(column.name).type
        if not column.text and not pa.types.is_null(wanted) and wanted != arrow.schema.field(position).type:
            with contextlib.suppress(pa.ArrowException, ValueError):  # a span of time, for one, comes back as text
                arrow = arrow.set_column(position, column.name, arrow.column(position).cast(wanted))
    return arrow


def _relation(arrow: pa.Table, columns: tuple[Column, ...], kinds: dict[str, str]) -> Any:
    """Return a relation on DuckDB's default connection, the one of ``duckdb.sql``, with the types that came in."""
    import duckdb

    relation = duckdb.from_arrow(arrow)
    out = []
    for column in columns:
        name = '"' + column.name.replace('"', '""') + '"'
        out.append(name if column.text else f"CAST({name} AS {kinds[column.name]}) AS {name}")
    return relation.project(", ".join(out))


def _pandas(arrow: pa.Table, columns: tuple[Column, ...], kinds: dict[str, Any]) -> Any:
    import pandas as pd

    out = {}
    for position, column in enumerate(columns):
        values = arrow.column(position)
        kind = kinds[column.name]
        if column.text:
            out[position] = values.to_pandas()
        elif hasattr(kind, "__from_arrow__"):
            if isinstance(kind, pd.CategoricalDtype):
                out[position] = pd.Series(pd.Categorical(values.to_pandas(), dtype=kind))
            else:
                out[position] = pd.Series(kind.__from_arrow__(values.cast(_arrow_type(kind, values.type))))
        else:
            plain = values.to_pandas()
            out[position] = plain.astype(kind) if values.null_count == 0 or kind.kind in "fOM" else plain
    frame = pd.DataFrame(out)
    frame.columns = pd.Index([c.name for c in columns])
    return frame


def _arrow_type(kind: Any, fallback: pa.DataType) -> pa.DataType:
    """Return the Arrow type an extension type of pandas reads from."""
    try:
        return pa.from_numpy_dtype(kind.numpy_dtype)
    except (AttributeError, pa.ArrowException, NotImplementedError):
        return kind.pyarrow_dtype if hasattr(kind, "pyarrow_dtype") else fallback


def _polars(arrow: pa.Table, columns: tuple[Column, ...], kinds: dict[str, Any]) -> Any:
    import polars as pl

    frame = pl.from_arrow(arrow)
    return frame.with_columns(pl.col(c.name).cast(kinds[c.name]) for c in columns if not c.text)  # type: ignore[union-attr]
