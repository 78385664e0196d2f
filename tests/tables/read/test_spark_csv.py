"""CSV through executors: what DuckDB reads, or one sentence."""

import contextlib

import pytest

from engines import SPARK, spark_kept
from incrowd.errors import InputError
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading


@pytest.fixture(scope="module", params=[pytest.param("spark", marks=SPARK)])
def spark(request):
    # the tests' tables go with their folders, which is nothing to an engine that is closed without a job
    with spark_kept(), contextlib.closing(open_engine(request.param, None)) as made:
        yield made


CSV = 'id,age,w\n1, 31,"say ""a"", so"\n2,,b\n\n3,NA,"ä"\n'


@pytest.mark.parametrize("text", [CSV, CSV.replace("\n", "\r\n"), "\ufeff" + CSV, CSV.replace(",", "|")])
def test_a_csv_is_read_under_our_rules(spark, tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode())
    reading = Reading(na=("NA",))
    found = []
    with open_engine("duckdb", None) as duckdb:
        for engine in (spark, duckdb):
            opened = open_source(engine, tmp_path / "t.csv", reading)
            found.append((opened.names, engine.fetch(opened.data.select("c0", "c1", "c2").order_by("c0")).to_pylist()))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a,b\n1,\xff\n", "is not valid utf-8|not valid UTF-8 text"),
        (b'a,b\nfm,"two\nlines"\n', "a quote that is not closed on its line"),
        (b'a,b\nfm,"x"y\n', "a quote that is not closed on its line or not doubled"),
        (b"a,b\n\nfm,2,3\n", "reading 't.csv': line 3 has 3 fields where 2 are expected; mend that line"),
        (b"a,b\n" + b"f,m\n" * 2000 + b"f,m,m\nf\n", "2 lines of 't.csv' do not have the 2 fields expected"),
        (b"a,b\n" + b"f,m\n" * 2000 + b"a,b\n", "1 file of 't.csv' does not have the header of the first, once"),
        (b"a,b\n" + b"f,m\n" * 2000 + b"f,\xc3\x28\n", "1 line of 't.csv' is not valid UTF-8 text"),
    ],
)
def test_a_csv_that_could_be_read_otherwise_is_refused(spark, tmp_path, data, said):
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(InputError, match=said):
        open_source(spark, tmp_path / "t.csv", Reading())


def test_files_of_one_csv_have_one_header(spark, tmp_path):
    (tmp_path / "1.csv").write_text("a,b\nf,m\n")
    (tmp_path / "2.csv").write_text("b,a\nf,m\n")
    with pytest.raises(InputError, match="1 file of .* does not have the header of the first"):
        open_source(spark, tmp_path, Reading())
