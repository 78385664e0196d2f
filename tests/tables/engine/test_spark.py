"""The engine on Spark spells and orders as DuckDB does, and says nothing of a cell."""

import datetime
import decimal
import logging
import random
import struct

import pyarrow as pa
import pytest

from engines import SPARK
from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine

pytestmark = SPARK

FLOATS = [1e16, 1e15, 123456789.0, 0.1, 1e-5, 1e-4, 2e23, float("inf"), 5e-324, 1.7976931348623157e308, 8.41e21]
FLOATS += [9007199254740993.0, -0.5, float("nan"), -0.0, 0.0, 100.0, None]


def floats(n=500):
    rng = random.Random(1)
    return [*FLOATS, *(struct.unpack("d", rng.randbytes(8))[0] for _ in range(n))]


def singles(n=500):
    rng = random.Random(2)
    return [0.1, 1e15, 123456789.0, 1e-4, 1e16, None, *(struct.unpack("f", rng.randbytes(4))[0] for _ in range(n))]


def hard():
    rng = random.Random(5)
    n = 300

    def draw(*values):
        return [rng.choice(values) for _ in range(n)]

    when = datetime.datetime(2020, 2, 29, 12, 30, 0, 500000)
    return pa.table(
        {
            "text": draw(None, "", "n", "1:a", "Đặng😀", 'a"b\n', "\\*'x", "a\0b", "*"),
            "day": draw(None, datetime.date(1, 1, 1), datetime.date(9999, 12, 31)),
            "money": pa.array(draw(None, decimal.Decimal("0.0000001"), decimal.Decimal("-1.5")), pa.decimal128(20, 7)),
            "time": pa.array(draw(None, when, datetime.datetime(1, 1, 1)), pa.timestamp("us")),
            "zone": pa.array(draw(None, when), pa.timestamp("ms", "Asia/Ho_Chi_Minh")),
            "hour": pa.array(draw(None, datetime.time(12), datetime.time(12, 0, 0, 500000)), pa.time64("us")),
            "flag": draw(None, True, False),
            "big": pa.array(draw(None, 0, 2**64 - 1), pa.uint64()),
            "kind": pa.array(draw(None, "x", "y")).dictionary_encode(),
            "real": pa.array(rng.choices(floats(0), k=n), pa.float64()),
        }
    )


def texts(engine, table):
    inside = engine.put(table)
    return engine.fetch(inside.select(**{name: engine.text(inside[name]) for name in inside.columns})).to_pydict()


def test_texts_are_duckdbs(spark):
    with Engine() as duckdb:
        real, single = pa.table({"f": pa.array(floats())}), pa.table({"f": pa.array(singles(), pa.float32())})
        for table in (hard(), real, single):
            assert texts(spark, table) == texts(duckdb, table)


def test_what_is_kept_is_computed_once(spark):
    kept = spark.keep(spark.con.sql("SELECT uuid() AS u FROM range(20)"))
    assert spark.fetch(kept) == spark.fetch(kept)
    spark.drop(kept)
    assert kept.get_name() not in spark.con.list_tables()


def test_an_empty_table_has_its_columns(spark):
    schema = pa.schema([("a", pa.int64()), ("b", pa.string())])
    assert spark.fetch(spark.take(schema, [])).schema == schema


def test_no_error_of_spark_quotes_a_cell(spark, capfd, caplog):
    with caplog.at_level(logging.DEBUG), pytest.raises(InputError) as caught:  # noqa: SIM117
        with spark.guard("trying"):
            spark.session.sql("SELECT CAST('Zebedee ' || id AS INT) FROM range(3)").collect()
    assert str(caught.value) == "trying: Spark cannot do it (CAST_INVALID_INPUT)"
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "Zebedee" not in "".join((*capfd.readouterr(), caplog.text))


def test_it_shows_no_page_and_listens_to_this_machine_alone(spark):
    context = spark.session.sparkContext
    assert context.uiWebUrl is None
    assert context.getConf().get("spark.driver.host") == "127.0.0.1"
    assert context.getConf().get("spark.driver.bindAddress") == "127.0.0.1"
    assert context.getConf().get("spark.log.level") == "OFF"
