"""Text columns held as places in sorted lists."""

import pyarrow as pa
import pytest

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
