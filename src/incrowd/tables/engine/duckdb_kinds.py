"""DuckDB's types as Ibis and Arrow have them."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import ibis
from ibis.backends.sql.datatypes import DuckDBType

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["is_plain", "of_kinds", "schema_of"]


def is_plain(field: pa.Field) -> bool:
    """Return whether DuckDB takes a column in the type that Ibis has for it."""
    import pyarrow.types as pat

    known = (pat.is_integer, pat.is_boolean, pat.is_float32, pat.is_float64, pat.is_string)
    return field.nullable and any(test(field.type) for test in known)


def of_kinds(table: pa.Table, wanted: pa.Schema) -> pa.Table:
    """Return a table with its columns in the types of their expressions: DuckDB's sums are wider, for example."""
    import pyarrow as pa

    if table.schema == wanted:
        return table
    columns = [
        pa.nulls(len(table)) if pa.types.is_null(field.type) else table[field.name].cast(field.type) for field in wanted
    ]
    return pa.Table.from_arrays(columns, schema=wanted)


@functools.lru_cache(maxsize=1024)
def schema_of(kinds: tuple[tuple[str, str], ...]) -> ibis.Schema:
    """Return the schema of a table from its columns' names and DuckDB's names of their types."""
    return ibis.schema({name: DuckDBType.from_string(kind) for name, kind in kinds})
