"""Tables of Spark's, and tables that are handed over to it."""

import datetime
from types import SimpleNamespace

import pyarrow as pa
import pytest

from engines import SPARK, spark_kept
from incrowd.errors import InputError
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.read.spark import open_spark
from incrowd.tables.roles import Reading


def test_a_stream_is_refused():
    with pytest.raises(InputError, match="the table is a stream, which has no end"):
        open_spark(None, SimpleNamespace(isStreaming=True), "the table")


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(InputError, match="columns 1 and 3"):
        open_spark(None, SimpleNamespace(isStreaming=False, columns=["a", "b", "a"]), "the table")


@pytest.fixture(scope="module", params=[pytest.param("spark", marks=SPARK)])
def spark(request):
    with spark_kept(), open_engine(request.param, None) as made:
        yield made


def test_a_table_of_this_process_arrives_in_its_own_types(spark):
    given = pa.table({"n": pa.array([1, None], pa.uint8()), "t": ["a", "ä"], "d": [datetime.date(2020, 1, 2), None]})
    opened = open_source(spark, given, Reading())
    assert opened.names == ("n", "t", "d")
    found = spark.fetch(opened.data.order_by("row_key"))
    assert found.select(["c0", "c1", "c2"]).to_pydict() == {
        "c0": [1, None], "c1": ["a", "ä"], "c2": [datetime.date(2020, 1, 2), None],
    }  # fmt: skip


def test_a_type_that_spark_lacks_is_refused_by_its_column(spark):
    given = pa.table({"n": [1], "far": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64()))})
    with pytest.raises(InputError, match="'far'"):
        open_source(spark, given, Reading())
