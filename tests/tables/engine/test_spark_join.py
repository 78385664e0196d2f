"""Rows meet their types' lines by one number as they do by all columns; sums of hashes tell multisets apart."""

import random

import pyarrow as pa
import pytest

from engines import SPARK, spark_kept
from incrowd.tables.engine import spark_join
from incrowd.tables.engine.open import open_engine

pytestmark = SPARK
ON, SHOWN = {"o0": "a", "o1": "b"}, {"r0": "a", "r1": "b"}


@pytest.fixture(scope="module")
def spark():
    with spark_kept(), open_engine("spark", None) as made:
        yield made


def tables(engine, star, seed):
    rng = random.Random(seed)
    values, numbers = [None, "", "x", "y", "xy"], [None, 0, 1, 7]
    every = [(a, b) for a in values for b in numbers]
    rows = rng.choices(every, k=60)
    cells = [(a, b, rng.choice([a, star, "label", None]), b, i) for i, (a, b) in enumerate(every)]
    names = ("o0", "o1", "r0", "r1", "line")
    lines = {name: [cell[j] for cell in cells] for j, name in enumerate(names)}
    lines = pa.table(
        {name: pa.array(lines[name], pa.string() if name in ("o0", "r0") else pa.int64()) for name in names}
    )
    given = pa.table({"row": range(60), "a": pa.array([a for a, _ in rows]), "b": pa.array([b for _, b in rows])})
    return engine.put(given), engine.put(lines)


@pytest.mark.parametrize("star", ["*", None])
@pytest.mark.parametrize("sent", [spark_join.MOST_SENT, 0])
def test_rows_meet_the_lines_that_all_columns_name(spark, star, sent, monkeypatch):
    monkeypatch.setattr(spark_join, "MOST_SENT", sent)
    rows, cells = tables(spark, star, 1)
    told = []
    for met in (spark.met, super(type(spark), spark).met):
        found = met(rows, cells, ON, SHOWN, star)
        told.append(spark.fetch(found.select("row", "a", "b", "r0", "r1", "line").order_by("row")).to_pylist())
    assert told[0] == told[1]
    assert len(told[0]) == 60


def test_lines_with_one_number_are_told_apart_by_their_columns(spark, monkeypatch):
    from pyspark.sql import functions as fn

    rows, cells = tables(spark, "*", 2)
    expected = spark.fetch(spark.met(rows, cells, ON, SHOWN, "*").select("row", "r0").order_by("row"))
    monkeypatch.setattr(spark_join, "_number", lambda frame, names: fn.lit(1).cast("long"))
    assert spark_join.met_by_number(spark, rows, cells, ON, SHOWN, "*") is None
    assert spark.fetch(spark.met(rows, cells, ON, SHOWN, "*").select("row", "r0").order_by("row")) == expected


@pytest.mark.parametrize("alike", [False, True])
def test_rows_that_have_met_their_lines_are_computed_once(spark, monkeypatch, alike):
    from pyspark.sql import functions as fn

    rows, cells = tables(spark, "*", 3)
    drawn = spark.view(spark.frame(rows).withColumn("drawn", fn.expr("uuid()")))
    if alike:  # then all columns are compared
        monkeypatch.setattr(spark_join, "_number", lambda frame, names: fn.lit(1).cast("long"))
    met = spark.met(drawn, cells, ON, SHOWN, "*").select("row", "drawn", "r0").order_by("row")
    assert spark.fetch(met) == spark.fetch(met)


def test_sums_tell_every_change_of_one_cell(spark):
    base = [("a", None), (None, "a"), ("b", "b"), ("b", "b")]

    def sums(rows):
        table = spark.put(pa.table({"p": pa.array([p for p, _ in rows]), "q": pa.array([q for _, q in rows])}))
        return spark.exact_fingerprint(table, [table.p, table.q])

    told = sums(base)
    assert told == sums(base[::-1])
    others = [base[:3], [*base, base[0]], [("a", "a"), *base[1:]], [base[1], *base[1:]], [base[0], base[0], *base[2:]]]
    assert all(sums(other) != told for other in others)
