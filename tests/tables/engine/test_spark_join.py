"""Rows meet their types' lines by one number as they do by all columns; sums of hashes tell multisets apart."""

import random

import pyarrow as pa
import pytest

from engines import SPARK
from incrowd.tables.engine import spark as of_spark

pytestmark = SPARK
ON, SHOWN = {"o0": "a", "o1": "b"}, {"r0": "a", "r1": "b"}


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
@pytest.mark.parametrize("sent", [of_spark.MOST_SENT, 0])
def test_rows_meet_the_lines_that_all_columns_name(spark, star, sent, monkeypatch):
    monkeypatch.setattr(of_spark, "MOST_SENT", sent)
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
    monkeypatch.setattr(of_spark, "_number", lambda frame, names: fn.lit(1).cast("long"))
    assert spark.fetch(spark.met(rows, cells, ON, SHOWN, "*").select("row", "r0").order_by("row")) == expected


@pytest.mark.parametrize("alike", [False, True])
def test_rows_that_have_met_their_lines_are_computed_once(spark, monkeypatch, alike):
    from pyspark.sql import functions as fn

    rows, cells = tables(spark, "*", 3)
    drawn = spark.view(spark.frame(rows).withColumn("drawn", fn.expr("uuid()")))
    if alike:  # then all columns are compared
        monkeypatch.setattr(of_spark, "_number", lambda frame, names: fn.lit(1).cast("long"))
    met = spark.met(drawn, cells, ON, SHOWN, "*").select("row", "drawn", "r0").order_by("row")
    assert spark.fetch(met) == spark.fetch(met)


def cells_by_number(engine, changed=False):
    every = [(i, f"cell {i}") for i in range(40)] * 2 + [(3, "another")] * changed
    return engine.put(pa.table({"number": [i for i, _ in every], "cell": [cell for _, cell in every]}))


@pytest.mark.parametrize("parts", [1, 7])
def test_cells_that_are_looked_up_afterwards_stand_in_the_order_of_the_sort(spark, parts):
    spark.session.conf.set("spark.sql.shuffle.partitions", str(parts))
    rng = random.Random(parts)
    rows = [(rng.randrange(40), rng.choice([None, *range(500)])) for _ in range(5000)]
    given = spark.put(pa.table({"number": [a for a, _ in rows], "left": pa.array([b for _, b in rows], pa.int64())}))
    found = spark.looked_up(given.order_by("number", "left"), cells_by_number(spark), "number")
    told = spark.fetch(found.select("cell", "left")).to_pylist()
    expected = sorted(rows, key=lambda row: (row[0], row[1] is None, row[1]))  # missing values last
    assert [(one["cell"], one["left"]) for one in told] == [(f"cell {number}", left) for number, left in expected]


def test_cells_are_not_looked_up_where_a_number_has_two_or_they_are_many(spark, monkeypatch):
    given = spark.put(pa.table({"number": [3, 1, 2]}))
    in_order = given.order_by("number")
    assert spark.looked_up(in_order, cells_by_number(spark), "number") is not None
    assert spark.looked_up(in_order, cells_by_number(spark, changed=True), "number") is None
    monkeypatch.setattr(of_spark, "MOST_BYTES", 40 * (2 * of_spark.CELL + 8))
    assert spark.looked_up(in_order, cells_by_number(spark), "number") is None


def test_cells_are_not_looked_up_where_spark_would_not_keep_the_order(spark):
    given = spark.put(pa.table({"number": [3, 1, 2]}))
    assert spark.looked_up(given, cells_by_number(spark), "number") is None


def test_sums_tell_every_change_of_one_cell(spark):
    base = [("a", None), (None, "a"), ("b", "b"), ("b", "b")]

    def sums(rows):
        table = spark.put(pa.table({"p": pa.array([p for p, _ in rows]), "q": pa.array([q for _, q in rows])}))
        return spark.exact_fingerprint(table, [table.p, table.q])

    told = sums(base)
    assert told == sums(base[::-1])
    others = [base[:3], [*base, base[0]], [("a", "a"), *base[1:]], [base[1], *base[1:]], [base[0], base[0], *base[2:]]]
    assert all(sums(other) != told for other in others)
