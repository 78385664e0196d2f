"""The released rows as the kind of table that came in, in an order that says nothing."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from incrowd.tables.write import as_frame, write_file
from written_releases import SOURCE, release_of


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


def test_the_kind_that_came_in_goes_out():
    assert isinstance(as_frame(release_of(SOURCE), keep_order=True), pa.Table)
    assert as_frame(release_of(SOURCE), keep_order=True).schema.field("day").type == pa.date32()
    frame = as_frame(release_of(pl.from_arrow(SOURCE)), keep_order=True)
    assert isinstance(frame, pl.DataFrame)
    assert frame["p"].to_list() == ["b", "b", "*", "*"]
    assert frame["day"].dtype == pl.Date
    rows = as_frame(release_of(SOURCE.to_pylist()), keep_order=True)
    assert [row["p"] for row in rows] == ["b", "b", "*", "*"]
    assert [row["day"] for row in rows] == SOURCE.column("day").to_pylist()
    assert as_frame(release_of(SOURCE.to_pydict()), keep_order=True)["p"] == ["b", "b", "*", "*"]


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
