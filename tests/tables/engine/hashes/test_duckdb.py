"""Hashes of rows on DuckDB: of texts one after the other, the same for the same rows in any order."""

import hashlib

import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def test_the_hash_of_many_columns_is_that_of_their_texts_one_after_the_other(engine):
    cells = [None if j % 7 == 3 else f"v{j}" for j in range(150)]
    row = engine.put(pa.table({f"c{j}": pa.array([cell], pa.string()) for j, cell in enumerate(cells)}))
    found = engine.one(row.select(h=engine.content_hash([row[name] for name in row.columns], seed=4)))["h"]
    text = "4|" + "".join("n" if cell is None else f"{len(cell)}:{cell}" for cell in cells)
    assert int(found) % 2**128 == int.from_bytes(hashlib.md5(text.encode()).digest(), "little")


def test_the_sums_of_rows_tell_them_apart_and_not_their_order(engine):
    rows = [("a", "b"), ("a", None), (None, "b"), ("", "ab"), ("a", "b")]
    tables = [rows, rows[::-1], rows[:-1], [*rows[:-1], ("b", "a")], [*rows[:-1], ("ab", "")]]
    found = []
    for some in tables:
        put = engine.put(pa.table({"x": [one for one, _ in some], "y": [two for _, two in some]}))
        found.append(engine.fingerprint(put, [put.x, put.y]))
        assert engine.exact_fingerprint(put, [put.x, put.y]) == found[-1]
    assert found[0] == found[1]
    assert len(set(found)) == 4
    assert found[0][0] == 5


def test_a_digest_is_that_of_the_joined_texts(engine):
    put = engine.put(pa.table({"x": ["é"], "y": pa.array([None], pa.string())}))
    digest = engine.one(put.select(d=engine.digest([put.x, put.y])))["d"]
    assert digest == hashlib.md5("1:én".encode()).hexdigest()
