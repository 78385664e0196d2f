"""Row types: counts, codes and order, against a plain count in Python."""

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.seeds import how_many

from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles

ENGINE = Engine()
CELLS = st.one_of(st.none(), st.sampled_from(["a", "A", "é", "z", "", " ", "10", "9", "😀", "￿", "a\n"]))


def types_of(rows, m):
    names = [f"q{j}" for j in range(m)]
    source = pa.table({name: pa.array([row[j] for row in rows], pa.string()) for j, name in enumerate(names)})
    table = read(ENGINE, source, Roles(quasi_identifiers=tuple(names)), Reading(), text=names, star="*")
    return table, compress(table)


def by_bytes(value):
    return (value is not None, b"" if value is None else value.encode())


@settings(max_examples=how_many(60, 6), deadline=None)
@given(st.integers(1, 3).flatmap(lambda m: st.lists(st.tuples(*[CELLS] * m), min_size=1, max_size=12)))
def test_types_are_the_distinct_rows_sorted_by_bytes_null_first(rows):
    m = len(rows[0])
    table, found = compress_both = types_of(rows, m)
    assert compress_both[0] is table
    counted = Counter(rows)
    order = sorted(counted, key=lambda row: tuple(by_bytes(value) for value in row))
    ranks = [{v: i for i, v in enumerate(sorted({row[j] for row in rows}, key=by_bytes))} for j in range(m)]
    assert found.types.codes.tolist() == [[ranks[j][value] for j, value in enumerate(row)] for row in order]
    assert found.types.counts.tolist() == [counted[row] for row in order]
    assert found.types.sizes == tuple(len(r) for r in ranks)
    values = ENGINE.fetch(found.values.order_by("type")).to_pylist()
    assert [tuple(v[c.id] for c in table.quasi_identifiers) for v in values] == order


def test_codes_follow_the_users_order_of_columns():
    source = pa.table({"p": ["x", "y"], "q": ["b", "a"]})
    roles = Roles(quasi_identifiers=("q", "p"))
    found = compress(read(ENGINE, source, roles, Reading(), text=("q", "p"), star="*"))
    assert found.types.codes.tolist() == [[0, 1], [1, 0]]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["adult", "adult2"])
def test_row_types_of_real_tables(name, request):
    table = request.getfixturevalue(name)
    found = compress(table).types
    assert found.n == 32_561
    assert found.t == {"adult": 29_096, "adult2": 21_257}[name]
