"""What an engine keeps, moved to a file: the same tables ever after, in less memory, and nothing of it left behind."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.jobs.large.choice import CROWDED, limit_engine_memory
from incrowd.jobs.shares import MemoryShare
from incrowd.tables.engine.base import Engine, keep_in_file


def drawn(rows=4000):
    return pa.table({
        "i": pa.array(range(rows), pa.int64()),
        "a": pa.array([None if i % 5 == 0 else f"é{i % 7}" for i in range(rows)]),
        "x": pa.array([i / 8 for i in range(rows)]),
    })  # fmt: skip


def names(engine):
    return {name for (name,) in engine.con.con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def test_tables_and_lists_of_texts_are_the_same_in_the_file():
    with Engine("300MB") as engine:
        came = engine.put(drawn())
        (kept,), held = engine.keep_listed([came], {"a": ["more"]})
        before = engine.fetch(kept.order_by("i"))
        keep_in_file(engine)
        keep_in_file(engine)  # again: nothing to do
        assert engine.fetch(kept.order_by("i")).equals(before)
        assert engine.fetch(kept.select("i")).column("i").to_pylist() == list(range(4000))  # in their order
        told = engine.one(kept.aggregate(n=(kept.a == held["a"]("é3")).sum(), places=engine.place(kept.a).nunique()))
        assert told == {"n": sum(1 for i in range(4000) if i % 5 and i % 7 == 3), "places": 7}
        after = engine.keep(kept.filter(kept.i < 10))
        put = engine.put(pa.table({"b": pa.array([1, 2])}))
        assert {after.op().name, put.op().name} <= names(engine)
        assert [name for name in names(engine) if name.startswith("incrowd_")]
        folder = Path(engine.folder.name)
        assert (folder / "kept.duckdb").stat().st_mode & 0o077 == 0 or folder.stat().st_mode & 0o077 == 0
        for table in (after, put, kept):
            engine.drop(table)
        assert not {after.op().name, put.op().name, kept.op().name} & names(engine)
    assert not folder.exists()


def test_a_disk_that_takes_nothing_is_told_in_a_sentence(monkeypatch):
    with Engine("300MB") as engine:
        engine.put(drawn())
        monkeypatch.setattr(engine.folder, "name", str(Path(engine.folder.name) / "none"))
        with pytest.raises(InputError, match="making room in the table engine"):
            keep_in_file(engine)


class Limit:
    def __init__(self, left):
        self.left = left


def test_what_is_near_the_limit_lies_in_a_file_and_what_is_not_does_not():
    with Engine("300MB") as engine:
        numbers = np.random.default_rng(1).integers(0, 1 << 60, (3, 1_000_000))
        table = engine.put(pa.table({f"n{j}": column for j, column in enumerate(numbers)}))
        holds = engine.sizes()[0]
        limit_engine_memory(engine, MemoryShare("300MB", Limit(40 * holds)))
        assert engine.kept_as == "TEMP TABLE"
        limit_engine_memory(engine, MemoryShare("300MB"))  # no limit on the process
        assert engine.kept_as == "TEMP TABLE"
        limit_engine_memory(engine, MemoryShare("300MB", Limit(int(holds * CROWDED))))
        assert engine.kept_as == "TABLE"
        assert engine.one(table.aggregate(n=table.count())) == {"n": 1_000_000}
