"""A loop answers the same whichever way it goes, and goes the way that it should."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numba.core.caching import CompileResultCacheImpl

from incrowd import loops as module
from incrowd.errors import PolicyError
from incrowd.loops import Loop, forced, njit, settled
from incrowd.progress import search_time


@pytest.fixture
def loops(tmp_path, monkeypatch):
    """Two loops of a module of their own, with a cache of their own: `outer` calls `inner` and returns what it adds up."""
    text = """
import numpy as np
from typing import NamedTuple
from incrowd.loops import njit
from numba.extending import overload

class Pair(NamedTuple):
    total: int
    more: np.ndarray

def plainly():
    return True

@overload(plainly)
def _compiled():
    return lambda: False

@njit(cache=True, nogil=True)
def inner(x):
    return x[0] * np.int64(3)

@njit(cache=True, nogil=True)
def outer(pair, x):
    return Pair(pair.total + inner(x), x + 1), inner(x), plainly()

@njit(cache=True, nogil=True)
def _plus(x, y):
    return x + y

@njit(cache=True, nogil=True)
def sums(x):
    return _plus(x[0], 1) + _plus(0, x[1])

@njit(cache=True, nogil=True, plain=False)
def moves(x):
    return plainly()

@njit(cache=True, nogil=True)
def added(pair, upto):
    for i in range(upto):
        pair.more[0] += i
        pair.more[0] *= 1
    i = 0
    while i < upto:
        pair.more[1:2][0] += i
        i += 1
    return plainly()
"""
    (tmp_path / "some_loops.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("some_loops", None)
    yield __import__("some_loops")
    sys.modules.pop("some_loops", None)


def went(loops, x=None):
    """How `outer` went ("plain" or "compiled"), after its answer was looked at."""
    x = np.array([2, 5]) if x is None else x
    (total, more), inner, plain = loops.outer(loops.Pair(7, x), x)
    assert type(total) is int and total == 13 and type(inner) is int and inner == 6
    assert more.dtype == np.int64 and more[:2].tolist() == [3, 6]
    return "plain" if plain else "compiled"


def test_a_small_call_of_what_is_compiled_nowhere_is_plain_and_what_it_calls_too(loops):
    assert went(loops) == went(loops) == "plain"
    assert not loops.outer.overloads and not loops.inner.overloads
    assert loops.outer.cold


def test_large_arrays_are_for_compiled_code_in_tuples_too(loops):
    many = np.full(module.SMALL, 5)
    many[0] = 2
    assert went(loops, many) == "compiled"
    assert not loops.outer.cold
    assert went(loops) == "compiled"


def test_a_loop_that_took_its_time_is_compiled(loops, monkeypatch):
    monkeypatch.setattr(module, "SPENT", -1)
    monkeypatch.setattr(module, "FIRST", -1)
    assert went(loops) == "compiled"


def test_what_is_on_disk_is_loaded(loops):
    assert not settled(loops.outer)
    with forced("compiled"):
        assert settled(loops.outer)
        assert went(loops) == "compiled"
    assert settled(loops.outer, loops.moves)
    sys.modules.pop("some_loops")
    assert went(__import__("some_loops")) == "compiled"


@pytest.mark.parametrize("where", ["nowhere", "open to others"])
def test_where_nothing_can_be_kept_safely_the_loops_run_and_it_is_said_once(
    loops, where, monkeypatch, tmp_path, caplog
):
    if where == "nowhere":
        monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    else:
        (tmp_path / "__pycache__").chmod(0o777)
    monkeypatch.setattr(module, "total", module.Compiled())
    sys.modules.pop("some_loops")
    again = __import__("some_loops")
    assert went(again) == "plain" and not caplog.messages
    with forced("compiled"):
        assert went(again) == went(again) == "compiled"
    assert [message.split(",")[0] for message in caplog.messages] == ["compiled loops cannot be kept"]
    assert not list(tmp_path.rglob("*.nb*"))


def test_every_way_can_be_forced(loops):
    with forced("plain"):
        assert loops.moves(np.zeros(1))
        assert went(loops, np.r_[2, np.full(module.SMALL, 5)]) == "plain"
    with forced("midway"):
        assert [loops.added(loops.Pair(0, np.zeros(2, np.int64)), 0) for _ in range(4)] == [True] * 4


def test_a_call_that_takes_too_long_is_made_anew_compiled_from_what_was_there(loops, monkeypatch):
    monkeypatch.setattr(module, "SPENT", 0.002)
    monkeypatch.setattr(module, "FIRST", 0)
    base = np.arange(6)
    pair = loops.Pair(0, base[2:5])
    assert not loops.added(pair, 100_000)
    total = sum(range(100_000))
    assert base.tolist() == [0, 1, 2 + total, 3 + total, 4, 5]
    assert not loops.added(loops.Pair(0, np.zeros(2, np.int64)), 0)


def test_time_limits_stand_still_in_plain_calls_that_spare_a_compilation(loops):
    gone = {}
    for way in ("", "plain"):
        with forced(way):
            began, clock = time.perf_counter(), search_time()
            assert loops.added(loops.Pair(0, np.zeros(2, np.int64)), 20_000)
            gone[way] = (search_time() - clock) / (time.perf_counter() - began)
    assert gone[""] < 0.5 < gone["plain"]


def test_a_loop_that_changes_over_midway_gives_a_call_up(loops):
    with forced("midway"):
        for call in range(5):
            more = np.zeros(2, np.int64)
            assert loops.added(loops.Pair(0, more), 1000) is (call < 2)
            assert more.tolist() == [sum(range(1000))] * 2


def test_moves_of_a_search_are_compiled_at_once(loops):
    assert not loops.moves(np.zeros(1))


def test_a_plain_call_says_nothing_of_another_thread(loops, monkeypatch):
    monkeypatch.setattr(module._thread, "plain", True)
    found = []
    thread = threading.Thread(target=lambda: found.append(loops.moves(np.zeros(1))))
    thread.start()
    thread.join()
    assert loops.moves(np.zeros(1)) and found == [False]


@pytest.mark.parametrize("way", ["plain", "compiled", "midway"])
def test_the_environment_forces_a_way(way):
    asked = "import incrowd.loops as one; print(one._thread.way)"
    environment = {**os.environ, "INCROWD_LOOPS": way}
    assert subprocess.check_output([sys.executable, "-c", asked], env=environment, text=True) == f"{way}\n"


def test_an_unknown_way_is_refused():
    done = subprocess.run(
        [sys.executable, "-c", "import incrowd.loops"],
        env={**os.environ, "INCROWD_LOOPS": "fast"},
        capture_output=True,
        text=True,
    )
    assert done.returncode and PolicyError.__name__ in done.stderr and "one of plain, compiled, midway" in done.stderr


def test_without_compiler_a_loop_is_its_function():
    asked = "from incrowd.loops import njit; print(type(njit(cache=True, nogil=True)(lambda: 1)).__name__)"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    assert subprocess.check_output([sys.executable, "-c", asked], env=environment, text=True) == "function\n"


def test_every_loop_of_the_package_is_one():
    from incrowd.kernels.hash_table import room
    from incrowd.tables.verify.pairing.flow import njit as of_verify

    assert isinstance(room, Loop) and of_verify is njit


def test_a_loop_that_runs_plain_calls_functions_of_whatever_name():
    from incrowd.kernels.matching import assign

    keys, items = [3, 0], [7, 0]
    assert (assign._push.plain(keys, items, 1, 2, 9), keys, items) == (2, [2, 3], [9, 7])
    for name, loop in vars(assign).items():
        if isinstance(loop, Loop):
            assert not set(loop.plain.__kwdefaults__) & set(vars(assign)), name


def test_whole_numbers_of_every_kind_share_what_is_compiled_and_a_loop_for_loops_is_not_called_by_python(loops):
    with forced("compiled"):
        assert loops.sums(np.array([2**31 - 1, 5], np.int32)) == 2**31 + 5
        assert len(loops._plus.overloads) == 1
        with pytest.raises(AssertionError, match="_plus is called by loops alone"):
            loops._plus(1, 2)
