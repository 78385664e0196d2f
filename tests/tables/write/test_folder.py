"""A release written by executors: a folder that is whole or absent, its parts in the rows' order."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import SPARK, spark_kept
from incrowd.errors import InputError, OurBug, PolicyError
from incrowd.tables.engine.open import open_engine
from incrowd.tables.engine.spark_places import Places
from incrowd.tables.write import check_folder, folder_kind

WORDS = ["plain", " blanks ", 'a"b', "two\nlines", "\\*'x;--", "back\\", "", None, "cr\rlf\r\n", ",", "ä😀"]
N = 44
JOB = {"quasi_identifiers": ["age"], "k": 4, "engine": "spark"}


def table():
    return pa.table({"age": [str(i % 3) for i in range(N)], "word": [WORDS[i % len(WORDS)] for i in range(N)]})


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_ending_says_the_kind():
    assert [folder_kind(name) for name in ("out", "out.parquet", "s3a://b/out.csv")] == ["parquet", "parquet", "csv"]
    for name in ("out.jsonl", "out.csv.gz"):
        with pytest.raises(InputError, match=r"let output 'out\.\S+' end in .parquet or .csv, or in nothing"):
            folder_kind(name)


def test_what_cannot_be_written_is_refused_before_any_work(tmp_path):
    (tmp_path / "there").mkdir()
    for output, said in {
        "-": "engine spark writes a folder, not standard output",
        tmp_path / "there": "output 'there' is there already, and engine spark replaces no folder",
        tmp_path / "none" / "out": "there is no folder to put output 'out' in",
        "table:sales.people": "make a table of it afterwards",
    }.items():
        with pytest.raises(InputError, match=said):
            check_folder(output)
    with pytest.raises(PolicyError, match="spreadsheet_safe is about CSV"):
        check_folder(tmp_path / "out", spreadsheet_safe=True)
    with pytest.raises(InputError, match="is there already"):  # and no Spark was started for that
        incrowd.anonymize(table(), output=tmp_path / "there", **JOB)


@pytest.fixture(scope="module", params=[pytest.param("spark", marks=SPARK)])
def spark(request):
    with spark_kept(), open_engine(request.param, None) as made:
        yield made


def test_every_text_comes_back_as_it_was(spark, tmp_path):
    with (
        incrowd.anonymize(table(), **JOB) as release,
        incrowd.anonymize(table(), **JOB | {"engine": "duckdb"}) as plain,
    ):
        for name in ("out.csv", "out.parquet", "out"):
            release.save(tmp_path / name)
            inside = names_in(tmp_path / name)
            assert "_SUCCESS" in inside
            if name != "out.csv":
                assert pq.read_table(tmp_path / name).to_pylist() == plain.table.to_pylist()
        plain.save(tmp_path / "plain.csv")
        parts = sorted((tmp_path / "out.csv").glob("part-*"))
        body = b"".join(part.read_bytes().partition(b"\n")[2] for part in parts)
        assert body == (tmp_path / "plain.csv").read_bytes().partition(b"\n")[2]
        assert incrowd.verify(table(), tmp_path / "out.csv", plain.job) == []
    assert names_in(tmp_path) == ["out", "out.csv", "out.parquet", "plain.csv"]


def test_parts_sort_as_the_rows_do(spark, tmp_path):
    spark.session.conf.set("spark.sql.adaptive.enabled", "false")
    with incrowd.anonymize(table(), **JOB) as release:
        release._rows.table.engine.session.conf.set("spark.sql.adaptive.enabled", "false")  # which joins small parts
        release.save(tmp_path / "out")
        parts = sorted((tmp_path / "out").glob("part-*.parquet"))
        assert len(parts) > 1
        rows = [row for part in parts for row in pq.read_table(part).to_pylist()]
        assert rows == release.table.to_pylist()


@pytest.mark.parametrize("renames", [True, False])
def test_what_is_not_the_release_is_never_published(spark, tmp_path, monkeypatch, renames):
    monkeypatch.setattr(Places, "renames", lambda self, address: renames)
    with incrowd.anonymize(table(), **JOB) as release:
        monkeypatch.setattr("incrowd.tables.write._write", _one_row_less)
        with pytest.raises(OurBug, match="does not hold the verified release; it was removed"):
            release.save(tmp_path / "out")
        assert names_in(tmp_path) == []
        monkeypatch.undo()
        monkeypatch.setattr(Places, "renames", lambda self, address: renames)
        release.save(tmp_path / "out")
        assert "_SUCCESS" in names_in(tmp_path / "out")
        assert pq.read_table(tmp_path / "out").num_rows == N


def _one_row_less(engine, rows, names, kind, folder, *, marked):
    assert Path(folder.removeprefix("file:")).stat().st_mode & 0o777 == 0o700  # a job that is killed may leave it
    engine.frame(rows).toDF(*names).limit(N - 1).write.mode("append").parquet(folder)


def test_a_certificate_and_a_folder_appear_together(spark, tmp_path):
    job = JOB | {"output": tmp_path / "out.parquet", "certificate": tmp_path / "c.json"}
    with incrowd.anonymize(table(), **job) as release:
        checked = release.job.replace(engine="duckdb")
        assert incrowd.verify(table(), tmp_path / "out.parquet", checked, certificate=tmp_path / "c.json") == []
    with pytest.raises(InputError, match="is there already"):
        incrowd.anonymize(table(), **job)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            "foo://bucket/out.parquet",
            "looking where output 'out.parquet' goes: this Spark knows no file system of that",
        ),
        ("hdfs://127.0.0.1:1/out.parquet", "looking where output 'out.parquet' goes: nothing answers at that address"),
        ("file:/proc/out.parquet", "trying the place of output 'out.parquet': permission is denied"),
        ("file:{0}/there", "output 'there' is there already, and engine spark replaces no folder"),
    ],
)
def test_a_place_that_takes_no_folder_is_told_before_the_table_is_read(spark, tmp_path, monkeypatch, output, said):
    (tmp_path / "there").mkdir()
    monkeypatch.setattr("incrowd.jobs.anonymize.prepare", lambda *_: pytest.fail("the table is read"))
    with pytest.raises(InputError, match=f"^{said}"):
        incrowd.anonymize(table(), **JOB, output=output.format(tmp_path))
    assert names_in(tmp_path) == ["there"]


def test_a_folder_has_the_name_that_it_is_given_whatever_signs_are_in_it(spark, tmp_path):
    with incrowd.anonymize(table(), **JOB, output=tmp_path / "o[1]*.parquet"):
        pass
    assert names_in(tmp_path) == ["o[1]*.parquet"]
    assert pq.read_table(tmp_path / "o[1]*.parquet").num_rows == N
