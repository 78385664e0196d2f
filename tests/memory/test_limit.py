"""A limit on what the process holds: the search ends first, then the run."""

import threading
import time

import pytest

from incrowd.errors import InputError
from incrowd.memory import limit as module
from incrowd.memory.limit import MemoryLimit, OverLimit, too_little

LIMIT = 1_000_000_000


@pytest.fixture
def holds(monkeypatch):
    """What the process holds, as the test says."""
    now = [300_000_000]
    monkeypatch.setattr(module, "held", lambda: now[0])
    monkeypatch.setattr(module, "give_back", lambda: None)
    return now


def until(true):
    """Wait for another thread, as Python does: between two steps."""
    for _ in range(2000):
        if true():
            return True
        time.sleep(0.001)
    return False


def test_near_the_limit_the_search_is_told_again_and_again_and_no_error_comes(holds):
    told = []
    with MemoryLimit(LIMIT, lambda: told.append(1)) as kept:
        assert kept.left == 550_000_000  # 85 % less what is held
        time.sleep(0.05)
        assert not told
        holds[0] = 930_000_000
        assert kept.left == 0
        assert until(lambda: len(told) > 3)
        holds[0] = 300_000_000
    assert not kept.over


def test_at_the_limit_the_thread_that_works_gets_a_memory_error(holds):
    with pytest.raises(OverLimit), MemoryLimit(LIMIT, lambda: None) as kept:
        holds[0] = 980_000_000
        until(lambda: False)
    assert kept.over
    until(lambda: threading.active_count() == 1)  # nothing comes later


def test_a_limit_below_what_is_held_already_is_refused_with_what_is_needed(holds):
    holds[0] = 800_000_000
    with pytest.raises(InputError, match="memory 1000 MB is too little: .*holds 800 MB .*give it at least 1088 MB"):
        MemoryLimit(LIMIT, lambda: None).__enter__()


def test_where_the_thread_does_not_hear_it_what_is_called_last_is_called(holds, monkeypatch):
    said = []
    monkeypatch.setattr(module, "PATIENCE", 0.02)
    monkeypatch.setattr(module, "last", [said.append])
    kept = MemoryLimit(LIMIT, lambda: None)
    monkeypatch.setattr(kept, "_stop", lambda: setattr(kept, "over", True))  # as if a library did not return
    with kept:
        holds[0] = 1_100_000_000
        assert until(lambda: said)
        holds[0] = 300_000_000
    assert said[0] == too_little(LIMIT) and "limit of 1000 MB" in said[0]
