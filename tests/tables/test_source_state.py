"""A table whose files change while it is read is refused in one sentence, and nothing is published."""

import sqlite3

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import incrowd
from engines import ENGINES, SPARK, spark_kept
from incrowd.errors import OurBug
from incrowd.jobs import clock
from incrowd.jobs.large import table as reading
from incrowd.tables.engine.base import Engine
from incrowd.tables.source_state import file_states, read_whole, refuse_changed, steady

N = 24
JOB = {"quasi_identifiers": ["age", "zip"], "k": 2, "solver": "greedy"}
MEND = "leave the files of a table as they are until the command has ended, and run it again"
PUT = {"parquet": pq.write_table, "csv": pc.write_csv}


def table(seed):
    ages, zips = ([f"{(i * 7 + seed) % modulus}" for i in range(N)] for modulus in (3, 2))
    return pa.table({"age": ages, "zip": zips, "note": [f"n{seed} {i}" for i in range(N)]})


@pytest.fixture(scope="module")
def one_spark():
    with spark_kept():
        yield


@pytest.fixture
def people(tmp_path):
    """Give what a source is called, by what it is: a file, a folder, a pattern or a list of files."""
    folder = tmp_path / "people"
    folder.mkdir()

    def made(kind, ending):
        for number in range(1 if kind == "file" else 3):
            PUT[ending](table(number), folder / f"{number}.{ending}")
        files = sorted(folder.iterdir())
        return {"file": files[0], "folder": folder, "pattern": str(folder / f"*.{ending}"), "list": files}[kind]

    return made


def written_anew(folder, ending):
    PUT[ending](table(9), folder / f"0.{ending}")


def cut_short(folder, ending):
    whole = (folder / f"0.{ending}").read_bytes()
    (folder / f"0.{ending}").write_bytes(whole[: len(whole) // 2])


def gone(folder, ending):
    (folder / f"0.{ending}").unlink()


def new(folder, ending):
    PUT[ending](table(8), folder / f"9.{ending}")


CHANGES = {"written anew": written_anew, "cut short": cut_short, "gone": gone, "new": new}


def changed(monkeypatch, when, change):
    """Let a change happen once: as soon as a source is opened, or before a stage."""
    done = []

    def once():
        if not done:
            change()
            done.append(1)

    if when == "opened":
        checked = reading.checked
        monkeypatch.setattr(reading, "checked", lambda *given: once() or checked(*given))
        return done
    call = clock.Clock.__call__
    monkeypatch.setattr(clock.Clock, "__call__", lambda self, stage: (stage == when and once()) or call(self, stage))
    return done


CASES = [
    ("file", "written anew"), ("file", "cut short"), ("file", "gone"), ("folder", "written anew"), ("folder", "gone"),
    ("folder", "new"), ("pattern", "new"), ("pattern", "cut short"), ("list", "gone"),
]  # fmt: skip


def sentence(kind, ending, what):
    said = {"written anew": "was written anew", "cut short": "was written anew", "gone": "is gone", "new": "is new"}
    names = {
        "file": f"0.{ending}",
        "folder": "people",
        "pattern": f"*.{ending}",
        "list": f"0.{ending} and 2 more files",
    }
    part = "" if kind == "file" else f" ('{9 if what == 'new' else 0}.{ending}' {said[what]})"
    return f"'{names[kind]}' changed while it was read{part}: {MEND}"


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize(("kind", "what"), CASES)
def test_files_that_change_while_they_are_read_are_one_sentence(tmp_path, people, monkeypatch, kind, what, ending):
    source, out = people(kind, ending), tmp_path / "out.csv"
    # by the time that roles are given, several files lie in the engine
    if kind == "file":
        done = changed(monkeypatch, "opened", lambda: CHANGES[what](tmp_path / "people", ending))
    else:
        keep, done = Engine.keep, []

        def kept(engine, rows):
            if not done:
                CHANGES[what](tmp_path / "people", ending)
                done.append(1)
            return keep(engine, rows)

        monkeypatch.setattr(Engine, "keep", kept)
    with pytest.raises(incrowd.InputError) as told:
        incrowd.anonymize(source, output=out, **JOB)
    assert done
    assert str(told.value) == sentence(kind, ending, what)
    assert told.value.__context__ is None
    assert not out.exists()


def test_what_was_read_may_change_where_it_is_not_read_again(tmp_path, people, monkeypatch):
    source, out = people("folder", "parquet"), tmp_path / "out.csv"
    done = changed(monkeypatch, "compress", lambda: written_anew(source, "parquet"))
    with incrowd.anonymize(source, output=out, **JOB) as release:
        assert done
        assert release.table.num_rows == 3 * N
        assert "n9 0" not in release.table.column("note").to_pylist()


@pytest.mark.usefixtures("one_spark")
@pytest.mark.parametrize(
    ("when", "kind", "what", "ending"),
    [
        pytest.param(*case, marks=SPARK)
        for case in (
            ("opened", "file", "written anew", "csv"), ("opened", "folder", "gone", "csv"),
            ("opened", "folder", "new", "parquet"), ("opened", "file", "written anew", "parquet"),
            ("compress", "folder", "gone", "parquet"), ("expand", "pattern", "written anew", "parquet"),
            ("expand", "list", "gone", "parquet"), ("write", "folder", "new", "parquet"),
            ("write", "file", "written anew", "parquet"),
        )
    ],
)  # fmt: skip
def test_what_executors_read_again_may_not_change_until_the_end(
    tmp_path, people, monkeypatch, when, kind, what, ending
):
    source, out = people(kind, ending), tmp_path / "out.parquet"
    done = changed(monkeypatch, when, lambda: CHANGES[what](tmp_path / "people", ending))
    with pytest.raises(incrowd.InputError) as told:
        incrowd.anonymize(source, output=out, engine="spark", **JOB)
    assert done
    assert str(told.value) == sentence(kind, ending, what)
    assert told.value.__context__ is None
    assert [path.name for path in tmp_path.iterdir()] == ["people"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_check_of_files_that_change_tells_no_violations_of_a_mixture(tmp_path, people, monkeypatch, request, engine):
    if engine == "spark":
        request.getfixturevalue("one_spark")
    source, out = people("folder", "parquet"), tmp_path / "out.parquet"
    incrowd.anonymize(source, output=out, **JOB).close()
    kept = Engine.keep if engine == "duckdb" else None
    if kept is None:
        from incrowd.jobs import verify

        opened = verify.opened_pair

        def pair(*given):
            found = opened(*given)
            written_anew(source, "parquet")
            return found

        monkeypatch.setattr(verify, "opened_pair", pair)
    else:
        monkeypatch.setattr(Engine, "keep", lambda *given: written_anew(source, "parquet") or kept(*given))
    with pytest.raises(incrowd.InputError, match="'people' changed while it was read"):
        incrowd.verify(source, out, engine=engine, **JOB)


def test_a_database_that_others_write_into_is_read_as_it_was(tmp_path, monkeypatch):
    file = tmp_path / "people.sqlite"
    with sqlite3.connect(file) as base:
        base.execute("CREATE TABLE people (age TEXT, zip TEXT)")
        base.executemany("INSERT INTO people VALUES (?, ?)", [(str(i % 2), "z") for i in range(N)])
    base.close()

    def more():
        with sqlite3.connect(file) as other:
            other.execute("INSERT INTO people VALUES ('9', 'z')")
        other.close()

    done = changed(monkeypatch, "opened", more)
    with incrowd.anonymize(file, **JOB) as release:
        assert done
        assert release.table.num_rows == N


@pytest.mark.parametrize(
    ("error", "explained"),
    [(OurBug("x"), True), (incrowd.InputError("x"), True), (None, True), (ValueError("x"), False)],
)
def test_only_what_a_changed_table_explains_is_told_as_that(tmp_path, error, explained):
    file = tmp_path / "a.csv"
    file.write_text("a\n1\n")
    said = "'a.csv' changed while it was read: leave"
    with Engine() as engine, steady(engine, "'a.csv'", file_states(file), once=False, lasting=True):
        pass
    refuse_changed(engine, error)
    read_whole(engine)
    file.unlink()
    if not explained:
        refuse_changed(engine, error)
        return
    with pytest.raises(incrowd.InputError, match=said):
        refuse_changed(engine, error)
    with pytest.raises(incrowd.InputError, match=said):
        read_whole(engine)
    with pytest.raises(incrowd.InputError, match=said):
        engine.__exit__(None, error, None)


def test_what_is_no_file_is_not_looked_at(tmp_path):
    for source in ("-", table(1), "table:people", "s3a://b/x", tmp_path / "nowhere.csv", str(tmp_path / "*.csv")):
        assert file_states(source) is None
