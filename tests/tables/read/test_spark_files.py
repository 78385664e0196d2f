"""Files that executors read by themselves: the same table as on DuckDB, and every fault in one sentence."""

import contextlib
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import SPARK, spark_kept
from incrowd.errors import InputError
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import address_of, files_of, refuse_missing
from incrowd.tables.table import KEY

N = 40


def table(n=N, seed=1):
    rng = random.Random(seed)
    return pa.table(
        {"age": pa.array([rng.choice([None, 30, 41]) for _ in range(n)], pa.int32()), "w": rng.choices("ab", k=n)}
    )


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("s3a://bucket/people/*.parquet", "s3a://bucket/people/*.parquet"),
        ("hdfs:///people", "hdfs:///people"),
        (Path("s3a://bucket/people"), "s3a://bucket/people"),
        (Path("hdfs:///people"), "hdfs:/people"),
        ("file:/data/people.csv", "file:/data/people.csv"),
        ("table:sales.people", "table:sales.people"),
        ("people.csv", None),
        ("C:/people.csv", None),
        ("table:", None),
        (object(), None),
    ],
)
def test_an_address_is_told_from_a_path(source, address):
    assert address_of(source) == address
    if address is not None:
        assert files_of(source) is None
        refuse_missing(source)  # nothing of this machine can be missing


def test_an_address_needs_the_engine_that_reads_it():
    with open_engine("duckdb", None) as engine, pytest.raises(InputError, match="say engine = spark"):
        open_source(engine, "s3a://bucket/people.parquet", Reading())


def test_a_policy_file_keeps_addresses_as_they_are(tmp_path):
    job = incrowd.Job(source="s3a://bucket/people", output="hdfs:///out.parquet", engine="spark")
    job.save(tmp_path / "policy.toml")
    again = incrowd.Job.load(tmp_path / "policy.toml")
    assert [address_of(one) for one in (again.source, again.output)] == [job.source, "hdfs:///out.parquet"]


@pytest.fixture(scope="module", params=[pytest.param("spark", marks=SPARK)])
def spark(request):
    # the tests' tables go with their folders, which is nothing to an engine that is closed without a job
    with spark_kept(), contextlib.closing(open_engine(request.param, None)) as made:
        yield made


def rows(engine, source):
    opened = open_source(engine, source, Reading())
    return opened.names, sorted(map(str, engine.fetch(opened.data.select("c0", "c1")).to_pylist()))


def test_files_folders_patterns_addresses_and_tables_are_read_by_executors(spark, tmp_path):
    folder = tmp_path / "a [1] folder"
    folder.mkdir()
    pq.write_table(table().slice(0, 15), folder / "1.parquet")
    pq.write_table(table().slice(15), folder / "2.parquet")
    (folder / "_SUCCESS").touch()
    with open_engine("duckdb", None) as duckdb:
        expected = rows(duckdb, table())
    spark.session.read.parquet(*(f"file:{tmp_path}/a*/{n}.parquet" for n in (1, 2))).write.orc(str(tmp_path / "x.orc"))
    spark.session.read.orc(str(tmp_path / "x.orc")).createOrReplaceTempView("people")
    sources = [
        folder, [folder / "1.parquet", folder / "2.parquet"], f"file:{tmp_path}/a*/*.parquet", tmp_path / "x.orc",
        "table:people",
    ]  # fmt: skip
    for source in sources:
        assert rows(spark, source) == expected, source
    spark.session.catalog.dropTempView("people")


FAULTS = {
    "a column less": (table().select(["age"]), r"'2.parquet' lacks w \('1.parquet'\)"),
    "a column more": (table().append_column("x", [[1] * N]), r"'2.parquet' has x besides"),
    "another type": (table().set_column(0, "age", [[1.5] * N]), r"'2.parquet' has another type in column 'age'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_unlike_files_are_refused(spark, tmp_path, fault):
    pq.write_table(table(), tmp_path / "1.parquet")
    other, said = FAULTS[fault]
    pq.write_table(other, tmp_path / "2.parquet")
    with pytest.raises(InputError, match=said):
        open_source(spark, tmp_path, Reading())


def test_a_part_that_is_empty_or_cut_short_is_named(spark, tmp_path):
    pq.write_table(table(), tmp_path / "1.parquet")
    (tmp_path / "2.parquet").touch()
    with pytest.raises(InputError, match="'2.parquet' of .* is empty"):
        open_source(spark, tmp_path, Reading())
    (tmp_path / "2.parquet").write_bytes((tmp_path / "1.parquet").read_bytes()[:-30])
    with pytest.raises(InputError, match="reading '2.parquet' .* it may be cut short"):
        open_source(spark, tmp_path, Reading())


def test_what_is_not_there_or_of_another_kind_is_a_sentence(spark, tmp_path):
    (tmp_path / "a.xlsx").touch()
    for source, said in {
        tmp_path / "a.xlsx": "a kind that engine spark does not read",
        tmp_path / "none.parquet": "there is no file 'none.parquet'",
        f"file:{tmp_path}/none*": "executors see nothing at that address",
        "table:nowhere": "the catalogue of this Spark has no such table",
        "nofs://a/b.parquet": "this Spark knows no file system of that name",
    }.items():
        with pytest.raises(InputError, match=said):
            open_source(spark, source, Reading())


def test_no_row_crosses_to_this_process(spark, tmp_path, monkeypatch):
    """Ten times the rows, and as many cross: row types and their plan; counted at every door that PySpark has."""
    from pyspark.sql.classic.dataframe import DataFrame
    from pyspark.sql.session import SparkSession

    crossed = []
    for name in ("collect", "toArrow", "toPandas", "toLocalIterator", "take", "head", "tail", "first"):
        before = getattr(DataFrame, name)

        def counted(self, *given, before=before, **named):
            found = before(self, *given, **named)
            with contextlib.suppress(TypeError):
                crossed.append(len(found))
            return found

        monkeypatch.setattr(DataFrame, name, counted)
    made = SparkSession.createDataFrame

    def taken(self, data, *given, **named):
        crossed.append(len(data))
        return made(self, data, *given, **named)

    monkeypatch.setattr(SparkSession, "createDataFrame", taken)
    kinds = [{"age": age, "w": w} for age in (None, 30, 41) for w in "ab"]
    told = []
    for times in (100, 1_000):
        # row types of different sizes: what is told of classes goes by their sizes, and equal ones are one line of it
        made_of = [kind for i, kind in enumerate(kinds, 1) for _ in range(i * times)]
        n = len(made_of)
        pq.write_table(pa.Table.from_pylist(made_of), tmp_path / f"{n}.parquet")
        crossed.clear()
        with incrowd.anonymize(
            tmp_path / f"{n}.parquet", quasi_identifiers=["age", "w"], k=5, engine="spark", output=tmp_path / f"o{n}"
        ) as release:
            assert release.facts["rows"] == n
            assert release.facts["row_types"] == len(kinds)
        told.append(list(crossed))
    assert told[0] == told[1]
    assert max(told[0]) == len(kinds)


def test_files_of_columns_are_not_kept_but_read_again_with_the_same_number_for_every_row(spark, tmp_path):
    for i in range(5):
        pq.write_table(
            table(30, seed=i).append_column("x", pa.array([i / 8] * 30)), tmp_path / f"{i}.parquet", row_group_size=7
        )
    data = open_source(spark, tmp_path, Reading()).data
    folder = Path(spark.kept_in.removeprefix("file:"))
    before = set(folder.glob("*"))
    (read,), _ = spark.keep_listed([data])
    (kept,), _ = spark.keep_listed([data.select(KEY, "c0", c2=spark.text(data.c2))])  # Python spells floats: once
    assert len(set(folder.glob("*")) - before) == 1
    whole = spark.fetch(read.order_by(KEY))
    assert len(set(whole.column(KEY).to_pylist())) == 150
    some = spark.fetch(read.filter(read.c1 == "a").select(KEY, "c0").order_by(KEY)).to_pylist()
    assert some == [{KEY: row[KEY], "c0": row["c0"]} for row in whole.to_pylist() if row["c1"] == "a"]
    assert spark.fetch(kept.select(KEY, "c0").order_by(KEY)).to_pylist() == whole.select([KEY, "c0"]).to_pylist()
