"""Every table that cannot be read has its one sentence, which names the column or the line and quotes no cell."""

import datetime
import sqlite3
import sys

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source, with_roles
from incrowd.tables.roles import Reading, Roles
from table_kinds import KINDS

CANARY = "Zebedee4711"
TABLE = pa.table({"a": [f"{CANARY}{i}" for i in range(3000)], "b": list(range(3000))})


@pytest.fixture
def engine():  # a fresh one a test: what it refuses may break it
    with Engine() as made:
        yield made


def refusal(engine, source, **reading):
    with pytest.raises(InputError) as caught:
        open_source(engine, source, Reading(**reading))
    error = caught.value
    said = str(error)
    assert said.count("\n") == 0
    assert len(said) < 400
    while error is not None:
        assert CANARY not in str(error)
        error = error.__cause__ or error.__context__
    return said


@pytest.mark.parametrize("kind", ["parquet", "arrow", "duckdb file", "sqlite file", "excel", "spss", "stata"])
def test_a_file_of_something_else_is_refused(engine, kind, tmp_path):
    source = str(KINDS[kind](TABLE, tmp_path))
    (tmp_path / source.rpartition("/")[2].partition("::")[0]).write_bytes(f"{CANARY}\n".encode() * 100)
    assert refusal(engine, source)


def test_parquet_with_a_damaged_page_is_refused(engine, tmp_path):
    path = KINDS["parquet"](TABLE, tmp_path)
    content = bytearray(path.read_bytes())
    content[200:3000] = b"\xff" * 2800
    path.write_bytes(content)
    assert "t.parquet" in refusal(engine, path)


LINES = {
    "cut": ('{"a": 1}\n\n{"a": "%s\n', "line 3 of 't.jsonl' is no whole JSON object"),
    "not an object": ('{"a": 1}\n["%s"]\n', "line 2 of 't.jsonl' holds no JSON object"),
    "two on a line": ('{"a": "%s"}{"a": 2}\n', "line 1 of 't.jsonl' is no whole JSON object"),
    "over two lines": ('{"a":\n"%s"}\n', "line 1 of 't.jsonl' is no whole JSON object"),
    "a key twice": ('{"a": 1}\n{"a": "%s", "a": 2}\n', "line 2 of 't.jsonl' has a key twice"),
    "an array": ('[{"a": "%s"},\n{"a": 2}]\n', "is a JSON array"),
    "a byte order mark": ('\ufeff{"a": "%s"}\n', "byte order mark"),
    "no keys": ("{}\n{}\n", "is empty"),
    "nothing": ("", "is empty"),
}


@pytest.mark.parametrize("case", LINES)
def test_a_faulty_line_is_named(engine, case, tmp_path):
    text, said = LINES[case]
    (tmp_path / "t.jsonl").write_text(text.replace("%s", CANARY))
    assert said in refusal(engine, tmp_path / "t.jsonl")


def test_a_database_in_use_is_refused_and_reading_changes_nothing(engine, tmp_path):
    source = KINDS["duckdb file"](TABLE, tmp_path)
    before = (tmp_path / "t.duckdb").read_bytes()
    with duckdb.connect(tmp_path / "t.duckdb"):
        assert "in use" in refusal(engine, source)
    open_source(engine, source, Reading())
    assert (tmp_path / "t.duckdb").read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.duckdb"]


def sqlite_with(tmp_path, *values):
    con = sqlite3.connect(tmp_path / "t.db")
    con.execute("CREATE TABLE t (a, b)")
    con.executemany("INSERT INTO t VALUES (?, 1)", [(value,) for value in values])
    con.commit()
    con.close()
    return tmp_path / "t.db"


@pytest.mark.parametrize("values", [(CANARY, 1), (1.5, CANARY), (b"x", CANARY), (2**53 + 1, 0.5)])
def test_a_sqlite_column_of_mixed_types_is_refused_by_name(engine, values, tmp_path):
    assert "column 'a' mixes values of several types" in refusal(engine, sqlite_with(tmp_path, *values))


def test_sqlite_text_in_another_charset_is_refused(engine, tmp_path):
    path = sqlite_with(tmp_path, "x")
    con = sqlite3.connect(path)
    con.execute("INSERT INTO t VALUES (CAST(? AS TEXT), 2)", (f"{CANARY}\xe9".encode("latin-1"),))
    con.commit()
    con.close()
    assert "not valid UTF-8" in refusal(engine, path)


DATES = {
    "seconds": pa.array([0, 2**62], pa.timestamp("s")),
    "milliseconds": pa.array([0, 2**60], pa.timestamp("ms")),
    "microseconds": pa.array([0, 2**63 - 5], pa.timestamp("us")),
    "microseconds before": pa.array([0, -(2**63) + 5], pa.timestamp("us")),
    "with a zone": pa.array([0, 2**62], pa.timestamp("s", "UTC")),
    "year 10000": pa.array([0, 2932897], pa.date32()),
    "year 0": pa.array([0, -719163], pa.date32()),
    "days": pa.array([0, 2**31 - 1], pa.date32()),
    "milliseconds of days": pa.array([0, 86_400_000 * 2**36], pa.date64()),
}


def numbers(dates):
    return dates.view(pa.int32() if dates.type == pa.date32() else pa.int64()).to_pylist()


@pytest.mark.parametrize("case", DATES)
@pytest.mark.parametrize("kind", ["pyarrow", "parquet", "arrow", "polars"])
def test_dates_out_of_range_are_refused_by_column(engine, case, kind, tmp_path):
    table = pa.table({"fine": [datetime.date(1, 1, 1), datetime.date(9999, 12, 31)], "when": DATES[case]})
    try:
        source = KINDS[kind](table, tmp_path)
    except pa.ArrowInvalid:
        pytest.skip("Parquet cannot hold it either")
    if kind == "parquet" and case == "milliseconds of days":
        pytest.skip("Parquet has no such type; its writer wraps the value around")
    if kind == "polars" and source["when"].to_physical().to_list() != numbers(DATES[case]):
        pytest.skip("polars holds another value: it has no seconds and takes date64 for times")
    said = refusal(engine, source)
    assert said == "column 'when' holds dates outside the years 1 to 9999; mend them or turn the column into text"


def test_the_first_and_the_last_day_are_in_range(engine):
    table = pa.table(
        {
            "day": [datetime.date(1, 1, 1), datetime.date(9999, 12, 31)],
            "time": [datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)],
        }
    )
    assert (
        engine.fetch(open_source(engine, table, Reading()).data).column("c1").to_pylist() == table["time"].to_pylist()
    )


def as_quasi_identifier(engine, source):
    with pytest.raises(InputError) as caught:
        with_roles(
            engine, open_source(engine, source, Reading()), Roles(quasi_identifiers=("a",)), text=("a",), star="*"
        )
    assert CANARY not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "arrow", "duckdb relation", "ibis on duckdb", "polars"])
@pytest.mark.parametrize("nested", [[[CANARY], ["y"]], [{"p": CANARY}, {"p": "y"}]])
def test_lists_and_structs_pass_but_cannot_be_quasi_identifiers(engine, kind, nested, tmp_path):
    source = KINDS[kind](pa.table({"a": nested, "b": ["u", "v"]}), tmp_path)
    assert "column 'a' holds" in as_quasi_identifier(engine, source)
    opened = open_source(engine, source, Reading())
    table = with_roles(engine, opened, Roles(quasi_identifiers=("b",)), text=("b",), star="*")
    assert [column.name for column in table.columns] == ["a", "b"]


def test_json_that_mixes_types_cannot_be_a_quasi_identifier(engine, tmp_path):
    (tmp_path / "t.jsonl").write_text(f'{{"a": 1}}\n{{"a": "{CANARY}"}}\n')
    assert "column 'a' holds json values" in as_quasi_identifier(engine, tmp_path / "t.jsonl")


class Strange:
    def __repr__(self):
        return CANARY


def test_frames_of_objects_are_refused_by_column(engine):
    assert "column 'a'" in refusal(engine, pd.DataFrame({"a": [Strange(), 1]}))
    assert "column 'a' holds Python objects" in refusal(
        engine, pl.DataFrame({"a": pl.Series([Strange()], dtype=pl.Object)})
    )


def test_what_a_foreign_engine_cannot_compute_is_refused(engine):
    broken = duckdb.connect().sql(
        f"SELECT CAST(CASE WHEN i > 5 THEN '{CANARY}' ELSE '1' END AS INT) AS a FROM range(9) t(i)"
    )
    assert "the table" in refusal(engine, broken)
    connection = ibis.duckdb.connect()
    table = connection.create_table("t", pa.table({"a": ["1", CANARY]}))
    assert "the table" in refusal(engine, table.mutate(a=table.a.cast("int64")))
    connection = ibis.sqlite.connect()
    connection.con.execute("CREATE TABLE t (a DATE)")
    connection.con.execute("INSERT INTO t VALUES (?)", (CANARY,))
    assert "the table" in refusal(engine, connection.table("t"))


def test_types_the_engine_lacks_are_refused_or_become_text(engine, tmp_path):
    assert "column 'a' holds decimal256" in refusal(engine, pa.table({"a": pa.array([10**50], pa.decimal256(60, 2))}))
    spans = pa.table(
        {"a": pa.array([1, None], pa.duration("us")), "b": pa.array([(1, 2, 3), None], pa.month_day_nano_interval())}
    )
    opened = open_source(engine, spans, Reading())
    assert all(opened.data[c].type().is_string() for c in ("c0", "c1"))
    pq.write_table(pa.table({"a": pa.array([1, None], pa.time64("ns"))}), tmp_path / "t.parquet")
    opened = open_source(engine, tmp_path / "t.parquet", Reading())
    assert engine.fetch(opened.data).column("c0").to_pylist() == ["00:00:00.000000001", None]


@pytest.mark.parametrize(("kind", "module"), [("excel", "fastexcel"), ("spss", "pyreadstat"), ("stata", "pyreadstat")])
def test_without_its_reader_a_file_is_refused_with_what_to_install(engine, kind, module, tmp_path, monkeypatch):
    source = KINDS[kind](TABLE.slice(0, 5), tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    assert refusal(engine, source).endswith(f"needs a reader that is not installed: pip install {module}")


def workbook(tmp_path, **sheets):
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    return tmp_path / "t.xlsx"


BOOKS = {
    "mixed": ([["a"], [1], [CANARY]], "column 'a' mixes values of several types"),
    "mixed late": ([["a"], *[[1]] * 3000, [CANARY]], "column 'a' mixes values of several types"),
    "doubled": ([["a", "b", "a"], [CANARY, 1, 2]], "columns 1 and 3 of 't.xlsx' have the same name"),
    "unnamed": ([["a", None, "c"], [CANARY, 1, 2]], "column 2 of 't.xlsx' has no name"),
    "empty": ([], "is empty"),
}


@pytest.mark.parametrize("case", BOOKS)
def test_faulty_sheets_are_refused(engine, case, tmp_path):
    rows, said = BOOKS[case]
    assert said in refusal(engine, workbook(tmp_path, one=rows))
