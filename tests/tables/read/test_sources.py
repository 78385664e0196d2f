"""Frames and Parquet come in with their types."""

import datetime
import decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles

TYPED = pa.table(
    {
        "whole": pa.array([1, 2, None], pa.int64()),
        "float": pa.array([1.0, -0.0, float("nan")]),
        "half": pa.array([0.1, 1e20, 2.5]),
        "day": [datetime.date(2020, 1, 2), None, datetime.date(1950, 12, 31)],
        "time": pa.array([datetime.datetime(2020, 1, 2, 3, 4, 5), None, None], pa.timestamp("us")),
        "money": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("0.05")], pa.decimal128(9, 2)),
        "flag": [True, False, None],
        "word": ["x", "", None],
        "kind": pa.array(["p", "q", "p"]).dictionary_encode(),
        "none": pa.nulls(3),
    }
)
TEXTS = {
    "whole": ["1", "2", None],
    "float": ["1.0", "0.0", None],
    "half": ["0.1", "1e+20", "2.5"],
    "day": ["2020-01-02", None, "1950-12-31"],
    "time": ["2020-01-02T03:04:05", None, None],
    "money": ["1.50", None, "0.05"],
    "flag": ["true", "false", None],
    "word": ["x", "", None],
    "kind": ["p", "q", "p"],
    "none": [None, None, None],
}


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def texts_of(table):
    found = table.engine.fetch(table.data.order_by("row_key"))
    return {c.name: found.column(c.id).to_pylist() for c in table.columns}


def as_source(kind, tmp_path):
    if kind == "parquet":
        pq.write_table(TYPED, tmp_path / "t.parquet")
        return tmp_path / "t.parquet"
    if kind == "polars":
        return pl.from_arrow(TYPED)
    if kind == "lazy":
        return pl.from_arrow(TYPED).lazy()
    return TYPED


@pytest.mark.parametrize("kind", ["pyarrow", "parquet", "polars", "lazy"])
def test_every_type_has_one_text(engine, tmp_path, kind):
    roles = Roles(quasi_identifiers=tuple(TEXTS))
    table = read(engine, as_source(kind, tmp_path), roles, Reading(), text=tuple(TEXTS), star="*")
    assert texts_of(table) == TEXTS


def test_pandas_has_the_same_texts(engine):
    names = [name for name in TEXTS if name not in ("whole", "none", "day")]
    frame = TYPED.select(names).to_pandas().assign(whole=pd.array([1, 2, None], "Int64"))
    frame.index = [7, 7, 9]
    table = read(engine, frame, Roles(quasi_identifiers=(*names, "whole")), Reading(), text=(*names, "whole"), star="*")
    wanted = {name: TEXTS[name] for name in (*names, "whole")}
    assert texts_of(table) == {**wanted, "float": ["1", "0", None]}  # see test_frames


def refusal(engine, source, error=InputError, star="*", text=("a",), **roles):
    with pytest.raises(error) as caught:
        read(engine, source, Roles(**{"quasi_identifiers": ("a",), **roles}), Reading(), text=text, star=star)
    return str(caught.value)


def test_doubled_names_are_refused(engine):
    assert "columns 1 and 2" in refusal(engine, pa.table([["x"], ["y"]], names=["a", "a"]))
    assert "columns 1 and 2" in refusal(engine, pd.DataFrame([["x", "y"]], columns=["a", "a"]))


def test_a_column_of_mixed_types_is_refused_by_name(engine):
    said = refusal(engine, pd.DataFrame({"a": pd.Series([1, "Zebedee"], dtype=object)}))
    assert said.startswith("column 'a' mixes values of several types")
    assert "Zebedee" not in said


def test_a_parquet_file_cut_short_is_refused(engine, tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(TYPED, path)
    path.write_bytes(path.read_bytes()[:-30])
    assert "no whole Parquet file" in refusal(engine, path)


def test_what_is_no_table_is_refused(engine):
    assert "a set is no table" in refusal(engine, {1})
