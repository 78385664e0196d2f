"""What goes out is what was released, in an order that says nothing, and the kind that came in."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.expand import expand
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.values import Plan
from incrowd.tables.write import as_frame, check_output, same_rows, write_file

ENGINE = Engine()
SOURCE = pa.table(
    {
        "p": ["b", "b", "a", None],
        "A": pa.array([1, 1, 2, None], pa.int32()),
        "day": [datetime.date(2020, 1, 1)] * 4,
        "a": ['say "hi"', "x,y", "two\nlines", ""],
    }
)


def release_of(source, star="*", quasi=("p", "A")):
    roles = Roles(quasi_identifiers=quasi)
    text = quasi if star else ()
    table = read(ENGINE, source, roles, Reading(), text=text, star=star)
    found = compress(table)
    types = found.types
    vectors = [[0] * len(quasi) if n > 1 else [1] * len(quasi) for n in types.counts]
    groups, ids = [], []
    for i, vector in enumerate(vectors):
        instance = (tuple(vector), i if not any(vector) else -1)
        if instance not in groups:
            groups.append(instance)
        ids.append(groups.index(instance))
    plan = Plan(
        np.array([vector for vector, _ in groups], np.int8), np.arange(types.t, dtype=np.int32),
        np.array(ids, np.int32), types.counts,
    )  # fmt: skip
    return expand(table, found, plan, star=star, seed=0)


def test_csv_has_comma_lf_header_and_quotes_where_needed(tmp_path):
    release = release_of(SOURCE)
    path = tmp_path / "out.csv"
    write_file(release, path, keep_order=True)
    assert path.read_bytes().decode() == (
        'p,A,day,a\nb,1,2020-01-01,"say ""hi"""\nb,1,2020-01-01,"x,y"\n*,*,2020-01-01,"two\nlines"\n*,*,2020-01-01,""\n'
    )
    assert same_rows(release, path)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_with_another_cell_is_not_the_release(tmp_path, ending):
    release = release_of(SOURCE)
    path = tmp_path / f"out.{ending}"
    write_file(release, path, keep_order=False)
    assert same_rows(release, path)
    if ending == "csv":
        path.write_text(path.read_text().replace("x,y", "x,z"))
    else:
        table = pq.read_table(path)
        pq.write_table(table.slice(1), path)
    assert not same_rows(release, path)


def test_rows_come_in_an_order_that_depends_on_the_released_rows_alone(tmp_path):
    source = pa.table({"p": ["a", "b"] * 50, "A": [1, 2] * 50, "a": [str(i) for i in range(100)]})
    shuffled = source.take(pa.array(np.random.default_rng(0).permutation(100)))
    texts = []
    for table in (source, shuffled):
        write_file(release_of(table), tmp_path / "out.csv", keep_order=False)
        texts.append((tmp_path / "out.csv").read_text())
    assert texts[0] == texts[1]
    write_file(release_of(source), tmp_path / "kept.csv", keep_order=True)
    assert (tmp_path / "kept.csv").read_text() != texts[0]


def test_parquet_keeps_the_types_of_unchanged_columns_and_names_that_differ_in_case(tmp_path):
    release = release_of(SOURCE)
    write_file(release, tmp_path / "out.parquet", keep_order=True)
    schema = pq.read_schema(tmp_path / "out.parquet")
    assert schema.names == ["p", "A", "day", "a"]
    assert schema.field("day").type == pa.date32()
    assert schema.field("A").type == pa.string()


def test_the_kind_that_came_in_goes_out():
    assert isinstance(as_frame(release_of(SOURCE), keep_order=True), pa.Table)
    assert as_frame(release_of(SOURCE), keep_order=True).schema.field("day").type == pa.date32()
    frame = as_frame(release_of(pl.from_arrow(SOURCE)), keep_order=True)
    assert isinstance(frame, pl.DataFrame)
    assert frame["p"].to_list() == ["b", "b", "*", "*"]
    assert frame["day"].dtype == pl.Date


def test_pandas_types_come_back():
    source = pd.DataFrame(
        {
            "p": ["b", "b", "a", "c"],
            "A": [1, 1, 2, 3],
            "cat": pd.Categorical(["u", "v", None, "u"], categories=["w", "v", "u"], ordered=True),
            "big": pd.array([2**60 + 1, None, 3, 4], dtype="Int64"),
            "when": pd.to_datetime(["2020-01-01", None, "2021-05-05 10:00", "2020-01-01"], format="mixed"),
            "real": [1.5, float("nan"), -0.0, 2.0],
            "small": np.array([1, 2, 3, 4], np.int8),
            "yes": [True, False, True, True],
        },
        index=[5, 5, 7, 8],
    )
    frame = as_frame(release_of(source), keep_order=True)
    assert list(frame.columns) == list(source.columns)
    assert frame.index.tolist() == [0, 1, 2, 3]
    unchanged = ["cat", "big", "when", "real", "small", "yes"]
    pd.testing.assert_frame_equal(frame[unchanged], source[unchanged].reset_index(drop=True))
    assert frame["A"].tolist() == ["1", "1", "*", "*"]


def test_null_stars_leave_every_type_as_it_was(tmp_path):
    release = release_of(SOURCE, star=None)
    frame = as_frame(release, keep_order=True)
    assert frame.schema.field("A").type == pa.int32()
    assert frame.column("A").to_pylist() == [1, 1, None, None]


def test_one_column_with_null_survives_csv(tmp_path):
    source = pa.table({"p": ["x", "x", None, None]})
    release = release_of(source, quasi=("p",))
    write_file(release, tmp_path / "out.csv", keep_order=False)
    assert same_rows(release, tmp_path / "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 5


def test_outputs_that_cannot_be_are_refused_before_anything_runs(tmp_path):
    (tmp_path / "in.csv").write_text("a\nx\n")
    (tmp_path / "link.csv").symlink_to(tmp_path / "in.csv")
    for name, said in [
        ("out.txt", "must end in .csv"),
        ("missing/out.csv", "folder does not exist"),
        ("in.csv", "is also an input"),
        ("link.csv", "is also an input"),
    ]:
        with pytest.raises(InputError, match=said):
            check_output(tmp_path / name, tmp_path / "in.csv")
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        check_output(tmp_path / "d.csv", tmp_path / "in.csv")
