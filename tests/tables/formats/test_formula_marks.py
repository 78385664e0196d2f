"""What a spreadsheet would run is marked, nothing else is, and the way back is never in doubt."""

import csv
import io

import ibis
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import incrowd
from incrowd.errors import PolicyError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats.formula_marks import bare, safe

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
SHOWN = [
    "",
    "x",
    "1",
    "-1",
    "+2.5",
    "-.5e-3",
    "1-1",
    "a=b",
    "'",
    "''",
    "'x",
    "'-5",
    "''+1.",
    " =x",
    "*",
    "[20, 30)",
    "ä",
]


@pytest.fixture(scope="module")
def engine():
    with Engine() as engine:
        yield engine


def through(engine, texts, how):
    rows = engine.take(
        pa.schema([("c0", pa.string())]), [pa.record_batch({"c0": texts}, schema=pa.schema([("c0", pa.string())]))]
    )
    return engine.fetch(how(engine, rows, ())[0]).column(0).to_pylist()


def test_formulas_are_marked_and_nothing_else(engine):
    assert through(engine, [*RUN, *SHOWN, None], safe) == [*("'" + text for text in RUN), *SHOWN, None]


def test_the_way_back_is_never_in_doubt(engine):
    texts = [mark + text for mark in ("", "'", "''") for text in (*RUN, *SHOWN)]
    marked = through(engine, texts, safe)
    assert len(set(marked)) == len(set(texts))
    assert through(engine, marked, bare) == texts


def named(names, how):
    return how(None, ibis.memtable({"n": [1]}), names)[1]


@given(st.lists(st.text(alphabet="'=+-@\t\r1.e x", max_size=6)))
def test_names_come_back_and_get_an_apostrophe_at_most(names):
    marked = named(names, safe)
    assert named(marked, bare) == names
    assert all(shown in (name, "'" + name) for name, shown in zip(names, marked, strict=True))


def test_names_and_cells_agree(engine):
    texts = [mark + text for mark in ("", "'") for text in (*RUN, *SHOWN)]
    assert through(engine, texts, safe) == named(texts, safe)


def test_numbers_are_left_as_they_are(engine):
    rows = ibis.memtable({"n": [-1, 2], "f": [-0.5, 1.5]})
    assert safe(engine, rows, ())[0] is rows
    assert bare(engine, rows, ())[0] is rows


TABLE = pa.table({
    "=a": ["-x", "-x", "=y", "=y", "-1", "-1"],
    "b": ["1", "1", "1", "2", "2", "2"],
    "@note": ["=HYPERLINK(1)", "'=x", "plain", None, "-7", "+x"],
})  # fmt: skip
ASKED = {"quasi_identifiers": ["=a", "b"], "k": 2, "solver": "greedy"}


def test_a_release_is_written_marked_and_verified_with_the_same_word(tmp_path):
    out = tmp_path / "out.csv"
    with incrowd.anonymize(TABLE, output=out, spreadsheet_safe=True, **ASKED) as release:
        shown = release.table.to_pydict()
    held = list(csv.reader(io.StringIO(out.read_text())))
    assert held[0] == ["'=a", "b", "'@note"]
    for row in held[1:]:
        for cell in row:
            assert not cell or (cell[0] not in "=+@" and (cell[0] != "-" or cell in ("-1", "-7")))
    assert sorted(row[2] for row in held[1:]) == sorted(["'=HYPERLINK(1)", "''=x", "plain", "", "-7", "'+x"])
    assert list(shown) == ["=a", "b", "@note"]
    assert not incrowd.verify(TABLE, out, spreadsheet_safe=True, **{k: v for k, v in ASKED.items() if k != "solver"})
    assert incrowd.verify(TABLE, out, **{**ASKED, "quasi_identifiers": ["b"]})  # as it stands it is another table


def test_without_the_word_nothing_is_marked(tmp_path):
    with incrowd.anonymize(TABLE, output=tmp_path / "out.csv", **ASKED):
        assert "=HYPERLINK(1)" in (tmp_path / "out.csv").read_text()
        assert "'=HYPERLINK(1)" not in (tmp_path / "out.csv").read_text()


def test_other_files_than_csv_are_refused_before_any_work(tmp_path):
    with pytest.raises(PolicyError, match=r"spreadsheet_safe is about CSV: let the output end in \.csv"):
        incrowd.anonymize(TABLE, output=tmp_path / "out.parquet", spreadsheet_safe=True, **ASKED)
    with incrowd.anonymize(TABLE, spreadsheet_safe=True, **ASKED) as release:
        with pytest.raises(PolicyError, match="about CSV"):
            release.to_parquet(tmp_path / "x.parquet")
        release.to_csv(tmp_path / "x.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def test_the_command_and_standard_output_know_it(run, tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n=x,1\n=x,1\n-2,3\n-2,3\n")
    status, out, _ = run("anonymize", "in.csv", "-o", "-", "--qi", "a,b", "--k", "2", "--spreadsheet-safe", "--quiet")
    assert status == 0
    assert sorted(out.splitlines()) == ["'=x,1", "'=x,1", "-2,3", "-2,3", "a,b"]
    (tmp_path / "out.csv").write_text(out)
    asked = ("verify", "in.csv", "out.csv", "--qi", "a,b", "--k", "2")
    assert run(*asked, "--spreadsheet-safe")[0] == 0
    assert run(*asked)[0] == 1
