"""Tables that live in Spark go through the whole job there and come out as what they were, in their own session."""

import contextlib
import random
from collections import Counter

import ibis
import pyarrow as pa
import pytest

import incrowd
from engines import SPARK, spark_wanted

pytestmark = SPARK
N = 60
JOB = {
    "quasi_identifiers": ["age", "Word"],
    "identifiers": ["id"],
    "k": 7,
    "mask": incrowd.Mask(max_stars=1),
    "solver": "greedy",
    "work": 1000,
}


@pytest.fixture(scope="module")
def session():
    """A session of the user's, with settings that are not ours."""
    spark_wanted()
    from pyspark.sql import SparkSession

    settings = {"spark.ui.enabled": "false", "spark.sql.ansi.enabled": "false", "spark.sql.caseSensitive": "true"}
    builder = SparkSession.builder
    for name, value in {**settings, "spark.sql.session.timeZone": "Asia/Ho_Chi_Minh"}.items():
        builder = builder.config(name, value)
    with contextlib.closing(Stopped(builder.getOrCreate())) as held:
        yield held.session


class Stopped:
    def __init__(self, session):
        self.session = session

    def close(self):
        self.session.stop()


def source():
    rng = random.Random(3)
    return pa.table(
        {
            "id": [f"person {i}" for i in range(N)],
            "age": pa.array([rng.choice([None, 30, 41]) for _ in range(N)], pa.int32()),
            "Word": [rng.choice([None, "Đặng", "two\nlines"]) for _ in range(N)],
            "word": [rng.choice([None, "a", "b"]) for _ in range(N)],
        }
    )


def on_duckdb():
    with incrowd.anonymize(source(), **JOB) as release:
        return release.table


def test_a_frame_comes_back_as_a_frame_of_its_session(session):
    frame = session.createDataFrame(source())
    conf = session.conf.getAll
    with incrowd.anonymize(frame, **JOB) as release:
        out = release.table
        assert release.facts["rows"] == N
        assert incrowd.verify(frame, out, release.job) == []
        assert incrowd.verify(frame, out.withColumn("word", out.Word), release.job) != []
    assert type(out) is type(frame)  # the release is closed, its table lives on
    assert out.sparkSession is session
    assert out.toArrow().to_pylist() == on_duckdb().to_pylist()
    assert {f.name: f.dataType.simpleString() for f in out.schema} == {
        "age": "string", "Word": "string", "word": "string",
    }  # fmt: skip
    assert session.conf.getAll == conf
    assert type(session).getActiveSession() is session
    assert session.catalog.listTables() == []
    assert session.range(3).count() == 3  # and their Spark runs on


def test_an_ibis_table_comes_back_on_its_connection(session):
    connection = ibis.pyspark.connect(session.newSession())
    connection._session.createDataFrame(source()).createOrReplaceTempView("t")
    table = connection.table("t")
    table = table.filter(table.word != "b")
    with incrowd.anonymize(table, **JOB) as release:
        out = release.table
        assert incrowd.verify(table, out, release.job) == []
    assert isinstance(out, ibis.Table)
    assert out.get_backend() is connection
    rows = table.count().execute()
    assert out.count().execute() == rows
    assert out.join(table.select("word").distinct(), "word").count().execute() == rows


def test_a_table_that_is_another_at_every_look_is_looked_at_once(session):
    from pyspark.sql import functions as fn

    frame = session.createDataFrame(source()).withColumn("drawn", fn.expr("uuid()"))
    with incrowd.anonymize(frame, **JOB) as release:
        one, other = (Counter(row.drawn for row in release.table.collect()) for _ in range(2))
    assert one == other
    assert len(one) == N


def test_what_spark_has_types_for_and_ibis_has_not_is_named_or_text(session):
    table = session.createDataFrame(source())
    some = table.selectExpr("age", "INTERVAL '1-2' YEAR TO MONTH AS span", "array(1, NULL) AS list")
    with incrowd.anonymize(some, quasi_identifiers=["age"], k=4) as release:
        assert {row.span for row in release.table.collect()} == {"INTERVAL '1-2' YEAR TO MONTH"}
        assert {tuple(row.list) for row in release.table.collect()} == {(1, None)}
    with pytest.raises(incrowd.IncrowdError, match=r"^column 'odd' holds variant values that the table engine cannot"):
        incrowd.anonymize(table.selectExpr("age", "parse_json('1') AS odd"), quasi_identifiers=["age"], k=4)
    with pytest.raises(incrowd.IncrowdError, match="column 'list' holds array values and cannot be a quasi-identifier"):
        incrowd.anonymize(some, quasi_identifiers=["list"], k=4)
    with pytest.raises(incrowd.IncrowdError, match="the table is a stream"):
        incrowd.anonymize(session.readStream.format("rate").load(), quasi_identifiers=["value"], k=4)
    with pytest.raises(incrowd.IncrowdError, match="columns 1 and 2 of the table have the same name"):
        incrowd.anonymize(table.select("age", "age"), quasi_identifiers=["age"], k=4)


def test_a_table_that_cannot_be_computed_is_a_sentence_without_cells(session, capsys, caplog):
    from pyspark.errors import NumberFormatException

    session.conf.set("spark.sql.ansi.enabled", "true")
    try:
        frame = session.createDataFrame(source()).selectExpr("age", "CAST('Zebedee' || word AS INT) AS n")
        with pytest.raises(incrowd.IncrowdError, match=r"^computing the table: Spark cannot do it \(\w+\)$") as caught:
            incrowd.anonymize(frame, quasi_identifiers=["age"], k=4)
        with pytest.raises(NumberFormatException):  # their own errors stay what they are
            session.sql("SELECT CAST('x' AS INT)").collect()
    finally:
        session.conf.set("spark.sql.ansi.enabled", "false")
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "Zebedee" not in "".join((*capsys.readouterr(), caplog.text))


def test_the_memory_of_somebodys_spark_is_theirs_to_set(session):
    frame = session.createDataFrame(source())
    with pytest.raises(incrowd.IncrowdError, match="memory cannot be set for a Spark that runs already"):
        incrowd.anonymize(frame, quasi_identifiers=["age"], k=4, memory="4GB")
