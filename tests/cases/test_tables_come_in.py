"""What comes in of a file or a frame, cell by cell, and what goes out: `k = 1` changes nothing."""

from __future__ import annotations

import csv
import datetime
import decimal
import gzip
import io
import itertools
import json
import random
import sqlite3
import sys
import uuid
import zlib

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from incrowd.errors import InputError
from seeds import seeds
from table_kinds import KINDS

ONE = {"k": 1, "solver": "greedy", "keep_order": True}


def come_in(source, names, **reading):
    """Column names and rows of a table of texts, as its release shows them."""
    found = incrowd.anonymize(source, quasi_identifiers=names[:1], **ONE, **reading).table
    found = found if isinstance(found, pa.Table) else pa.Table.from_pandas(found)
    return found.column_names, [tuple(row.values()) for row in found.to_pylist()]


CSV = {
    "texts are never guessed at, an empty field is missing, blanks are stripped": (
        'a, b \n007,1.0\n1e3,NA\nNULL,nan\ntrue,?\n2020-01-01,0x1\n,x\n"",y\n x ,"  "\n\ty,z\n', {},
        [("007", "1.0"), ("1e3", "NA"), ("NULL", "nan"), ("true", "?"), ("2020-01-01", "0x1"), (None, "x"), (None, "y"), ("x", None), ("y", "z")],
    ),
    "blanks are kept": ("a,b\n x ,y\n", {"strip": False}, [(" x ", "y")]),
    "texts for missing": ("a,b\n?,x\n-,?\n", {"na": ["?", "-"]}, [(None, "x"), (None, None)]),
    "a semicolon": ("a;b\nx;y,z\n", {}, [("x", "y,z")]),
    "a tab": ("a\tb\nx\ty;z\n", {}, [("x", "y;z")]),
    "a bar": ("a|b\nx|y\n", {}, [("x", "y")]),
    "a given delimiter": ("a;b,b\nx;y,z\n", {"delimiter": ";"}, None),
    "the word tab": ("a\tb\nx,y\tz\n", {"delimiter": "tab"}, [("x,y", "z")]),
    "a delimiter of one's own": ("a#b\nx#y,z\n", {"delimiter": "#"}, [("x", "y,z")]),
    "quotes": ('a,b\n"x,1","say ""hi"""\n"two\nlines",z\n', {}, [("x,1", 'say "hi"'), ("two\nlines", "z")]),
    "CRLF": ('a,b\r\n"two\r\nlines",z\r\n', {}, [("two\r\nlines", "z")]),
    "CR": ("a,b\rx,y\r", {}, [("x", "y")]),
    "a byte order mark": ("\ufeffa,b\nĐặng,😀\n", {}, [("Đặng", "😀")]),
    "empty lines around": ("\n\na,b\nx,y\n\n", {}, [("x", "y")]),
    "no header": ("x,y\nz,w\n", {"header": False, "columns": ["a", "b"]}, [("x", "y"), ("z", "w")]),
    "other names": ("p,q\nz,w\n", {"header": True, "columns": ["a", "b"]}, [("z", "w")]),
    "a header that looks like data": ("a,b\n2019,2020\n", {"header": True}, [("2019", "2020")]),
}  # fmt: skip


@pytest.mark.parametrize("name", CSV)
def test_a_csv_is_text(tmp_path, name):
    text, reading, rows = CSV[name]
    (tmp_path / "t.csv").write_bytes(text.encode())
    if rows is None:
        assert come_in(tmp_path / "t.csv", ["a"], **reading) == (["a", "b,b"], [("x", "y,z")])
        return
    assert come_in(tmp_path / "t.csv", ["a"], **reading) == (["a", "b"], rows)
    if name in ("quotes", "a byte order mark", "no header"):
        (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
        assert come_in(tmp_path / "t.csv.gz", ["a"], **reading)[1] == rows


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le"])
def test_an_encoding_is_read_where_it_is_named(tmp_path, encoding):
    mark = "\ufeff" if encoding == "utf-16-le" else ""  # which no reader of that encoding takes off
    (tmp_path / "t.csv").write_bytes(f"{mark}a,b\nJosé,x\n".encode(encoding))
    assert come_in(tmp_path / "t.csv", ["a"], encoding=encoding)[1] == [("José", "x")]


def test_columns_without_names_are_numbered_and_one_column_may_have_empty_rows(tmp_path, run):
    (tmp_path / "t.csv").write_text("x,4\nz,5\n")
    assert come_in(tmp_path / "t.csv", ["c1"], header=False) == (["c1", "c2"], [("x", "4"), ("z", "5")])
    (tmp_path / "one.csv").write_text("a\nx\n\ny\n")
    assert come_in(tmp_path / "one.csv", ["a"])[1] == [("x",), (None,), ("y",)]
    (tmp_path / "years.csv").write_text("2019,2020\nx,y\n")
    out = run("audit", "years.csv", "--qi", "2019", "--header", "--json")[1]
    assert json.loads(out)["notes"] == [
        "the first line of 'years.csv' looks like a row of data but is used as its header"
    ]
    assert run("audit", "years.csv", "--qi", "2019", "--header")[1].count("looks like a row of data") == 1


TYPED = pa.table({
    "whole": pa.array([1, 2, None], pa.int64()),
    "float": pa.array([1.0, -0.0, float("nan")]),
    "small": pa.array([1.0, -0.0, float("nan")], pa.float16()),
    "half": pa.array([0.1, 1e20, 2.5]),
    "day": [datetime.date(2020, 1, 2), None, datetime.date(9999, 12, 31)],
    "time": pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5), None, datetime.datetime(1, 1, 1)], pa.timestamp("us")),
    "money": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("0.05")], pa.decimal128(9, 2)),
    "flag": [True, False, None],
    "bit": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None], pa.int8())),
    "word": ["x", "", None],
    "kind": pa.array(["p", "q", "p"]).dictionary_encode(),
    "none": pa.nulls(3),
})  # fmt: skip
TEXTS = {
    "whole": ["1", "2", None], "float": ["1.0", "0.0", None], "small": ["1.0", "0.0", None], "half": ["0.1", "1e+20", "2.5"], "day": ["2020-01-02", None, "9999-12-31"],
    "time": ["2020-01-02T03:04:05", None, "0001-01-01T00:00:00"], "money": ["1.50", None, "0.05"], "flag": ["true", "false", None],
    "bit": ["1", "0", None], "word": ["x", "", None], "kind": ["p", "q", "p"], "none": [None, None, None],
}  # fmt: skip


@pytest.mark.parametrize("kind", ["pyarrow", "parquet", "arrow", "polars"])
def test_every_type_has_one_text_and_an_unchanged_column_keeps_its_own(tmp_path, kind):
    twice = pa.table([*TYPED.columns, *TYPED.columns], [*TEXTS, *(f"kept {name}" for name in TEXTS)])
    asked = {"quasi_identifiers": list(TEXTS), "identifiers": ["kept none", "kept kind"]}
    found = incrowd.anonymize(KINDS[kind](twice, tmp_path), **asked, **ONE).table
    found = found.to_arrow() if isinstance(found, pl.DataFrame) else found
    assert found.column_names == [name for name in twice.column_names if name not in asked["identifiers"]]
    assert found.select(list(TEXTS)).to_pydict() == TEXTS
    for name in ("whole", "half", "day", "time", "money", "flag"):
        assert found.column(f"kept {name}").type == TYPED.column(name).type
        assert found.column(f"kept {name}").to_pylist() == TYPED.column(name).to_pylist()


def test_uuids_are_texts_and_long_decimals_keep_their_digits(tmp_path):
    keys = [uuid.UUID(int=9), None, uuid.UUID(int=1)]
    table, texts = pa.table({"a": pa.array(keys)}), [(key and str(key),) for key in keys]
    for kind in ("pyarrow", "parquet", "arrow", "pandas", "duckdb file"):
        assert come_in(KINDS[kind](table, tmp_path), ["a"]) == (["a"], texts), kind
    digits = "123456789012345678901234567890123456.70"
    table = pa.table({"a": pa.array([decimal.Decimal(digits)], pa.decimal256(40, 2))})
    for kind in ("pyarrow", "parquet"):
        assert come_in(KINDS[kind](table, tmp_path), ["a"])[1] == [(digits,)], kind
    spans = pa.array([1_000, None], pa.duration("ns"))
    assert come_in(pa.table({"a": spans}), ["a"])[1] == [("00:00:00.000001",), (None,)]
    with pytest.raises(InputError, match=r"column 'a' holds duration\[ns\] values that the table engine cannot hold"):
        come_in(pa.table({"a": pa.array([1], pa.duration("ns"))}), ["a"])


def test_json_numbers_keep_their_digits_and_columns_stand_as_their_keys_first_occur(tmp_path):
    rows = [
        {"whole": 1, "big": 2**63, "huge": 10**30, "real": 1, "flag": True, "text": "007", "none": None},
        {"whole": -(2**62), "big": 1, "huge": -1, "real": 2.5, "flag": None, "text": "2020-01-01", "more": "x"},
    ]
    (tmp_path / "t.jsonl").write_text("\n\n".join(map(json.dumps, rows)))
    found = incrowd.anonymize(tmp_path / "t.jsonl", qi=["text"], **ONE).table
    assert found.column_names == ["whole", "big", "huge", "real", "flag", "text", "none", "more"]
    assert [list(row.values())[:6] for row in found.to_pylist()] == [
        [1, 2**63, 10**30, 1.0, True, "007"], [-(2**62), 1, -1, 2.5, None, "2020-01-01"],
    ]  # fmt: skip
    rng = random.Random(4)
    for _ in range(2):
        keys = ["a", "é", '"', "/", "~1", "😀", "A", "row_key", "c0", "json"]
        rows = [dict.fromkeys(["", *rng.sample(keys, rng.randint(0, 5))], 1) for _ in range(40)]
        (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
        told = incrowd.anonymize(tmp_path / "t.jsonl", qi=[""], **ONE).table.column_names
        assert told == list(dict.fromkeys(key for row in rows for key in row))


def test_databases_are_asked_by_the_name_of_a_table(tmp_path):
    said = ("CREATE TABLE one (a TEXT, b INTEGER)", "INSERT INTO one VALUES ('x', 1)", "CREATE TABLE two (c INTEGER)")
    with duckdb.connect(str(tmp_path / "it's.duckdb")) as con:
        more = ("CREATE SCHEMA s", "CREATE TABLE s.t AS SELECT 'y' AS a, 2 AS b", "INSERT INTO two VALUES (3)")
        for line in (*said, *more):
            con.execute(line)
    con = sqlite3.connect(tmp_path / "t.sqlite")
    for line in said:
        con.execute(line)
    con.executemany("INSERT INTO two VALUES (?)", [(1,), (2.5,), (None,)])
    con.commit()
    con.close()
    for file, rows in {
        "it's.duckdb::one": [("x", 1)], "it's.duckdb::s.t": [("y", 2)], "it's.duckdb::ONE": [("x", 1)], "t.sqlite::one": [("x", 1)],
    }.items():  # fmt: skip
        assert come_in(f"{tmp_path / file}", ["a"]) == (["a", "b"], rows)
    assert come_in(f"{tmp_path / 't.sqlite'}::two", ["c"])[1] == [("1.0",), ("2.5",), (None,)]
    before = (tmp_path / "it's.duckdb").read_bytes()
    with duckdb.connect(tmp_path / "it's.duckdb"), pytest.raises(InputError, match="in use"):
        come_in(f"{tmp_path / chr(105)}t's.duckdb::one", ["a"])
    assert (tmp_path / "it's.duckdb").read_bytes() == before


def test_a_sheet_of_a_workbook_is_chosen_by_its_name(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "one"
    for row in (["a"], [1]):
        book.active.append(row)
    sheet = book.create_sheet("two")
    for row in ([], [None, "b", "c"], [None, 1.5, datetime.date(2020, 1, 2)], [None, 2]):
        sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    (tmp_path / "one").mkdir()
    release = incrowd.anonymize(tmp_path / "t.xlsx", qi=["a"], **ONE)
    assert release.facts["notes"] == ["sheet 'one' of 't.xlsx' was read, the first of 2"]
    alone = KINDS["excel"](pa.table({"a": ["1"]}), tmp_path / "one")
    assert incrowd.anonymize(alone, qi=["a"], **ONE).facts["notes"] == []
    assert incrowd.anonymize(f"{tmp_path / 't.xlsx'}::one", qi=["a"], **ONE).facts["notes"] == []
    assert come_in(f"{tmp_path / 't.xlsx'}::two", ["b"]) == (
        ["b", "c"], [("1.5", datetime.date(2020, 1, 2)), ("2.0", None)],
    )  # fmt: skip


@pytest.mark.parametrize(("writer", "ending"), [("write_sav", ".sav"), ("write_dta", ".dta")])
def test_labels_of_codes_are_their_values(tmp_path, writer, ending):
    import pyreadstat

    frame = pd.DataFrame(
        {"sex": [1.0, 2.0, None], "age": [30.0, 99.0, 41.5], "odd": [1.0, 2.0, 2.0], "n": [1.0, 2.0, None]}
    )
    labels = {"sex": {1: "female", 2: "male"}, "age": {99: "not known"}, "odd": {1: "same", 2: "same"}}
    getattr(pyreadstat, writer)(frame, tmp_path / f"t{ending}", variable_value_labels=labels)
    release = incrowd.anonymize(tmp_path / f"t{ending}", qi=["sex"], **ONE)
    assert [tuple(row.values()) for row in release.table.to_pylist()] == [
        ("female", "30", 1, 1), ("male", "not known", 2, 2), (None, "41.5", 2, None),
    ]  # fmt: skip
    assert release.facts["notes"] == [
        f"column 'odd' of 't{ending}' has one label for several codes, so its codes are kept"
    ]


CUT = {
    "parquet": "is no whole Parquet file", "arrow": "is no whole Arrow file", "arrow stream": "is no whole Arrow file",
    "jsonl.gz": "no whole gzip file", "csv.gz": "no whole gzip file", "excel": "is no whole Excel workbook", "spss": "is no whole SPSS file",
    "stata": "is no whole Stata file", "sas transport": "is no whole SAS transport file", "duckdb file": "cannot be read",
    "sqlite file": "is no whole SQLite database",
}  # fmt: skip


@pytest.mark.parametrize("kind", CUT)
def test_a_file_that_was_cut_short_is_refused_without_a_cell(tmp_path, kind):
    table = pa.table({"a": [f"Zebedee4711{i}" for i in range(3000)], "b": list(range(3000))})
    source = str(KINDS[kind](table, tmp_path))
    path = tmp_path / source.rpartition("/")[2].partition("::")[0]
    whole = path.read_bytes()
    for share in (0.97, 0.1):
        path.write_bytes(whole[: int(len(whole) * share) - 1])
        with pytest.raises(InputError, match=CUT[kind]) as refused:
            come_in(source, ["a"])
        assert "Zebedee" not in str(refused.value) and "\n" not in str(refused.value)


def flipped(data, place, bits=1):
    place %= len(data)
    return data[:place] + bytes([data[place] ^ bits]) + data[place + 1 :]


def with_flags(data):
    """A header with everything that one may hold, and its own checksum."""
    head = bytes([31, 139, 8, 0x1F, 0, 0, 0, 0, 0, 255]) + b"\x04\0abcd" + b"name\0" + b"comment\0"
    return head + (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little") + gzip.compress(data)[10:]


@pytest.mark.parametrize(("name", "data"), [("t.csv.gz", b"a\n" + b"".join(b"v%d\n" % (i % 7) for i in range(400))), ("t.jsonl.gz", b"".join(b'{"a": "v%d"}\n' % (i * i) for i in range(400)))])  # fmt: skip
def test_packed_files_are_whole_or_refused_member_by_member(tmp_path, name, data):
    path, packed, half = tmp_path / name, gzip.compress(data), len(data) // 2
    parts = gzip.compress(data[:half]), gzip.compress(data[half:])
    for good in (
        parts[0] + parts[1],
        packed + gzip.compress(b""),
        packed + b"\0" * 700,
        parts[0] + with_flags(data[half:]) + b"\0",
    ):
        path.write_bytes(good)
        assert incrowd.audit(path, quasi_identifiers=["a"]).rows == 400
    broken = [packed[:cut] for cut in (1, 9, -8, -1)]
    broken += [
        flipped(packed, -8),
        flipped(packed, -1),
        flipped(parts[0], -2) + parts[1],
        packed + b"more",
        packed + b"\0\0x",
    ]
    broken += [
        parts[0] + b"\0" + parts[1],
        flipped(packed, 2, 7),
        packed[:3] + b"\xe0" + packed[4:],
        flipped(with_flags(data), 22),
        b"",
    ]
    for bad in broken:
        path.write_bytes(bad)
        with pytest.raises(InputError, match=f"'{name}' cannot be unpacked: it is no whole gzip file"):
            incrowd.audit(path, quasi_identifiers=["a"])


@pytest.mark.parametrize("name", ["t[1].csv", "t*.parquet", "t?.jsonl", "year=1999/t.parquet"])
def test_a_name_is_a_name_and_no_pattern(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    (tmp_path / "other").mkdir()
    KINDS[path.suffix[1:]](pa.table({"year": ["u", "v"]}), tmp_path / "other").rename(path)
    for other in ("t1", "tx"):
        KINDS[path.suffix[1:]](pa.table({"year": ["no"]}), tmp_path / "other").rename(
            tmp_path / f"{other}{path.suffix}"
        )
    assert come_in(path, ["year"])[1] == [("u",), ("v",)]


def test_several_files_are_one_table_whatever_the_order_of_their_columns(tmp_path):
    rng = random.Random(1)
    rows = [(f"0{rng.randrange(30, 36)}", rng.choice("fm"), rng.choice("xyz")) for _ in range(90)]
    (tmp_path / "t").mkdir()
    for i, (a, b) in enumerate(itertools.pairwise([0, 1, 50, 90])):
        order = (2, 0, 1) if i == 1 else (0, 1, 2)
        names = [("age", "sex", "ill")[j] for j in order]
        lines = [",".join(row[j] for j in order) for row in rows[a:b]]
        (tmp_path / "t" / f"part-{i}.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    asked = {"qi": ["age", "sex"], "k": 3, "solver": "greedy", "keep_order": True}
    whole = incrowd.anonymize([dict(zip(("age", "sex", "ill"), row, strict=True)) for row in rows], **asked)
    for source in (sorted((tmp_path / "t").iterdir()), str(tmp_path / "t" / "part-*.csv"), tmp_path / "t"):
        release = incrowd.anonymize(source, **asked)
        assert release.table.to_pylist() == whole.table
        assert "3 files were read as one table" in release.facts["notes"]
    assert incrowd.verify(source, release.table, qi=["age", "sex"], k=3) == []


RUN = [
    "=1+2",
    "+SUM(A1)",
    "-x",
    "@cmd",
    "\tx",
    "\r=x",
    "=",
    "-",
    "'=1",
    "''@x",
    "-1-1",
    "+",
    "=cmd|'/c calc'!A1",
    "-5 to 3",
]
SHOWN = ["x", "1", "-1", "+2.5", "-.5e-3", "1-1", "a=b", "'", "''", "'x", "'-5", "''+1.", " =x", "[20, 30)", "ä"]


def test_what_a_spreadsheet_would_run_is_marked_and_nothing_else(tmp_path):
    texts = [mark + text for mark in ("", "'") for text in (*RUN, *SHOWN)]
    table = pa.table({"=a": ["x"] * len(texts), "@note": texts})
    out = tmp_path / "out.csv"
    release = incrowd.anonymize(table, qi=["=a"], output=out, spreadsheet_safe=True, **ONE)
    names, *rows = csv.reader(io.StringIO(out.read_bytes().decode(), newline=""))
    assert names == ["'=a", "'@note"]
    marked = {text: row[1] for text, row in zip(texts, rows, strict=True)}
    assert all(marked[text] == "'" + text for text in RUN)
    assert all(marked[text] == text for text in SHOWN)
    assert len(set(marked.values())) == len(set(texts))
    assert release.table.column("@note").to_pylist() == texts
    assert incrowd.verify(table, out, qi=["=a"], k=1, spreadsheet_safe=True, strip=False) == []


def test_a_release_comes_out_as_the_kind_that_came_in_with_its_types():
    source = pd.DataFrame(
        {
            "p": ["b", "b", "a", "c"], "A": [1, 1, 2, 3],
            "cat": pd.Categorical(["u", "v", None, "u"], categories=["w", "v", "u"], ordered=True),
            "big": pd.array([2**60 + 1, None, 3, 4], dtype="Int64"),
            "when": pd.to_datetime(["2020-01-01", None, "2021-05-05 10:00", "2020-01-01"], format="mixed"),
            "real": [1.5, float("nan"), -0.0, 2.0], "small": np.array([1, 2, 3, 4], np.int8), "yes": [True, False, True, True],
        },
        index=[5, 5, 7, 8],
    )  # fmt: skip
    asked = {"qi": ["p", "A"], "k": 2, "solver": "exact", "keep_order": True}
    frame = incrowd.anonymize(source, **asked).table
    assert list(frame.columns) == list(source.columns)
    assert frame.index.tolist() == [0, 1, 2, 3]
    same = ["cat", "big", "when", "real", "small", "yes"]
    pd.testing.assert_frame_equal(frame[same], source[same].reset_index(drop=True))
    assert (frame["A"].tolist(), frame["p"].tolist()) == (["1", "1", "*", "*"], ["b", "b", "*", "*"])
    rows = [{"p": p, "A": a} for p, a in zip(source["p"], [1, 1, 2, 3], strict=True)]
    assert incrowd.anonymize(rows, **asked).table == [{"p": p, "A": a} for p, a in zip("bb**", "11**", strict=True)]
    columns = {"p": list(source["p"]), "A": [1, 1, 2, 3]}
    assert incrowd.anonymize(columns, **asked).table == {"p": list("bb**"), "A": list("11**")}
    null = incrowd.anonymize(pa.table(columns), **asked, suppressed="null").table
    assert null.column("A").to_pylist() == [1, 1, None, None] and null.schema.field("A").type == pa.int64()


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet", "jsonl", "jsonl.gz", "arrow"])
def test_standard_input_is_told_apart_by_its_first_bytes(kind, tmp_path, monkeypatch, run):
    path = KINDS[kind](pa.table({"a": ["x", "x", "y"], "b": ["1", "2", "3"]}), tmp_path)
    with path.open("rb") as source:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": source}))
        status, out, err = run("audit", "-", "--qi", "a", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert (found["table"], found["rows"], found["k"]) == ("standard input", 3, 1)


@seeds(20, 1)
def test_the_order_of_released_rows_tells_nothing_of_the_tables(tmp_path, seed):
    rng = random.Random(seed)
    rows = [{"p": rng.choice("abc"), "n": rng.randrange(3), "free": str(i)} for i in range(30)]
    texts = set()
    for turn in range(2):
        rng.shuffle(rows)
        incrowd.anonymize(rows, qi=["p", "n"], k=4, solver="greedy", output=tmp_path / f"{turn}.csv")
        texts.add((tmp_path / f"{turn}.csv").read_text())
    assert len(texts) == 1
    kept = incrowd.anonymize(rows, qi=["p", "n"], k=4, solver="greedy", keep_order=True).table
    assert [row["free"] for row in kept] == [row["free"] for row in rows]


def test_a_parquet_folder_called_like_a_column_adds_none(tmp_path):
    (tmp_path / "n=7").mkdir()
    pq.write_table(pa.table({"n": ["1"]}), tmp_path / "n=7" / "t.parquet")
    assert come_in(tmp_path / "n=7" / "t.parquet", ["n"]) == (["n"], [("1",)])
