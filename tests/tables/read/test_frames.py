"""Floats of a pandas frame that are whole numbers, as pandas makes them of integers with a gap, are whole numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

NAN, INF = float("nan"), float("inf")
LARGEST = 2**53 - 1


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def texts(engine, source):
    opened = open_source(engine, source, Reading())
    rows = opened.data.order_by("row_key")
    return engine.fetch(rows.select(a=engine.text(rows.c0))).column("a").to_pylist(), opened


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_whole_numbers_with_a_gap_are_read_as_whole_numbers(engine, kind):
    read, opened = texts(engine, pd.DataFrame({"a": np.array([76, NAN, -3, -0.0, 2048], kind)}))
    assert read == ["76", None, "-3", "0", "2048"]
    assert str(opened.data.c0.type()) == "int64"
    assert opened.notes_on(["a"]) == (
        "column 'a' holds whole numbers as floats, which are read as whole numbers (1, not 1.0)",
    )
    assert opened.notes_on(["b"]) == ()


def test_without_a_gap_too(engine):
    assert texts(engine, pd.DataFrame({"a": [1.0, 2.0]}))[0] == ["1", "2"]


@pytest.mark.parametrize("value", [LARGEST, -LARGEST])
def test_up_to_the_largest_exact_number(engine, value):
    assert texts(engine, pd.DataFrame({"a": [float(value), NAN]}))[0] == [str(value), None]


@pytest.mark.parametrize("value", [0.5, INF, -INF, 2.0**53, -(2.0**53), 1e300, 5e-324])
def test_one_other_number_leaves_a_column_of_floats(engine, value):
    read, opened = texts(engine, pd.DataFrame({"a": [76.0, NAN, value]}))
    assert read[:2] == ["76.0", None]
    assert str(opened.data.c0.type()) == "float64"
    assert opened.notes_on(["a"]) == ()


@pytest.mark.parametrize("place", [0, 300_000])
def test_the_other_number_is_found_anywhere(engine, place):
    cells = np.arange(300_001, dtype=np.float64)
    cells[place] += 0.5
    assert not open_source(engine, pd.DataFrame({"a": cells}), Reading()).whole


def test_nothing_but_gaps_stays_a_column_of_floats(engine):
    read, opened = texts(engine, pd.DataFrame({"a": [NAN, NAN]}))
    assert read == [None, None]
    assert str(opened.data.c0.type()) == "float64"


WANTED = {
    "polars": lambda: pl.DataFrame({"a": [76.0, None]}),
    "arrow": lambda: pa.table({"a": [76.0, None]}),
    "pandas' Float64": lambda: pd.DataFrame({"a": pd.array([76.0, None], "Float64")}),
    "pandas on arrow": lambda: pd.DataFrame({"a": pd.array([76.0, None], pd.ArrowDtype(pa.float64()))}),
}


@pytest.mark.parametrize("kind", WANTED)
def test_floats_that_could_have_been_whole_numbers_stay_floats(engine, kind):
    read, opened = texts(engine, WANTED[kind]())
    assert read == ["76.0", None]
    assert opened.notes_on(["a"]) == ()


def test_parquet_floats_stay_floats(engine, tmp_path):
    pd.DataFrame({"a": [76.0, NAN]}).to_parquet(tmp_path / "t.parquet")
    assert texts(engine, tmp_path / "t.parquet")[0] == ["76.0", None]


def test_the_note_names_columns_in_their_order_and_not_hundreds(engine):
    frame = pd.DataFrame({f"n{i}": [1.0, NAN] for i in range(25)})
    kept = [name for name in frame.columns if name != "n1"]
    (note,) = open_source(engine, frame, Reading()).notes_on(kept)
    assert note.startswith("columns 'n0', 'n2', 'n3'")
    assert "'n20' and 4 more hold whole numbers" in note


def test_the_frame_is_left_as_it_was(engine):
    frame = pd.DataFrame({"a": [76.0, NAN]})
    before = frame.copy(deep=True)
    open_source(engine, frame, Reading())
    pd.testing.assert_frame_equal(frame, before)


def test_rows_as_dicts_and_columns_as_lists_are_tables(engine):
    rows = [{"a": 1, "b": "x"}, {"b": "y"}, {"a": None, "b": "z"}]
    assert texts(engine, rows)[0] == ["1", None, None]
    columns = {"a": [1.5, 2.5], "b": ("x", "y")}
    read, opened = texts(engine, columns)
    assert read == ["1.5", "2.5"]
    assert opened.kind == "dict"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ([1, 2], "each of its rows is a dict"),
        ([], "a list without columns"),
        ({}, "a dict without columns"),
        ({"a": 5}, "each of its columns is a list"),
        ({"a": [1], "b": [1, 2]}, "differ in length"),
        ([{1: 5}], "named by texts"),
        ([{"a": 1}, {"a": "seven"}], "column 'a' mixes values"),
        ([{"a": object()}], "column 'a' mixes values"),
        (({"a": 1},), "a tuple is no table"),
    ],
)
def test_what_is_no_table_is_refused_without_a_cell(engine, source, words):
    with pytest.raises(InputError, match=words) as refused:
        open_source(engine, source, Reading())
    assert "seven" not in str(refused.value)
