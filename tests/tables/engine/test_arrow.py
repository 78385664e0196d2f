"""Arrow tables made ready for an engine that has fewer types."""

import datetime
import decimal

import pyarrow as pa
import pytest

from incrowd.tables.engine import arrow
from incrowd.tables.engine.arrow import as_spark_holds, chunks, inside


@pytest.mark.parametrize(
    ("kind", "held"),
    [
        (pa.uint8(), pa.int16()),
        (pa.uint16(), pa.int32()),
        (pa.uint32(), pa.int64()),
        (pa.uint64(), pa.decimal128(20, 0)),
        (pa.timestamp("ns"), pa.timestamp("us")),
        (pa.timestamp("s", "Europe/Berlin"), pa.timestamp("us", "UTC")),
        (pa.time64("us"), pa.string()),
        (pa.large_string(), pa.string()),
        (pa.dictionary(pa.int8(), pa.large_string()), pa.string()),
        (pa.large_list(pa.uint8()), pa.list_(pa.int16())),
        (pa.struct([("a", pa.uint32())]), pa.struct([("a", pa.int64())])),
        (pa.duration("s"), None),
        (pa.list_(pa.duration("s")), None),
        (pa.struct([("a", pa.duration("s"))]), None),
        (pa.bool8(), pa.int8()),
        *((kind, kind) for kind in (pa.int8(), pa.int64(), pa.float32(), pa.float64(), pa.decimal128(9, 2))),
        *((kind, kind) for kind in (pa.bool_(), pa.string(), pa.date32())),
    ],
    ids=str,
)
def test_every_type_is_held_in_one_that_has_all_its_values_or_in_none(kind, held):
    assert inside(kind) == held


def test_no_value_changes_and_times_are_spelled_as_duckdb_spells_them():
    table = pa.table(
        {
            "large": pa.array([2**64 - 1, 0, None], pa.uint64()),
            "word": pa.array(["a", "b", None]).dictionary_encode(),
            "time": pa.array([datetime.time(1, 2, 3), datetime.time(1, 2, 3, 450000), None], pa.time64("us")),
            "kept": pa.array([1.5, None, -0.0]),
            "bit": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, None, 0], pa.int8())),
        }
    )
    held = as_spark_holds(table)
    assert held.column("large").to_pylist() == [decimal.Decimal(2**64 - 1), 0, None]
    assert held.column("word").to_pylist() == ["a", "b", None]
    assert held.column("time").to_pylist() == ["01:02:03", "01:02:03.45", None]
    assert held.column("kept").to_pylist() == [1.5, None, -0.0]
    assert held.column("bit").to_pylist() == [1, None, 0]
    assert [column.type for column in held.columns] == [inside(column.type) for column in table.columns]


def test_a_time_finer_than_microseconds_is_refused_and_not_cut():
    with pytest.raises(pa.ArrowException):
        as_spark_holds(pa.table({"t": pa.array([1], pa.timestamp("ns"))}))


def test_rows_cross_in_tables_of_many_batches_and_an_empty_source_has_its_columns(monkeypatch):
    monkeypatch.setattr(arrow, "ROWS_AT_ONCE", 5)
    schema = pa.schema([("n", pa.int64())])
    batches = [pa.record_batch([pa.array(range(at, at + 2))], schema=schema) for at in range(0, 14, 2)]
    found = list(chunks(schema, iter(batches)))
    assert [table.num_rows for table in found] == [6, 6, 2]
    assert pa.concat_tables(found).column("n").to_pylist() == list(range(14))
    (none,) = chunks(schema, iter(()))
    assert (none.num_rows, none.schema) == (0, schema)
