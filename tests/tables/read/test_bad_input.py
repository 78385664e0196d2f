"""Every table that cannot be read has its one sentence, which names the column or the line and quotes no cell."""

import datetime
import gzip
import json
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
from incrowd.tables.read import open_source, read
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


CUT = {
    "parquet": "is no whole Parquet file",
    "arrow": "is no whole Arrow file",
    "arrow stream": "is no whole Arrow file",
    "feather": "is no whole Arrow file",
    "csv.gz": "",
    "jsonl": "line ",
    "jsonl.gz": "no whole gzip file",
    "excel": "is no whole Excel workbook",
    "spss": "is no whole SPSS file",
    "stata": "is no whole Stata file",
    "sas transport": "is no whole SAS transport file",
    "duckdb file": "cannot be read",
    "sqlite file": "is no whole SQLite database",
}


@pytest.mark.parametrize("kind", CUT)
@pytest.mark.parametrize("share", [0.97, 0.5, 0.1])
def test_a_file_cut_short_is_refused(engine, kind, share, tmp_path):
    source = str(KINDS[kind](TABLE, tmp_path))
    path = tmp_path / source.rpartition("/")[2].partition("::")[0]
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share) - 1])
    assert CUT[kind] in refusal(engine, source)


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


def test_lines_in_another_charset_are_refused(engine, tmp_path):
    (tmp_path / "t.jsonl").write_bytes(f'{{"a": "{CANARY}\xe9"}}\n'.encode("latin-1"))
    assert "line 1 of 't.jsonl' is not valid UTF-8" in refusal(engine, tmp_path / "t.jsonl")


@pytest.mark.parametrize("kind", ["duckdb file", "sqlite file"])
def test_a_table_that_is_not_there_is_named_with_those_that_are(engine, kind, tmp_path):
    source = KINDS[kind](TABLE, tmp_path).partition("::")[0]
    said = refusal(engine, f"{source}::my tabel")
    assert "has no table 'my tabel'" in said
    assert 'my "table"' in said
    if kind == "duckdb file":
        assert "say which table" in refusal(engine, source)
        assert open_source(engine, f'{source}::MY "TABLE"', Reading()).names == ("a", "b")
    else:
        assert open_source(engine, source, Reading()).names == ("a", "b")


def test_a_duckdb_table_in_a_schema(engine, tmp_path):
    with duckdb.connect(tmp_path / "it's.duckdb") as con:
        con.execute("CREATE SCHEMA s; CREATE TABLE s.t AS SELECT 1 AS a; CREATE TABLE t AS SELECT 1 AS b")
    assert open_source(engine, tmp_path / "it's.duckdb::s.t", Reading()).names == ("a",)
    assert open_source(engine, tmp_path / "it's.duckdb::t", Reading()).names == ("b",)


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


def test_whole_and_broken_numbers_of_sqlite_are_numbers(engine, tmp_path):
    opened = open_source(engine, sqlite_with(tmp_path, 1, 2.5, None), Reading())
    assert engine.fetch(opened.data).column("c0").to_pylist() == [1.0, 2.5, None]


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
        read(engine, source, Roles(quasi_identifiers=("a",)), Reading(), text=("a",), star="*")
    assert CANARY not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "arrow", "duckdb relation", "ibis on duckdb", "polars"])
@pytest.mark.parametrize("nested", [[[CANARY], ["y"]], [{"p": CANARY}, {"p": "y"}]])
def test_lists_and_structs_pass_but_cannot_be_quasi_identifiers(engine, kind, nested, tmp_path):
    source = KINDS[kind](pa.table({"a": nested, "b": ["u", "v"]}), tmp_path)
    assert "column 'a' holds" in as_quasi_identifier(engine, source)
    table = read(engine, source, Roles(quasi_identifiers=("b",)), Reading(), text=("b",), star="*")
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


def test_ibis_expressions_that_are_no_tables_are_refused(engine):
    assert "belongs to no database" in refusal(engine, ibis.table({"a": "int64"}, name="t"))
    assert "give an Ibis table" in refusal(engine, ibis.memtable({"a": [1]}).a)


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


@pytest.mark.parametrize("nothing", ["", " "])
def test_an_empty_name_is_no_folder(engine, nothing):
    assert refusal(engine, nothing) == "no table is given: its name is an empty text"


@pytest.mark.parametrize(("thing", "said"), [(5, "an int is no table"), (set(), "a set is no table")])
def test_what_is_no_table_is_named_with_its_article(engine, thing, said):
    assert refusal(engine, thing).startswith(said)


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


def test_a_sheet_is_chosen_by_name(engine, tmp_path):
    path = workbook(
        tmp_path, one=[["a"], [1]], two=[[], [None, "b", "c"], [None, 1.5, datetime.date(2020, 1, 2)], [None, 2]]
    )
    first = open_source(engine, path, Reading())
    assert (first.names, first.notes) == (("a",), ("sheet 'one' of 't.xlsx' was read, the first of 2",))
    second = open_source(engine, f"{path}::two", Reading())
    found = engine.fetch(second.data)
    assert second.names == ("b", "c")
    assert found.column("c0").to_pylist() == [1.5, 2.0]
    assert found.column("c1").to_pylist() == [datetime.date(2020, 1, 2), None]
    assert "has no sheet 'three'" in refusal(engine, f"{path}::three")


@pytest.mark.parametrize(("writer", "ending"), [("write_sav", ".sav"), ("write_dta", ".dta")])
def test_value_labels_are_the_values(engine, writer, ending, tmp_path):
    import pyreadstat

    frame = pd.DataFrame(
        {"sex": [1.0, 2.0, None], "age": [30.0, 99.0, 41.5], "odd": [1.0, 2.0, 2.0], "n": [1.0, 2.0, None]}
    )
    labels = {"sex": {1: "female", 2: "male"}, "age": {99: "not known"}, "odd": {1: "same", 2: "same"}}
    getattr(pyreadstat, writer)(frame, tmp_path / f"t{ending}", variable_value_labels=labels)
    opened = open_source(engine, tmp_path / f"t{ending}", Reading())
    found = engine.fetch(opened.data)
    assert found.column("c0").to_pylist() == ["female", "male", None]
    assert found.column("c1").to_pylist() == ["30", "not known", "41.5"]
    assert found.column("c2").to_pylist() == [1, 2, 2]
    assert found.column("c3").to_pylist() == [1, 2, None]
    assert opened.notes == (f"column 'odd' of 't{ending}' has one label for several codes, so its codes are kept",)


def test_json_numbers_keep_their_digits(engine, tmp_path):
    rows = [
        {"whole": 1, "big": 2**63, "huge": 10**30, "real": 1, "flag": True, "text": "007", "none": None},
        {"whole": -(2**62), "big": 1, "huge": -1, "real": 2.5, "flag": None, "text": "2020-01-01", "more": "x"},
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    opened = open_source(engine, tmp_path / "t.jsonl", Reading())
    assert opened.names == ("whole", "big", "huge", "real", "flag", "text", "none", "more")
    found = engine.fetch(opened.data.order_by("row_key")).to_pydict()
    assert [found[f"c{i}"] for i in range(8)] == [
        [1, -(2**62)], [2**63, 1], [10**30, -1], [1.0, 2.5], [True, None], ["007", "2020-01-01"], [None, None], [None, "x"],
    ]  # fmt: skip
    assert [str(opened.data[f"c{i}"].type()) for i in range(5)] == [
        "int64",
        "decimal(38, 0)",
        "decimal(38, 0)",
        "float64",
        "boolean",
    ]


@pytest.mark.parametrize("name", ["t[1].csv", "t*.parquet", "t?.jsonl", "year=1999/t.parquet"])
def test_a_name_is_a_name_and_no_pattern(engine, name, tmp_path):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    kind = path.suffix[1:]
    (tmp_path / "other").mkdir()
    table = pa.table({"year": ["u", "v"]})
    KINDS[kind](table, tmp_path / "other").rename(path)
    for other in ("t1", "tx"):
        KINDS[kind](pa.table({"year": ["no"]}), tmp_path / "other").rename(tmp_path / f"{other}.{kind}")
    opened = open_source(engine, path, Reading())
    assert engine.fetch(opened.data.order_by("row_key")).column("c0").to_pylist() == ["u", "v"]


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "jsonl", "jsonl.gz", "arrow"])
def test_standard_input_is_told_apart_by_its_first_bytes(engine, kind, tmp_path, monkeypatch):
    path = KINDS[kind](TABLE.slice(0, 5), tmp_path)
    with path.open("rb") as source:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": source}))
        opened = open_source(engine, "-", Reading())
    assert (opened.names, opened.label) == (("a", "b"), "standard input")
    assert engine.fetch(opened.data).num_rows == 5


def test_a_gzip_file_of_two_members_is_read_whole(engine, tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a\nx\n") + gzip.compress(b"y\n"))
    assert engine.fetch(open_source(engine, tmp_path / "t.csv.gz", Reading()).data).column("c0").to_pylist() == [
        "x",
        "y",
    ]
