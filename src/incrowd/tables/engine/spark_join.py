"""Rows met with what their types are released as, by one number a row: how Spark joins many rows with few lines.

Spark would compare all the columns that tell types apart, each with its missing values, and sort the rows by them. Here
each line and each row has one number, a hash of these columns. Where no two lines have the same number, which is
counted first, rows and lines with the same number are rows and lines with the same values: every row has its line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ibis.expr.types as ir

__all__ = ["met_by_number", "summed"]

MOST_SENT = 1_000_000  # lines that every executor holds, some 100 bytes each
MOST_BITS = 62  # columns that fit in a number, one bit each
BITS = 21  # of a hash that are added up at a time, so that there can be 10^12 rows
NUMBER, KEPT = "incrowd_number", "incrowd_kept"


def summed(frame: Any) -> Any:
    """Return a frame of one row: the number of rows, and three sums over the 64 bits of a hash of each.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
    """
    from pyspark.sql import functions as fn

    frame = frame.select(_number(frame, frame.columns).alias("h"))
    code, part = frame.h, fn.lit((1 << BITS) - 1).cast("long")
    parts = code.bitwiseAND(part), fn.shiftright(code, BITS).bitwiseAND(part), fn.shiftright(code, 2 * BITS)
    return frame.agg(fn.count(fn.lit(1)).alias("n"), *(fn.sum(some).alias(f"s{i}") for i, some in enumerate(parts)))


def _number(frame: Any, names: list[str]) -> Any:
    """Return a hash of some columns in which the places of missing values, which Spark's passes over, count."""
    from pyspark.sql import functions as fn

    return fn.xxhash64(*(part for name in names for part in (frame[name].isNull(), frame[name])))


def met_by_number(
    engine: Any, rows: ir.Table, cells: ir.Table, on: Mapping[str, str], shown: Mapping[str, str], star: str | None
) -> ir.Table | None:
    """Join rows with the line of their type.

    Parameters
    ----------
    engine : SparkEngine
    rows : ibis table
    cells : ibis table
        One line a type, with what `on` and `shown` name and other columns, which stay.
    on : mapping of str to str
        Column of `cells` -> column of `rows` with equal values.
    shown : mapping of str to str
        Column of `cells` with a released cell -> column of `rows` with the original one, of the same type.
    star : str or None
        The text of a star.

    Returns
    -------
    ibis table or None
        The rows' columns, those of `cells` that `on` does not name, and the cells of `shown`; computed once. None
        where two lines have the same number, or there are too many columns.

    Notes
    -----
    Two looks at the lines. A released cell that is the original one or a star is neither sent nor kept.
    """
    from pyspark.sql import functions as fn

    if len(shown) > MOST_BITS:
        return None
    lines, frame = engine.frame(cells), engine.frame(rows)
    lines = lines.withColumn(NUMBER, _number(lines, list(on)))
    of = {column: name for name, column in on.items()}
    same = {cell: lines[cell].eqNullSafe(lines[of[column]]) for cell, column in shown.items()}
    kinds = {cell: lines.schema[cell].dataType for cell in shown}
    stars = {
        cell: fn.lit(star).cast(kind) for cell, kind in kinds.items() if star is None or kind.simpleString() == "string"
    }
    other = {
        cell: fn.max(~(same[cell] | lines[cell].eqNullSafe(stars[cell]))) if cell in stars else fn.lit(True)
        for cell in shown
    }
    count = fn.count(fn.lit(1))
    found = engine.first(lines.agg(count.alias("lines"), *(value.alias(name) for name, value in other.items())))
    if engine.first(lines.select(NUMBER).distinct().agg(count.alias("numbers")))["numbers"] != found["lines"]:
        return None  # asked apart: what is counted beside distinct numbers is counted once for each of them
    sent = [cell for cell in shown if cell not in stars or found[cell]]
    kept = sum((fn.when(hit, 1 << i).otherwise(0).cast("long") for i, hit in enumerate(same.values())), fn.lit(0))
    others = [name for name in lines.columns if name not in (*on, *shown, NUMBER)]
    small = lines.select(
        NUMBER, kept.alias(KEPT), *others, *(fn.when(~same[cell], lines[cell]).alias(cell) for cell in sent)
    )
    if found["lines"] <= MOST_SENT:
        small = fn.broadcast(small)
    joined = frame.withColumn(NUMBER, _number(frame, list(on.values()))).join(small, NUMBER)
    joined = engine.frame(engine.keep(engine.view(joined.drop(NUMBER))))
    cell_of = {
        cell: fn.when(
            joined[KEPT].bitwiseAND(fn.lit(1 << i).cast("long")) != 0, joined[column]
        ).otherwise(joined[cell] if cell in sent else stars[cell])
        for i, (cell, column) in enumerate(shown.items())
    }  # fmt: skip
    return engine.view(joined.select(*frame.columns, *others, *(value.alias(cell) for cell, value in cell_of.items())))
