import pyarrow as pa

from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.read.column_values import column_values
from incrowd.tables.roles import Reading


def test_values_come_spelled_out_by_their_bytes_missing_ones_first_with_their_rows():
    table = pa.table({"a": pa.array([10, 9, None, 10], pa.int64())})
    with open_engine("duckdb", None, table) as engine:
        opened = open_source(engine, table, Reading())
        assert column_values(engine, opened, "a") == ([None, "10", "9"], [1, 2, 1])
