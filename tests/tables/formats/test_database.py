import sqlite3

import duckdb
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading


@pytest.fixture
def made(tmp_path):
    """The same two tables in a file of each program."""
    said = ("CREATE TABLE one (a TEXT, b INTEGER)", "INSERT INTO one VALUES ('x', 1)", "CREATE TABLE two (c INTEGER)")
    with duckdb.connect(str(tmp_path / "t.duckdb")) as con:
        for line in said:
            con.execute(line)
    con = sqlite3.connect(tmp_path / "t.sqlite")
    for line in said:
        con.execute(line)
    con.commit()
    con.close()
    return tmp_path


@pytest.mark.parametrize("file", ["t.duckdb", "t.sqlite"])
def test_a_table_of_a_database_is_asked_for_by_its_name(made, file):
    with Engine() as engine:
        found = open_source(engine, f"{made / file}::one", Reading())
        assert (found.names, found.kind) == (("a", "b"), "database")
        assert engine.fetch(found.data.select("c0", "c1")).to_pylist() == [{"c0": "x", "c1": 1}]


@pytest.mark.parametrize("file", ["t.duckdb", "t.sqlite"])
def test_a_database_of_several_tables_wants_to_know_which(made, file):
    with Engine() as engine, pytest.raises(InputError, match="say which table .* it has one, two"):
        open_source(engine, made / file, Reading())


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "t.db").write_text("nothing")
    with Engine() as engine, pytest.raises(InputError, match="neither a DuckDB nor a SQLite database"):
        open_source(engine, tmp_path / "t.db", Reading())
