"""Text columns held as places in sorted lists."""

import pyarrow as pa
import pytest

from incrowd.tables.engine import lists
from incrowd.tables.engine.base import Engine


@pytest.fixture
def engine():
    with Engine() as made:
        yield made


def test_a_listed_column_sorts_and_reads_as_its_texts(engine):
    texts = ["b", None, "a", "\U0001f4a9", "b", "Z"]
    table = engine.put(pa.table({"x": pa.array(texts, pa.string())}))
    (kept,), held = engine.keep_listed([table], {"x": ["*"]})
    assert engine.fetch(kept)["x"].to_pylist() == texts
    ranks = engine.fetch(kept.select(x=kept.x, place=engine.place(kept.x))).to_pylist()
    known = sorted({(row["x"].encode(), row["place"]) for row in ranks if row["x"] is not None})
    assert [place for _, place in known] == sorted(place for _, place in known)
    starred = kept.mutate(x=held["x"]("*"))
    assert set(engine.fetch(starred)["x"].to_pylist()) == {"*"}


def test_two_tables_share_their_lists(engine):
    tables = [engine.put(pa.table({"x": some})) for some in (["a", "b"], ["b", "c"])]
    kept, _ = engine.keep_listed(tables)
    both = engine.fetch(kept[0].union(kept[1]).group_by("x").aggregate(n=lambda r: r.count()).order_by("x"))
    assert both.to_pydict() == {"x": ["a", "b", "c"], "n": [1, 2, 1]}


def test_more_columns_than_one_query_counts_have_lists_too(engine, monkeypatch):
    monkeypatch.setattr(lists, "TOGETHER", 2)
    cells = {f"x{j}": ["b", f"v{j}", None] for j in range(5)} | {"n": [1, 2, 3]}
    (kept,), held = engine.keep_listed([engine.put(pa.table(cells))], {"x3": ["*"]})
    assert list(held) == [f"x{j}" for j in range(5)]
    assert engine.fetch(kept.order_by("n")).to_pydict() == cells
    assert set(engine.fetch(kept.mutate(x3=held["x3"]("*")))["x3"].to_pylist()) == {"*"}


def test_columns_come_in_their_order_so_many_at_a_time():
    assert list(lists.batched("abcde", 2)) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(lists.batched([], 2)) == []
