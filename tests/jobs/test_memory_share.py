"""What a memory limit leaves to whom."""

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd import memory as limits
from incrowd.errors import InputError
from incrowd.jobs import shares
from incrowd.jobs.shares import memory_kept
from incrowd.memory import held
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.engine.open import open_engine
from incrowd.tables.values import Levels, Problem, RowTypes

ROWS = 60
TABLE = pa.table({"a": [f"{i % 4}" for i in range(ROWS)], "b": [f"{i % 5}" for i in range(ROWS)]})
ASKED = {"quasi_identifiers": ["a", "b"], "k": 5, "solver": "greedy"}


def posed():
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    star = Levels(np.array([[0, 1], [0, 0]], np.int32), np.array([[0, 0], [1, 1]]))
    patterns = incrowd.Mask().compile(["a", "b"], [1, 1])
    return Problem(RowTypes(codes, np.ones(4, np.int64), (2, 2)), (star, star), patterns, 2)


def enough():
    """A limit under which a small job goes through, whatever the tests before left in the process."""
    shares.load_libraries()
    return f"{(held() * 2 + 10**9) // 10**6}MB"


def test_a_job_within_its_memory_gives_the_same_release():
    with (
        incrowd.anonymize(TABLE, **ASKED) as free,
        incrowd.anonymize(TABLE, **ASKED, memory=enough()) as kept,
    ):
        assert kept.table.equals(free.table) and kept.cost == free.cost


def test_lack_of_memory_is_told_in_words_whatever_a_library_made_of_it(monkeypatch):
    watch, job = Watch(), Job(source=TABLE, memory=enough())
    for error in (MemoryError("cannot allocate"), RuntimeError("of a library")):
        said = pytest.raises(InputError, match="not enough memory: the run came to its limit")
        with said, memory_kept(job, watch) as memory:
            memory.limit.over = True
            raise error
    assert watch.memory_budget is None and not watch.short


def test_the_engine_makes_room_for_the_solver_and_has_its_share_back(monkeypatch):
    watch, job = Watch(), Job(source=TABLE, memory=enough())
    table = pa.table({"a": np.arange(2_000_000)})
    with memory_kept(job, watch) as memory, open_engine("duckdb", memory.engine) as engine:
        made = engine.put(table)
        before, _ = engine.sizes()
        assert before > 8_000_000
        monkeypatch.setattr(shares, "least_bytes", lambda _: memory.limit.left // 2)
        monkeypatch.setattr(shares, "ENGINE", 4_000_000)
        with memory.solving(engine, posed()):
            within, spilled = engine.sizes()
            assert within < before and spilled > 0
        assert engine.one(made.aggregate(s=made.a.sum())) == {"s": 1_999_999_000_000}


def test_what_a_solver_cannot_do_without_is_asked_for_before_it_starts(monkeypatch):
    monkeypatch.setattr(shares, "least_bytes", lambda _: 10**13)
    with pytest.raises(InputError, match=r"is too little: solving takes about 10000.1 GB for 20 row types of 2 col"):
        incrowd.anonymize(TABLE, **ASKED, memory=enough())


def test_near_the_limit_the_best_so_far_is_released_and_says_so(monkeypatch):
    monkeypatch.setattr(limits, "NEAR", 0.0)
    monkeypatch.setattr(shares.MemoryLimit, "__enter__", lambda self: self._thread.start() or self)
    with incrowd.anonymize(TABLE, quasi_identifiers=["a", "b"], k=7, memory=enough()) as release:
        assert release.status in ("time_limit", "optimal")
        if release.status != "optimal":
            assert any("memory came near its limit" in said for said in release.facts["advice"])


def test_with_spark_the_limit_is_that_of_the_java_process():
    with memory_kept(Job(source=TABLE, memory="1GB", engine="spark"), Watch()) as memory:
        assert (memory.engine, memory.limit) == ("1GB", None)


def test_an_interruption_that_a_library_made_an_error_of_its_own_is_one_again():
    for memory in (None, enough()):
        with pytest.raises(KeyboardInterrupt), memory_kept(Job(source=TABLE, memory=memory), Watch()):
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as came:
                raise SystemError("a result with an exception set") from came
        with pytest.raises(SystemError), memory_kept(Job(source=TABLE, memory=memory), Watch()):
            raise SystemError("another")
