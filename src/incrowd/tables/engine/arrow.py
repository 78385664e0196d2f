"""Arrow tables on their way into Spark, which has fewer types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


ROWS_AT_ONCE = 1 << 20  # rows that cross together


def chunks(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield tables of many batches each; at least one, so that an empty table has its columns.

    All batches are of `schema`.
    """
    some: list[pa.RecordBatch] = []
    rows, none = 0, True
    for batch in batches:
        some.append(batch)
        rows += batch.num_rows
        if rows >= ROWS_AT_ONCE:
            yield pa.Table.from_batches(some, schema)
            some, rows, none = [], 0, False
    if some or none:
        yield pa.Table.from_batches(some, schema)


def inside(kind: pa.DataType) -> pa.DataType | None:
    """Return the type of Arrow's in which Spark holds a type, or None where Spark has none."""
    if isinstance(kind, pa.BaseExtensionType):
        return inside(kind.storage_type)
    if pa.types.is_dictionary(kind):
        return inside(kind.value_type)
    if pa.types.is_unsigned_integer(kind):  # Spark's integers are signed
        return {8: pa.int16(), 16: pa.int32(), 32: pa.int64()}.get(kind.bit_width, pa.decimal128(20, 0))
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", "UTC" if kind.tz else None)
    if any(test(kind) for test in (pa.types.is_time, pa.types.is_large_string, pa.types.is_string_view)):
        return pa.string()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        within = inside(kind.value_type)
        return None if within is None else pa.list_(within)
    if pa.types.is_struct(kind):
        fields = [(field.name, inside(field.type)) for field in kind]
        return None if any(within is None for _, within in fields) else pa.struct(fields)
    known = (
        pa.types.is_signed_integer, pa.types.is_float32, pa.types.is_float64, pa.types.is_decimal128,
        pa.types.is_boolean, pa.types.is_string, pa.types.is_binary, pa.types.is_date32,
    )  # fmt: skip
    return kind if any(test(kind) for test in known) else None


def as_spark_holds(table: pa.Table) -> pa.Table:
    """Return a table in types that Spark has; times of the day as the texts that DuckDB spells.

    A column of a type that Spark has not stays as it is. Raises pyarrow.ArrowException if a value does not fit, for
    example a time with nanoseconds.
    """
    columns = [_as(column, inside(column.type) or column.type) for column in table.columns]
    return pa.Table.from_arrays(columns, names=table.column_names)


def _as(column: pa.ChunkedArray, wanted: pa.DataType) -> pa.ChunkedArray:
    if isinstance(column.type, pa.BaseExtensionType):
        column = pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
    if column.type == wanted:
        return column
    text = column.cast(wanted)
    fraction = pa.types.is_time(column.type) and column.type.unit != "s"
    return pc.replace_substring_regex(text, r"\.?0*$", "") if fraction else text
