"""Frames and Parquet come in with their types."""

import datetime
import decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError, PolicyError
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


def test_columns_that_are_never_changed_keep_their_type_and_values(engine):
    table = read(engine, TYPED, Roles(quasi_identifiers=("word",)), Reading(), text=("word",), star="*")
    found = table.engine.fetch(table.data.order_by("row_key"))
    by_name = {c.name: c.id for c in table.columns}
    for name in ("whole", "half", "day", "money", "flag"):
        assert found.column(by_name[name]).to_pylist() == TYPED.column(name).to_pylist()


def test_identifiers_never_leave_read(engine):
    roles = Roles(quasi_identifiers=("word",), identifiers=("whole", "half"), other="keep")
    table = read(engine, TYPED, roles, Reading(), text=("word",), star="*")
    assert not {"whole", "half"} & {c.name for c in table.columns}
    assert len(table.data.columns) == 1 + TYPED.num_columns - 2


def test_other_columns_can_be_dropped(engine):
    roles = Roles(quasi_identifiers=("word",), sensitive=("flag",), other="drop")
    table = read(engine, TYPED, roles, Reading(), text=("word",), star="*")
    assert [c.name for c in table.columns] == ["flag", "word"]


def refusal(engine, source, error=InputError, star="*", text=("a",), **roles):
    with pytest.raises(error) as caught:
        read(engine, source, Roles(**{"quasi_identifiers": ("a",), **roles}), Reading(), text=text, star=star)
    return str(caught.value)


def test_a_star_among_the_values_is_refused(engine):
    source = pa.table({"a": ["x", "*", "*"]})
    assert "column 'a' already holds the star text in 2 rows" in refusal(engine, source)
    assert read(engine, source, Roles(quasi_identifiers=("a",)), Reading(), text=("a",), star="#").rows == 3


def test_lists_and_structs_cannot_be_quasi_identifiers(engine):
    assert "column 'a' holds array values" in refusal(engine, pa.table({"a": [[1], [2]]}))
    assert "column 'a' holds struct values" in refusal(engine, pa.table({"a": [{"p": 1}]}))


def test_numbers_declared_must_be_numbers(engine):
    said = refusal(engine, pa.table({"a": ["1", "Zebedee", None, "inf"]}), numeric=("a",))
    assert "column 'a' is declared numeric but 2 of its values are no numbers" in said
    assert "Zebedee" not in said


def test_a_column_that_is_not_there_is_named_with_a_guess(engine):
    said = refusal(engine, pa.table({"age": ["x"], "sex": ["y"]}), PolicyError, quasi_identifiers=("agee",))
    assert "'agee'" in said
    assert "did you mean 'age'" in said


def test_a_table_without_rows_is_refused(engine):
    assert "has no rows" in refusal(engine, pa.table({"a": pa.array([], pa.string())}))


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
    assert "a dict is no table" in refusal(engine, {"a": [1]})
