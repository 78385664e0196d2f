"""DuckDB's types as Ibis and Arrow have them."""

import pyarrow as pa
import pytest

from incrowd.tables.engine.duckdb_kinds import is_plain, of_kinds, schema_of


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint64(), pa.bool_(), pa.float32(), pa.float64(), pa.string()])
def test_plain_columns_may_hold_missing_values(kind):
    assert is_plain(pa.field("a", kind))
    assert not is_plain(pa.field("a", kind, nullable=False))


@pytest.mark.parametrize("kind", [pa.date32(), pa.decimal128(5, 2), pa.large_string(), pa.list_(pa.int8())])
def test_other_types_are_not_plain(kind):
    assert not is_plain(pa.field("a", kind))


def test_a_table_takes_the_types_that_are_wanted():
    wanted = pa.schema([("n", pa.int64()), ("nothing", pa.null())])
    found = of_kinds(pa.table({"n": pa.array([1, None], pa.decimal128(38, 0)), "nothing": pa.array([None, 2])}), wanted)
    assert found.schema == wanted
    assert found.to_pydict() == {"n": [1, None], "nothing": [None, None]}
    assert of_kinds(found, wanted) is found


def test_a_schema_is_made_of_names():
    schema = schema_of((("a", "BIGINT"), ("b", "DECIMAL(5,2)"), ("c", "VARCHAR")))
    assert [(name, str(kind)) for name, kind in schema.items()] == [
        ("a", "int64"), ("b", "decimal(5, 2)"), ("c", "string"),
    ]  # fmt: skip
