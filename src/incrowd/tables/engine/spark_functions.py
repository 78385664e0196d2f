"""Functions of Spark's that Ibis has no word for."""

from __future__ import annotations

import decimal
from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt

from incrowd.tables.engine.hashes import Hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir


@ibis.udf.scalar.builtin(name="unhex", signature=((dt.string,), dt.binary))
def unhex(text: Any) -> Any:
    """Return the bytes that a text of hexadecimal digits names."""


@ibis.udf.scalar.builtin(name="decode", signature=((dt.binary, dt.string), dt.string))
def decode(data: Any, charset: Any) -> Any:
    """Return bytes as text."""


@ibis.udf.scalar.builtin(name="encode", signature=((dt.string, dt.string), dt.binary))
def encode(text: Any, charset: Any) -> Any:
    """Return text as bytes."""


@ibis.udf.scalar.builtin(name="hex", signature=((dt.binary,), dt.string))
def in_hex(data: Any) -> Any:
    """Return bytes as hexadecimal digits."""


@ibis.udf.scalar.builtin(name="conv", signature=((dt.string, dt.int32, dt.int32), dt.string))
def conv(digits: Any, base: Any, other: Any) -> Any:
    """Return the digits of a number in another base."""


@ibis.udf.scalar.builtin(name="typeof", signature=((dt.timestamp,), dt.string))
def typeof(value: Any) -> Any:
    """Return Spark's name of a type: Ibis has one for times with and without a zone."""


@ibis.udf.scalar.builtin(name="incrowd_shortest", signature=((dt.float64,), dt.string))
def shortest(value: Any) -> Any:
    """Return the shortest text of a float; see `teach`."""


@ibis.udf.scalar.builtin(name="monotonically_increasing_id", signature=((), dt.int64))
def own_number() -> Any:
    """Return a number that no other row of the table has."""


def teach(session: Any) -> None:
    """Give a session a function that spells floats as Python and DuckDB do."""
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    spelled = speller()

    def shortest(values: Any) -> Any:
        import pandas

        return pandas.Series(spelled(values.to_numpy()), dtype=object)

    shortest.__annotations__ = {"values": pd.Series, "return": pd.Series}
    session.udf.register("incrowd_shortest", pandas_udf(shortest, "string"))


# Rows met with what their types are released as, by one number a row: how Spark joins many rows with few lines.
#
# Spark would compare all the columns that tell types apart, each with its missing values, and sort the rows by them.
# Here each line and each row has one number, a hash of these columns. Where no two lines have the same number, which is
# counted first, rows and lines with the same number are rows and lines with the same values: every row has its line.
MOST_SENT = 1_000_000  # lines that every executor holds, some 100 bytes each
MOST_BYTES, CELL = 128 << 20, 16  # of lines that are sent with their texts; what a cell takes beside its text
MOST_BITS = 62  # columns that fit in a number, one bit each
BITS = 21  # of a hash that are added up at a time, so that there can be 10^12 rows
NUMBER, KEPT, PLACE = "incrowd_number", "incrowd_kept", "incrowd_place"


def _number(frame: Any, names: list[str]) -> Any:
    """Return a hash of some columns in which the places of missing values, which Spark's passes over, count."""
    from pyspark.sql import functions as fn

    return fn.xxhash64(*(part for name in names for part in (frame[name].isNull(), frame[name])))


def to_executors(lines: Any, number: int) -> Any:
    """Return lines that a join sends to every executor, if they are few."""
    from pyspark.sql import functions as fn

    return fn.broadcast(lines) if number <= MOST_SENT else lines


def looked_up(engine: Any, rows: ir.Table, lines: ir.Table, number: str) -> ir.Table | None:
    """Return sorted rows, in their order, joined with the line that has their number.

    The engine's session is a classic one. `rows` are sorted, the number first. `lines` are a number and its cells,
    which may be there several times, and `number` is a column of both. None is returned where a number has different
    cells, the lines are too many to be sent, or Spark would not keep the order. What is sorted and shuffled are the
    rows without these cells. Spark drops a sort that stands below a join, which it thinks nobody sees; it does not look
    below a column that goes by the rows' places. That the order is kept is then read off its plan.
    """
    from pyspark.sql import functions as fn

    cells, count = engine.frame(lines).distinct(), fn.count(fn.lit(1)).alias("n")
    lengths = (fn.coalesce(fn.octet_length(cells[name].cast("string")), fn.lit(0)) for name in cells.columns)
    every = engine.first(cells.agg(count, fn.sum(sum(lengths, fn.lit(CELL * len(cells.columns)))).alias("bytes")))
    limit = int(engine.session.sparkContext._jsc.sc().conf().getSizeAsBytes("spark.driver.maxResultSize", "1g"))
    room = min(MOST_BYTES, limit // 2 or MOST_BYTES)  # they pass through the driver; 0 is no limit
    if int(every["bytes"] or 0) > room:
        return None
    if engine.first(cells.select(number).distinct().agg(count))["n"] != every["n"]:
        return None
    asked = engine.frame(rows)
    placed = asked.withColumn(PLACE, fn.monotonically_increasing_id()).filter(fn.col(PLACE) >= 0)
    found = placed.join(fn.broadcast(cells), number)
    of_rows, of_found = (one._jdf.queryExecution().sparkPlan().outputOrdering().size() for one in (asked, found))
    return engine.view(found.drop(PLACE)) if 0 < of_rows == of_found else None


def met_by_number(
    engine: Any, rows: ir.Table, cells: ir.Table, on: Mapping[str, str], shown: Mapping[str, str], star: str | None
) -> ir.Table | None:
    """Join rows with the line of their type.

    `cells` has one line a type, with what `on` and `shown` name and other columns, which stay. `on` maps columns of
    `cells` to the columns of `rows` with equal values. `shown` maps columns of `cells` with a released cell to the
    columns of `rows` with the original one, of the same type. `star` is the text of a star. The result has the rows'
    columns, those of `cells` that `on` does not name, and the cells of `shown`; it is computed once. It is None where
    two lines have the same number, or there are too many columns. It takes two looks at the lines, and a released cell
    that is the original one or a star is neither sent nor kept.
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
    small = to_executors(small, found["lines"])
    joined = frame.withColumn(NUMBER, _number(frame, list(on.values()))).join(small, NUMBER)
    joined = engine.frame(engine.keep(engine.view(joined.drop(NUMBER))))
    cell_of = {
        cell: fn.when(
            joined[KEPT].bitwiseAND(fn.lit(1 << i).cast("long")) != 0, joined[column]
        ).otherwise(joined[cell] if cell in sent else stars[cell])
        for i, (cell, column) in enumerate(shown.items())
    }  # fmt: skip
    return engine.view(joined.select(*frame.columns, *others, *(value.alias(cell) for cell, value in cell_of.items())))


# Hashes of rows on Spark: those that order a release sort as DuckDB's do.
class SparkHashes(Hashes):
    """What Spark makes of the texts of rows."""

    if TYPE_CHECKING:
        frame: Callable[[ir.Table], Any]
        first: Callable[[Any], dict[str, Any]]

    def content_hash(self, columns: Sequence[ir.Value], seed: str | None = None) -> ir.Value:
        """Return a text that sorts as the number of `Engine.content_hash` does.

        That number is the MD5 with its last byte first, and 38 digits are more than Spark's numbers have.
        """
        joined = self._joined(columns, "" if seed is None else f"{seed}|")
        backwards = decode(unhex(joined.hexdigest("md5")), "ISO-8859-1").reverse()
        return in_hex(encode(backwards, "ISO-8859-1"))

    def from_hex(self, digits: ir.Value) -> ir.Value:
        """Return the whole number that a few hexadecimal digits write."""
        return conv(digits, 16, 10).cast("int64")

    def short_hash(self, columns: Sequence[ir.Value]) -> ir.Value:
        """Return a number that sorts as that of `Engine.short_hash` does: less by 2^63, for Spark's have a sign.

        What DuckDB calls the lower half of its number is the one with the greater weight.
        """
        number = conv(self.content_hash(columns).substr(0, 16), 16, 10).cast("decimal(20, 0)")
        return (number - ibis.literal(decimal.Decimal(1 << 63), "decimal(20, 0)")).cast("int64")

    def sums(self, rows: ir.Table, columns: Sequence[ir.Value]) -> tuple[int, ...]:
        """Return the number of rows and sums over their hashes, of values of any kind as they are."""
        return self.counted_fingerprint(rows, columns, {})[0]

    exact_fingerprint = sums

    def counted_fingerprint(
        self, rows: ir.Table, columns: Sequence[ir.Value], marks: Mapping[str, ir.Value]
    ) -> tuple[tuple[int, ...], dict[str, int]]:
        """Return an `exact_fingerprint`, and how many rows have each mark, of one pass over the rows.

        It is the number of rows and three sums over the 64 bits of a hash of each. Each of `marks` is true or false.
        """
        from pyspark.sql import functions as fn

        hashed = {f"h{i}": column for i, column in enumerate(columns)}
        marked = {f"m_{name}": mark for name, mark in marks.items()}
        frame = self.frame(rows.select(**hashed, **marked))
        frame = frame.select(_number(frame, [*hashed]).alias("h"), *marked)
        code, part = frame.h, fn.lit((1 << BITS) - 1).cast("long")
        parts = code.bitwiseAND(part), fn.shiftright(code, BITS).bitwiseAND(part), fn.shiftright(code, 2 * BITS)
        sums = (*parts, *(frame[name].cast("long") for name in marked))
        asked = [fn.count(fn.lit(1)).alias("n"), *(fn.sum(some).alias(f"s{i}") for i, some in enumerate(sums))]
        found = [int(value or 0) for value in self.first(frame.agg(*asked)).values()]
        return tuple(found[: 1 + len(parts)]), dict(zip(marks, found[1 + len(parts) :], strict=True))


# Texts of floats as DuckDB spells them, for engines that spell them otherwise.
def speller() -> Callable[[Any], list[str | None]]:
    """Return the function from a NumPy array of floats to their texts, NaN to None.

    It names nothing outside itself, so that it can be sent to processes that do not have this package. Of 64 bits: the
    shortest text that is read back as the same number, as Python's `repr`. Of 32 bits too, except where DuckDB's search
    for it (Grisu) cannot tell: where a shorter text lies exactly between two numbers, or as far from the number as
    another one of its length. It then spells the number as one of 64 bits.
    """

    def spelled(values: Any) -> list[str | None]:
        from decimal import Decimal

        import numpy as np

        def single(value: Any) -> str:
            text = np.format_float_scientific(value, trim="-")
            exact, half = Decimal(float(value)), Decimal(float(np.spacing(abs(value)))) / 2
            digits = sum(map(str.isdigit, text.partition("e")[0]))
            off, coarser = (abs(Decimal(shown) - exact) for shown in (text, f"{exact:.{max(digits - 2, 0)}e}"))
            unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
            doubtful = off * 2 == unit or half in (off, coarser)
            return repr(float(value)) if doubtful else repr(float(text))

        short = values.dtype == np.float32
        return [None if v != v else single(v) if short and v and abs(v) != np.inf else repr(float(v)) for v in values]

    return spelled
