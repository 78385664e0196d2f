"""The way back from a release of the kernel: its rows and those taken away, in an order of their own."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError

POLICY = {"quasi_identifiers": ["age", "sex"], "k": 2}
TABLE = pa.table({"age": [31] * 60 + [47], "sex": ["f"] * 61, "note": list(range(61))})


@pytest.fixture(scope="module")
def small():
    return incrowd.kernel(TABLE, **POLICY)


def test_it_says_its_sizes(small):
    assert repr(small) == "<Kernel of 33 of 61 rows>"
    assert dict(small.facts) == {"rows_before": 61, "rows": 33, "row_types": 2, "most_copies": 32}


def test_frames_arrow_and_releases_come_back(small):
    with incrowd.anonymize(small.table, **POLICY) as release:
        arrow = release.table
        ways = [small.back(way) for way in (release, arrow, arrow.to_pandas(), pl.from_arrow(arrow))]
    assert incrowd.verify(TABLE, ways[0], **POLICY) == []
    assert all(way.to_pylist() == ways[0].to_pylist() for way in ways)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_kernel_is_the_kind_of_table_that_came_in(kind):
    frame = pd.DataFrame({"age": pd.Categorical(["x"] * 60 + ["y"]), "sex": [1.5] * 61})
    frame = frame if kind == "pandas" else pl.from_pandas(frame)
    small = incrowd.kernel(frame, **POLICY)
    assert type(small.table) is type(frame)
    back = small.back(incrowd.anonymize(small.table, **POLICY))
    assert incrowd.verify(frame, back, **POLICY) == []


def test_the_order_says_nothing_about_which_rows_were_taken(small):
    back = small.back(incrowd.anonymize(small.table, **POLICY).table)
    rows = [tuple(row.values()) for row in back.to_pylist()]
    assert rows == sorted(rows)


def test_columns_without_an_order_come_back_too():
    table = TABLE.append_column("list", [[[1]] * 61])
    small = incrowd.kernel(table, **POLICY)
    assert small.back(incrowd.anonymize(small.table, **POLICY)).num_rows == 61


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda t: t.slice(1), "it has 32 rows, the kernel has 33 rows"),
        (lambda t: t.drop_columns(["note"]), "other columns"),
        (lambda t: t.set_column(2, "note", [[[1]] * 33]), "other types"),
        (lambda t: 7, "back takes a release"),
    ],
)
def test_what_is_no_release_of_the_kernel_is_refused(small, change, why):
    with pytest.raises(InputError, match=why):
        small.back(change(small.table))
