"""Which files a source means, told without a library that reads them."""

import random
from pathlib import Path

import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read.sources import open_source
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import files_of, lake_of, name_of, refuse_database, refuse_missing


@pytest.fixture
def folder(tmp_path):
    for name in ("a-1.csv", "a-2.csv", "b.parquet", ".hidden.csv", "_SUCCESS"):
        (tmp_path / "t" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "t" / name).write_text("x\n")
    return tmp_path / "t"


def names(source):
    found = files_of(source)
    return None if found is None else [path.name for path in found]


def test_one_file_and_everything_else_is_left_as_it_is(folder):
    for source in (folder / "a-1.csv", str(folder / "a-1.csv"), "-", None, [{"a": 1}], [], {"a": [1]}, "nobody.csv"):
        assert files_of(source) is None


def test_a_pattern_means_its_files_in_the_order_of_their_names(folder):
    assert names(str(folder / "a-*.csv")) == ["a-1.csv", "a-2.csv"]
    assert names(str(folder / "*.parquet")) == ["b.parquet"]
    assert names(str(folder.parent / "**" / "a-?.csv")) == ["a-1.csv", "a-2.csv"]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder):
    (folder / "a-[1].csv").write_text("x\n")
    assert files_of(folder / "a-[1].csv") is None


def test_a_folder_means_its_files_but_for_hidden_ones(folder):
    with pytest.raises(InputError, match=r"the folder 't' means files of several kinds \(.csv, .parquet\)"):
        files_of(folder)
    (folder / "b.parquet").unlink()
    assert names(folder) == ["a-1.csv", "a-2.csv"]


@pytest.mark.parametrize(
    ("made", "source", "said"),
    [
        ((), "*.json", "no file is called '\\*.json'"),
        ((), ".", "holds no table"),
        (("x/a.csv",), ".", "has folders in it, which are not read; name the files by a pattern"),
        (("year=2024/a.csv",), ".", "in the names of folders, like year=2024"),
        (("year=2024/a.csv",), "**/*.csv", "in the names of folders, like year=2024"),
        (("a.csv",), ["a.csv", "./a.csv"], "means a file twice"),
        (("a.csv",), ["a.csv", "-"], "standard input"),
        (("a.csv",), ["a.csv", "b.csv"], "there is no file 'b.csv'"),
        (("a.csv", "b.csv.gz"), ["a.csv", "b.csv.gz"], "several kinds"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence(tmp_path, monkeypatch, made, source, said):
    monkeypatch.chdir(tmp_path)
    for name in made:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    with pytest.raises(InputError, match=said):
        files_of(source)


def test_a_folder_named_with_an_equals_sign_above_the_pattern_is_no_partition(tmp_path):
    (tmp_path / "a=b").mkdir()
    (tmp_path / "a=b" / "x.csv").write_text("x\n")
    assert names(str(tmp_path / "a=b" / "*.csv")) == ["x.csv"]


def test_more_files_than_the_limit_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("incrowd.tables.source_files.MOST", 3)
    for i in range(4):
        (tmp_path / f"{i}.csv").write_text("x\n")
    for source in (tmp_path, str(tmp_path / "*.csv"), sorted(tmp_path.iterdir())):
        with pytest.raises(InputError, match="more than 3 files"):
            files_of(source)


def test_listed_files_keep_their_order(tmp_path):
    order = [tmp_path / f"{i}.csv" for i in range(6)]
    random.Random(4).shuffle(order)
    for path in order:
        path.write_text("x\n")
    assert files_of(order) == order
    assert name_of(order) == f"{order[0].name} and 5 more files"


def test_a_missing_file_is_refused_by_its_base_name(tmp_path):
    with pytest.raises(InputError, match="^there is no file 'x.csv'$"):
        refuse_missing(tmp_path / "y" / "x.csv")
    refuse_missing("-", None, "data.db::people", 5)  # for others to say


@pytest.mark.parametrize(("mark", "lake"), [("_delta_log", "Delta"), ("metadata", "Iceberg")])
def test_the_files_of_a_lakes_table_are_not_taken_for_its_rows(tmp_path, mark, lake):
    (tmp_path / "people" / mark).mkdir(parents=True)
    (tmp_path / "people" / "part-0.parquet").write_bytes(b"a row that was deleted")
    assert lake_of(tmp_path / "people") == lake.lower()
    with pytest.raises(
        InputError, match=f"^the folder 'people' is a table of {lake}, whose files alone are not its rows"
    ):
        files_of(tmp_path / "people")
    refuse_missing(tmp_path / "people")  # engine spark can read it
    assert lake_of(tmp_path) == lake_of(tmp_path / "nowhere") == lake_of(tmp_path / ("a" * 5_000)) == ""


def test_the_address_of_a_database_is_refused_and_nothing_of_it_is_told():
    said = "a database is not read by its address: .* as a relation of a DuckDB that attached the database"
    plain = "postgresql://ann:secret@host"
    with Engine() as engine:
        asked = (refuse_database, refuse_missing, lambda source: open_source(engine, source, Reading()))
        for source in (plain, Path(plain), "mysql+pymysql://secret/db", "JDBC:oracle:thin:@secret", "duckdb:///secret"):
            for ask in asked:
                with pytest.raises(InputError, match=said) as told:
                    ask(source)
                assert "secret" not in str(told.value)
    for source in ("postgresql.csv", "s3a://mysql/t", "table:oracle", Path("sqlite::t"), {"a": [1]}, "-"):
        refuse_database(source)
