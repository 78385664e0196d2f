"""What lies in the table engine comes back as it was, in an order of its own, and its words never reach anybody."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from incrowd.errors import IncrowdError
from seeds import how_many, seeds
from table_kinds import drawn_floats

CHECKER = Path(__file__).resolve().parents[2] / "checker" / "incrowd_check.py"
CANARY = "Zebedee4711"
TEXTS = [
    "", " ", "a", "A", "aa", "ä", "Z", "~", "it's", 'say "hi"', "two\nlines", "\U0001f4a9", "\uffff", "007", "1.50",
    "NULL", "null", "nan", "\\N", "a,b", "true", "1e5", "\ttab", "ÅngstroÌm", "%", "_", "--x", "$1", "{}", None,
]  # fmt: skip
# few values (kept as a list), many, and values that come late: the engine holds each in another way
HELD = {
    "few": lambda n: [TEXTS[i * i % len(TEXTS)] for i in range(n)],
    "many": lambda n: [TEXTS[i % len(TEXTS)] if i % 5 == 0 else f"v{i % 1500}'" for i in range(n)],
    "late": lambda n: ["same" if i < 131_072 else TEXTS[i % len(TEXTS)] if i % 5 else f"w{i}" for i in range(n)],
}


@pytest.mark.parametrize("how", ["few", "many", pytest.param("late", marks=pytest.mark.proofs)])
def test_texts_of_every_kind_come_back_as_they_were_and_are_told_apart(how, tmp_path):
    n = 200_000 if how == "late" else 6000
    table = pa.table({"t": HELD[how](n), "kept": HELD[how](n), "n": pa.array(range(n), pa.int64())})
    asked = {"quasi_identifiers": ["t"], "k": 1, "solver": "greedy", "suppressed": "null"}
    with incrowd.anonymize(table, keep_order=True, **asked) as release:
        assert release.table["t"].to_pylist() == release.table["kept"].to_pylist() == table["t"].to_pylist()
        release.to_csv(tmp_path / "r.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "r.csv").read_text(), newline="")))[1:]
    assert Counter(row[0] or None for row in rows) == Counter(cell or None for cell in table["t"].to_pylist())
    with incrowd.anonymize(table, **{**asked, "k": 2, "suppressed": "text"}) as release:
        counts = Counter(table["t"].to_pylist())
        shown = Counter(release.table["t"].to_pylist())
        # k-anonymity of one column: a value stays where 2 rows share it; a NULL is a value
        stars = sum(1 for count in counts.values() if count == 1)
        assert stars != 1  # else it would take a row of another value with it
        assert shown == Counter({v: c for v, c in counts.items() if c > 1}) + Counter({"*": stars})


@pytest.mark.parametrize("star", ["it's", 'say "hi"', "ä", "two\nlines", "?", "007"])
def test_a_star_may_be_any_text_that_no_cell_is(star, tmp_path):
    table = pa.table({"t": ["a", "a", "b", "c"], "u": ["x"] * 4})
    with incrowd.anonymize(table, quasi_identifiers=["t"], k=2, star=star, output=tmp_path / "r.csv") as release:
        assert Counter(release.table["t"].to_pylist()) == {"a": 2, star: 2}
    assert not incrowd.verify(table, tmp_path / "r.csv", quasi_identifiers=["t"], k=2, star=star)


@seeds(20, 2)
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_floats_are_spelled_as_the_shortest_text_that_is_the_same_number(kind, seed):
    with np.errstate(over="ignore"):
        values = np.array(drawn_floats(random.Random(seed), 300)).astype(kind)
    table = pa.table({"f": values, "n": range(len(values))})
    with incrowd.anonymize(table, quasi_identifiers=["f"], k=1, keep_order=True, solver="greedy") as release:
        shown = release.table["f"].to_pylist()
    for value, text in zip(values, shown, strict=True):
        if np.isnan(value):
            assert text is None  # NaN is NULL
        else:
            assert np.array([text]).astype(kind)[0] == value, (value, text)
            assert not text.startswith("-0") or value != 0  # -0 is 0


def test_equal_releases_stand_in_one_order_that_says_nothing_of_the_input():
    rows = [{"a": str(i % 5), "b": str(i % 3), "n": i} for i in range(120)]
    found = []
    for seed in range(4):
        random.Random(seed).shuffle(rows)
        with incrowd.anonymize(
            pa.Table.from_pylist(rows), quasi_identifiers=["a", "b"], k=3, seed=7 if seed == 3 else 0, solver="greedy"
        ) as release:
            found.append(release.table["n"].to_pylist())
    assert found[0] == found[1] == found[2]
    assert sorted(found[0]) == list(range(120)) != found[0]
    jumps = [abs(a - b) for a, b in zip(found[0], found[0][1:], strict=False)]
    assert sum(jumps) / len(jumps) > 20  # a random order has 40


@pytest.mark.order
@pytest.mark.usefixtures("many_threads")
@pytest.mark.parametrize("ending", ["csv", "csv.gz", "jsonl", "parquet", "arrow"])
def test_rows_are_numbered_as_they_stand_in_the_file(ending, tmp_path):
    n = how_many(300_000, 130_000) if ending == "csv" else 20_000
    path, numbers = tmp_path / f"t.{ending}", pa.table({"n": range(n), "q": ["x"] * n})
    if ending == "jsonl":
        path.write_text("\n".join(f'{{"n": {i}, "q": "x"}}' for i in range(n)))
    elif ending == "arrow":
        with pa.ipc.new_file(path, numbers.schema) as out:
            out.write_table(numbers, 1000)
    elif ending == "parquet":
        pq.write_table(numbers, path, row_group_size=1000)
    else:
        with pa.output_stream(path, compression="gzip" if ending.endswith("gz") else None) as out:
            out.write(("n,q\n" + "".join(f"{i},x\n" for i in range(n))).encode())
    with incrowd.anonymize(path, quasi_identifiers=["q"], k=2, keep_order=True, solver="greedy") as release:
        assert [int(number) for number in release.table["n"].to_pylist()] == list(range(n))


def test_row_types_are_numbered_by_the_bytes_of_their_texts(tmp_path):
    """A certificate names row types by their places in the table sorted by UTF-8 bytes, NULL first; a stranger counts them so too."""
    draw = random.Random(5)
    cells = [[draw.choice(TEXTS[1:]) for _ in range(2)] for _ in range(900)]
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(
        [["a", "b"], *(["" if c is None else c for c in row] for row in cells)]
    )
    (tmp_path / "t.csv").write_text(out.getvalue())
    (tmp_path / "p.toml").write_text('quasi_identifiers = ["a", "b"]\nk = 3\n[read]\nstrip = false\n')
    with incrowd.anonymize(
        tmp_path / "t.csv",
        tmp_path / "p.toml",
        output=tmp_path / "r.csv",
        certificate=tmp_path / "c.json",
        time_limit=1,
    ) as release:
        bound = release.exact_lower_bound
    done = subprocess.run(
        [sys.executable, str(CHECKER), "t.csv", "r.csv", "p.toml", "c.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not bound.denominator > 1 and str(bound) in done.stdout.replace(",", "")


# --- its words

BROKEN = {
    "a,b\n1,2\n3\n": "line 3 has 1 fields where 2 are expected; mend that line",
    f"a,b\n1,2\n3,4,{CANARY}\n": "line 3 has 3 fields where 2 are expected; mend that line",
    f'a,b\n1,2\n"{CANARY},4\n': "a quote that is never closed",
    f"a,b\n1,2\n{CANARY}\xff,4\n": "is not valid utf-8",
    "": "is empty",
    f"a,b\r\n1,{CANARY}\n3,4\r\n": "",
}


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_a_broken_line_is_named_by_its_number_and_never_quoted(run, tmp_path, number):
    text, said = list(BROKEN.items())[number]
    (tmp_path / "t.csv").write_bytes(text.encode("latin-1"))
    for command in ("audit", "anonymize"):
        more = ("-o", "r.csv", "--k", "1") if command == "anonymize" else ()
        status, out, err = run(command, "t.csv", "--qi", "a", *more)
        if not said and status == 0:
            continue
        assert (status, out, err.count("\n")) == (2, "", 1), err
        assert said in err and CANARY not in err and "duckdb" not in err.lower()
    assert [path.name for path in tmp_path.iterdir()] in (["t.csv"], ["t.csv", "r.csv"], ["r.csv", "t.csv"])


# The engine's own errors, whatever they quote: no file makes all of them, so one of its calls fails as it would.
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"Conversion Error: could not convert '{CANARY}'", "the table engine cannot do it"),
        (
            f"CSV Error on Line: 7\nOriginal Line: ann,{CANARY}\nExpected Number of Columns: 1 Found: 4",
            "is the delimiter right?",
        ),
        (
            f"CSV Error on Line: 7\nMaximum line size of 2 bytes exceeded: {CANARY}",
            "line 7 is too long; is there a quote before it",
        ),
        (f"CSV Error on Line: 7\nOriginal Line: {CANARY}", "line 7 cannot be read as CSV; mend that line or say"),
        (f"CSV Error on Line: 7\nInvalid unicode {CANARY}", "line 7 is not valid UTF-8 text; name its encoding"),
        (f"error in the state machine {CANARY}", "its lines do not all end alike; save it again"),
        (f"No space left on device {CANARY}", "the disk is full; free some space"),
    ],
)
def test_no_word_of_the_engine_passes(monkeypatch, words, said):
    from incrowd.tables.engine.base import Engine

    def fails(*_, **__):
        raise duckdb.Error(words)

    monkeypatch.setattr(Engine, "keep", fails)
    monkeypatch.setattr(Engine, "one", fails)
    monkeypatch.setattr(Engine, "fetch", fails)
    with pytest.raises(IncrowdError) as caught:
        incrowd.audit(pa.table({"a": [CANARY] * 9}), quasi_identifiers=["a"])
    error = caught.value
    assert said.replace("--", "") in str(error).replace("--", "")
    while error is not None:
        assert CANARY not in str(error)
        error = error.__cause__ or error.__context__


def test_nothing_leaves_the_machine(tmp_path, monkeypatch):
    """No address is asked for, whatever a command does: any that is not of this machine would fail the test."""
    asked = []
    real = socket.socket.connect

    def connect(self, address):
        asked.append(address)
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    table = pa.table({"a": ["x", "y"] * 20, "b": ["p", "q", "r", "s"] * 10})
    with incrowd.anonymize(
        table, quasi_identifiers=["a", "b"], k=3, output=tmp_path / "r.parquet", report=tmp_path / "r.html"
    ) as release:
        incrowd.verify(table, release.table, quasi_identifiers=["a", "b"], k=3)
        incrowd.attack(release)
    for address in ("https://127.0.0.1:1/t.csv", "s3://bucket/t.parquet", "http://127.0.0.1:1/t.parquet"):
        with pytest.raises(IncrowdError) as told:
            incrowd.audit(address, quasi_identifiers=["a"])
        assert len(str(told.value)) < 300
    assert asked == []


def test_what_spills_lies_in_a_private_folder_that_goes(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    table = pa.table({name: rng.integers(0, 9, 60_000).astype(str) for name in "abc"})
    with incrowd.anonymize(table, quasi_identifiers=list("abc"), k=3, memory="3GB", solver="greedy") as release:
        assert all(path.name.startswith("incrowd-") and path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())
        assert release.facts["rows"] == 60_000
    assert list(tmp_path.iterdir()) == []


def test_a_relation_of_ones_own_connection_is_read_and_left_as_it_was():
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t AS SELECT i % 3 AS a, i AS n FROM range(30) r(i)")
        before = con.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        with incrowd.anonymize(con.table("t"), quasi_identifiers=["a"], k=3) as release:
            assert len(release.table.fetchall()) == 30
        assert con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == before


def test_columns_of_nothing_are_released(tmp_path):
    for cells in ([None, None], [""] * 2, [" "] * 2):
        table = pa.table({"a": pa.array(cells, pa.string()), "b": ["x", "x"]})
        with incrowd.anonymize(table, quasi_identifiers=["a", "b"], k=2, output=tmp_path / "r.csv") as release:
            assert release.cost == 0 and release.table["a"].to_pylist() == cells
    frame = pd.DataFrame({"a": pd.Series([], dtype=str)})
    with pytest.raises(IncrowdError, match="no rows"):
        incrowd.anonymize(frame, quasi_identifiers=["a"], k=1)


@pytest.mark.proofs
def test_no_progress_bar_of_the_engine_is_drawn_where_python_is_interactive(tmp_path):
    code = (
        "import numpy as np, pyarrow as pa, incrowd\n"
        "t = pa.table({n: np.random.default_rng(1).integers(0, 99, 300_000).astype(str) for n in 'abc'})\n"
        "print(incrowd.audit(t, quasi_identifiers=['a', 'b', 'c']).rows)\n"
    )
    done = subprocess.run(
        [sys.executable, "-i", "-q"],
        input=code,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONSTARTUP": ""},
    )
    assert "300000" in done.stdout and "%" not in done.stdout + done.stderr.replace(">>>", "")
    assert json.dumps(done.returncode) == "0"
