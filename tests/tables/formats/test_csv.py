"""CSV is text, never guessed at, and nothing of it is quoted."""

import gzip

import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats import csv
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

CANARY = "Zebedee-4711"


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


@pytest.fixture
def rows_of(engine, tmp_path):
    def read(content, name="table.csv", **reading):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        opened = open_source(engine, path, Reading(**reading))
        columns = [f"c{i}" for i in range(len(opened.names))]
        found = engine.fetch(opened.data.order_by("row_key")).to_pylist()
        return opened, [tuple(row[c] for c in columns) for row in found]

    return read


@pytest.mark.parametrize("text", ["007", "1.0", "1e3", "NA", "NULL", "nan", "true", "?", "2020-01-01", "  007"])
def test_a_field_is_text_and_survives_as_it_is(rows_of, text):
    _, rows = rows_of(f"a,b\n{text},x\n")
    assert rows == [(text.strip(), "x")]


def test_an_empty_field_is_null_and_blanks_are_stripped(rows_of):
    _, rows = rows_of('a,b,c\n, x ,"  "\n"",\ty,z\n')
    assert rows == [(None, "x", None), (None, "y", "z")]


def test_no_strip_keeps_blanks(rows_of):
    _, rows = rows_of("a,b\n x ,y\n", strip=False)
    assert rows == [(" x ", "y")]


def test_na_texts_are_null(rows_of):
    _, rows = rows_of("a,b\n?,x\n-,?\n", na=("?", "-"))
    assert rows == [(None, "x"), (None, None)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_detected(rows_of, delimiter):
    opened, rows = rows_of(delimiter.join("abc") + "\n" + delimiter.join(["x", "y", "z"]) + "\n")
    assert opened.names == ("a", "b", "c")
    assert rows == [("x", "y", "z")]


def test_a_given_delimiter_wins(rows_of):
    opened, rows = rows_of("a;b,c\nx;y,z\n", delimiter=";")
    assert opened.names == ("a", "b,c")
    assert rows == [("x", "y,z")]


def test_one_column_without_any_delimiter(rows_of):
    opened, rows = rows_of("a\nx\n\ny\n")
    assert opened.names == ("a",)
    assert rows == [("x",), (None,), ("y",)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_quotes_line_breaks_and_line_ends_survive(rows_of, end):
    _, rows = rows_of(f'a,b{end}"x,1","say ""hi"""{end}"two{end}lines",z{end}')
    assert rows == [("x,1", 'say "hi"'), (f"two{end}lines", "z")]


def test_a_byte_order_mark_and_unicode(rows_of):
    opened, rows = rows_of("\ufeffnäme,b\nĐặng,😀\n")
    assert opened.names == ("näme", "b")
    assert rows == [("Đặng", "😀")]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16"])
def test_other_encodings_are_read_when_named(rows_of, encoding):
    _, rows = rows_of("a,b\nJosé,x\n".encode(encoding), encoding=encoding)
    assert rows == [("José", "x")]


def test_gzip_is_unpacked(rows_of):
    _, rows = rows_of(gzip.compress(b"a,b\nx,y\n"), name="table.csv.gz")
    assert rows == [("x", "y")]


def test_empty_lines_at_the_ends_are_no_rows(rows_of):
    _, rows = rows_of("\n\na,b\nx,y\n\n")
    assert rows == [("x", "y")]


def test_rows_keep_their_order_in_the_row_key(rows_of):
    _, rows = rows_of("a,b\n" + "".join(f"v{i},x\n" for i in range(50_000)))
    assert [row[0] for row in rows] == [f"v{i}" for i in range(50_000)]


def test_without_a_header_columns_are_numbered_or_named(rows_of):
    opened, rows = rows_of("x,y\nz,w\n", header=False)
    assert opened.names == ("c1", "c2")
    assert rows == [("x", "y"), ("z", "w")]
    opened, rows = rows_of("x,y\nz,w\n", header=False, columns=("left", "right"))
    assert opened.names == ("left", "right")
    assert len(rows) == 2


def test_names_that_differ_in_case_alone_stay_apart(rows_of):
    opened, rows = rows_of("a,A\nx,y\n")
    assert opened.names == ("a", "A")
    assert rows == [("x", "y")]


FAULTS = {
    "ragged": (f"a,b\nx,{CANARY}\ny,{CANARY},z\n", {}, "line 3 has 3 fields where 2 are expected"),
    "short": (f"a,b,c\nx,y,z\n{CANARY},y\n", {}, "line 3 has 2 fields where 3 are expected"),
    "open quote": (f'a,b\nx,"{CANARY}\n', {}, "quote"),
    "latin-1": (f"a,b\n{CANARY},Jos\xe9\n".encode("latin-1"), {}, "--encoding"),
    "late latin-1": (
        ("a,b\n" + "x,y\n" * 90_000 + f"{CANARY},Jos\xe9\n").encode("latin-1"),
        {},
        "--encoding",
    ),
    "unknown encoding": (f"a,b\n{CANARY},y\n", {"encoding": "utf-9"}, "there is no encoding 'utf-9'"),
    "zero byte": (f"a,b\n{CANARY}\0,y\n", {}, "zero byte"),
    "empty": ("", {}, "is empty"),
    "blank": ("\n\n", {}, "is empty"),
    "no header, a number": (f"{CANARY},44\nx,45\n", {}, "--no-header"),
    "no header, a date": (f"{CANARY},2020-01-01\nx,2021-01-01\n", {}, "--no-header"),
    "no header, values again": (f"{CANARY},m,y\n{CANARY},f,y\nQ,m,n\n", {}, "--no-header"),
    "doubled name": ("a,b,a\nx,y,z\n", {}, "columns 1 and 3 of 'table.csv' have the same name"),
    "no name": ("a,,c\nx,y,z\n", {}, "column 2 of 'table.csv' has no name"),
    "too many names": (f"a,b\n{CANARY},y\n", {"columns": ("p", "q", "r")}, "columns gives 3 names"),
    "no gzip": (b"a,b\nx,y\n", {"name": "table.csv.gz"}, "gzip"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_sentence_and_quotes_no_cell(rows_of, fault):
    content, more, expected = FAULTS[fault]
    with pytest.raises(InputError) as caught:
        rows_of(content, **more)
    error = caught.value
    assert expected in str(error)
    while error is not None:  # nor does anything that a traceback would print
        assert CANARY not in str(error)
        error = error.__context__


def test_a_header_that_looks_like_data_is_taken_when_insisted_on(rows_of):
    opened, rows = rows_of("2019,2020\nx,y\n", header=True)
    assert opened.names == ("2019", "2020")
    assert rows == [("x", "y")]
    assert "looks like a row of data" in opened.notes[0]
    assert not opened.quotable


@pytest.mark.parametrize("name", ["table.xyz", "nowhere.csv"])
def test_a_file_that_is_none_is_refused(engine, tmp_path, name):
    (tmp_path / "table.xyz").write_text("a,b\n")
    with pytest.raises(InputError, match="ending|there is no file"):
        open_source(engine, tmp_path / name, Reading())
    with pytest.raises(InputError, match="'table.xyz' has an ending that is not known"):
        open_source(engine, tmp_path, Reading())  # a folder is the table of its files


@pytest.mark.parametrize("encoding", ["zip", "base64", "rot13", "hex", "bz2", "nonsense", "a\0b", "\udcff", "x" * 500])
def test_an_encoding_that_is_none_for_text_is_refused(tmp_path, encoding):
    (tmp_path / "t.csv").write_text("a,b\nx,y\n")
    with pytest.raises(InputError, match="there is no encoding .* for text; use for example utf-8") as raised:
        csv.look(tmp_path / "t.csv", Reading(encoding=encoding), "'t.csv'")
    assert len(str(raised.value)) < 200
