"""Hashes of rows on Spark sort as DuckDB's do."""

import pyarrow as pa
import pytest

from engines import SPARK
from incrowd.tables.engine.base import Engine
from tables.engine.test_spark import hard

pytestmark = SPARK


@pytest.mark.parametrize("seed", [None, 0, 7])
def test_the_order_by_content_is_duckdbs(spark, seed):
    found = []
    with Engine() as duckdb:
        for engine in (spark, duckdb):
            rows = engine.put(hard())
            columns = [rows[name] for name in rows.columns]
            key = engine.content_hash(columns, seed) if seed is not None else engine.short_hash(columns)
            found.append(engine.fetch(rows.order_by(key).select("text", "day", "flag", "kind")).to_pylist())
    assert found[0] == found[1]


def test_nulls_in_other_places_have_other_fingerprints(spark):
    rows = spark.put(pa.table({"a": ["x", None], "b": [None, "y"]}))
    other = spark.put(pa.table({"a": [None, "y"], "b": ["x", None]}))
    prints = {spark.fingerprint(table, [table.a, table.b]) for table in (rows, other)}
    assert len(prints) == 2
