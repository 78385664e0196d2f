"""Every kind of table goes through the whole job, comes out as the kind it was, and loses nothing on the way."""

import datetime
import decimal
import functools
import random
from collections import Counter

import duckdb
import ibis
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import incrowd
from table_kinds import BY_NAME, KINDS, plain

N = 60
OUTPUTS = ("r.csv", "r.csv.gz", "r.parquet", "r.jsonl", "r.ndjson.gz", "r.arrow", "r.feather")
WRITTEN = ("pandas", "jsonl", "parquet", "ibis on sqlite", "spss")  # as every kind of file in `make proofs`
WORDS = ["Đặng", 'say "hi"', "two\nlines", "a,b;c\t|", "'; DROP TABLE t; --", "😀"]
HARD = {"age": "row_key", "word": 'wo"rd, ñ', "born": "c0", "money": "select", "free": "a'b\\c/d~e.f$[*]"}


def made(kind, seed=0):
    """Return the table and its columns' names: hard ones where the kind can have them."""
    rng = random.Random(seed)
    table = pa.table(
        {
            "id": [f"person {i}" for i in range(N)],
            "age": pa.array([rng.choice([None, 30, 40, 50]) for _ in range(N)], pa.int64()),
            "word": [rng.choice([None, *WORDS]) for _ in range(N)],
            "born": [rng.choice([None, datetime.date(1950, 12, 31), datetime.date(2020, 2, 29)]) for _ in range(N)],
            "money": pa.array([decimal.Decimal(rng.choice(["1.50", "-0.05"])) for _ in range(N)], pa.decimal128(9, 2)),
            "real": pa.array([rng.choice([None, 1.5, 0.1]) for _ in range(N)]),
            "free": [rng.choice([None, *WORDS]) for _ in range(N)],
            "secret": [rng.choice(["p", "q", "r"]) for _ in range(N)],
        }
    )
    names = {name: name if kind in BY_NAME else HARD.get(name, name) for name in table.column_names}
    return table.rename_columns(list(names.values())), names


def settings(names, **more):
    return {
        "quasi_identifiers": [names[name] for name in ("age", "word", "born")],
        "identifiers": [names["id"]],
        "sensitive": [names["secret"]],
        "k": 3,
        "mask": incrowd.Mask(max_stars=2),
        "solver": "greedy",
        **more,
    }


def text(cell):
    """Return one spelling whatever the kind: numbers by value, times without their midnight."""
    if isinstance(cell, bool) or cell is None or cell == "" or cell != cell:
        return None
    if isinstance(cell, (int, float, decimal.Decimal)):
        return format(decimal.Decimal(str(cell)).normalize(), "f")
    try:
        return format(decimal.Decimal(str(cell)).normalize(), "f")
    except decimal.InvalidOperation:
        return str(cell).removesuffix(" 00:00:00").removesuffix("T00:00:00")


def texts(table, name):
    return [text(cell) for cell in plain(table).column(name).to_pylist()]


CAME_OUT = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars lazy": pl.DataFrame,
    "duckdb relation": duckdb.DuckDBPyRelation,
    "ibis on duckdb": ibis.Table,
    "ibis on sqlite": ibis.Table,
    "ibis in memory": ibis.Table,
}


@functools.cache
def loss(kind, suppressed):
    """Return what the release of the Arrow table costs, and its classes."""
    table, names = made(kind)
    with incrowd.anonymize(table, **settings(names, suppressed=suppressed)) as release:
        return release.cost, release.classes


TYPED = ("parquet", "arrow", "duckdb relation", "duckdb file", "ibis on sqlite", "pandas", "polars", "excel", "stata")
NOW = ("parquet", "pandas")  # in `make test`; the others in `make proofs`
# read and written like another kind, apart from a packing or a wrapper that the tests of formats and sources hold
LIKE_OTHERS = ("csv.gz", "jsonl.gz", "arrow stream", "feather", "sqlite file", "duckdb file", "ibis on duckdb", "record batch", "stata", "ibis in memory", "polars lazy", "spss packed")  # fmt: skip
RUNS = [
    *(pytest.param(kind, "text", marks=pytest.mark.proofs if kind in LIKE_OTHERS else ()) for kind in KINDS),
    *(pytest.param(kind, "null", marks=() if kind in NOW else pytest.mark.proofs) for kind in TYPED),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("kind", "suppressed"), RUNS)
def test_the_whole_job_on_every_kind_of_table(kind, suppressed, tmp_path):
    table, names = made(kind)
    source = KINDS[kind](table, tmp_path)
    with incrowd.anonymize(source, **settings(names, suppressed=suppressed)) as release:
        out = release.table
        assert isinstance(out, CAME_OUT.get(kind, pa.Table))
        assert plain(out).column_names == table.column_names[1:]
        assert (release.cost, release.classes) == loss("stata" if kind in BY_NAME else "pyarrow", suppressed)
        assert incrowd.verify(source, out, release.job) == []
        for name in ("money", "real", "free", "secret"):  # nothing lost: the same cells, NULL and all
            assert Counter(texts(out, names[name])) == Counter(texts(table, names[name]))
        for name in ("age", "word", "born"):  # nothing new
            assert set(texts(out, names[name])) <= {*texts(table, names[name]), "*", None}
        shown = Counter(zip(*(texts(out, names[name]) for name in ("age", "word", "born")), strict=True))
        assert sum(shown.values()) == N


@pytest.mark.proofs
@pytest.mark.parametrize("kind", ["csv", *(pytest.param(kind, marks=pytest.mark.proofs) for kind in WRITTEN)])
def test_every_kind_is_written_as_every_kind_of_file(kind, tmp_path):
    table, names = made(kind)
    source = KINDS[kind](table, tmp_path)
    with incrowd.anonymize(source, **settings(names)) as release:
        for name in OUTPUTS:
            release._write(tmp_path / name, None)
    for name in OUTPUTS:
        assert incrowd.verify(source, tmp_path / name, release.job) == []
    assert sorted(found.name for found in tmp_path.glob(".*")) == []


def test_equal_releases_are_equal_files(tmp_path):
    table, names = made("pyarrow")
    written = {name: set() for name in OUTPUTS}
    for seed in range(2):
        order = list(range(N))
        random.Random(seed).shuffle(order)
        with incrowd.anonymize(table.take(order), **settings(names)) as release:
            for name in OUTPUTS:
                path = tmp_path / f"{seed}{name}"
                release._write(path, None)
                written[name].add(path.read_bytes())
    assert {name: len(files) for name, files in written.items()} == dict.fromkeys(OUTPUTS, 1)


SOME = ("pyarrow", "duckdb relation", "polars")  # in `make test`: each comes out as another class


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "kind", [*SOME, *(pytest.param(kind, marks=pytest.mark.proofs) for kind in ("parquet", "arrow", "ibis on duckdb"))]
)
def test_unchanged_columns_come_back_in_their_types(kind, tmp_path):
    table, names = made(kind)
    source = KINDS[kind](table, tmp_path)
    with incrowd.anonymize(source, **settings(names)) as release:
        schema = plain(release.table).schema
        for name in ("money", "real"):
            assert schema.field(names[name]).type == table.schema.field(names[name]).type
    with incrowd.anonymize(source, **settings(names, suppressed="null")) as release:
        schema = plain(release.table).schema
        for name in ("age", "born", "money", "real"):
            assert schema.field(names[name]).type == table.schema.field(names[name]).type


def test_a_relation_comes_back_with_duckdbs_own_types_and_joins_on_the_default_connection():
    rows = "SELECT i % 3 AS age, uuid() AS u, ('a')::ENUM('a', 'b') AS e, i::HUGEINT AS h, [i] AS l FROM range(30) t(i)"
    source = duckdb.sql(rows).to_arrow_table()
    source = duckdb.from_arrow(source).project("age, u::UUID AS u, e::ENUM('a', 'b') AS e, h::HUGEINT AS h, l")
    with incrowd.anonymize(source, quasi_identifiers=["age"], k=3) as release:
        out = release.table
        assert [str(kind) for kind in out.types] == ["VARCHAR", "UUID", "ENUM('a', 'b')", "HUGEINT", "BIGINT[]"]
        assert duckdb.sql("SELECT count(*) FROM out JOIN source USING (u)").fetchall() == [(30,)]


def tables_in(connection):
    query = (
        "SELECT name FROM sqlite_master" if connection.name == "sqlite" else "SELECT table_name FROM duckdb_tables()"
    )
    return sorted(connection.con.execute(query).fetchall())


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["ibis on duckdb", "ibis on sqlite"])
def test_an_ibis_release_is_written_to_the_database_it_came_from(kind, tmp_path):
    table, names = made(kind)
    table = table.drop_columns([names["money"]])
    source = KINDS[kind](table, tmp_path)
    connection = source.get_backend()
    before = tables_in(connection)
    with incrowd.anonymize(source, **settings(names)) as release:
        assert tables_in(connection) == before
        written = connection.create_table("released", release.table)
        assert incrowd.verify(source, written, release.job) == []
        assert int(source.join(written, names["secret"]).count().execute()) > N


def test_an_ibis_expression_is_computed_by_its_own_engine():
    connection = ibis.sqlite.connect()
    table = connection.create_table("t", pa.table({"age": [1, 1, 2, 2, 3] * 6, "n": list(range(30))}))
    query = table.filter(table.n < 25).mutate(age=table.age * 2)
    with incrowd.anonymize(query, quasi_identifiers=["age"], k=3) as release:
        assert sorted(plain(release.table).column("age").to_pylist()) == sorted(["2", "2", "4", "4", "6"] * 5)
