"""The engine beside the interpreter: told to end, left behind, and its errors told."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from incrowd.milp import Linear, Outcome, Program, rows_of, solve
from incrowd.milp import engine as engine_thread
from incrowd.progress import Watch


class Stuck:
    """An engine that never returns."""

    def __init__(self):
        self.let_go = threading.Event()
        self.ran = []

    def run(self, engine=None):
        self.ran.append(engine)
        self.let_go.wait(60)


@pytest.fixture
def stuck(monkeypatch):
    """All engines are stuck, and told to end without delay."""
    import highspy

    engine = Stuck()
    monkeypatch.setattr(engine_thread, "GRACE", 0.0)
    monkeypatch.setattr(engine_thread, "LOOK", 0.001)
    monkeypatch.setattr(highspy.Highs, "run", lambda highs: engine.run(highs))
    yield engine
    engine.let_go.set()


def program():
    rows = rows_of([(np.zeros(2, int), np.arange(2), np.ones(2))], [(np.array([1.0]), np.array([np.inf]))])
    return Program(np.ones(2), np.zeros(2), np.ones(2), np.ones(2, bool), rows)


def over():
    watch = Watch()
    watch.limit(0)
    return watch


def begun_once(stuck):
    """Whether no engine has run twice, once a thread had its turn: they may be left behind before they begin, as those of other tests."""
    end = time.monotonic() + 1
    while not stuck.ran and time.monotonic() < end:
        time.sleep(0.001)
    return len(set(map(id, stuck.ran))) == len(stuck.ran)


def test_an_engine_that_never_returns_is_left_behind_when_the_time_is_over(stuck):
    answer = solve(program(), watch=over())
    assert answer.outcome is Outcome.TIME_LIMIT and answer.x is None and answer.bound == -np.inf
    assert solve(program(), seconds=0).outcome is Outcome.TIME_LIMIT


def test_an_engine_that_never_returns_is_left_behind_on_an_interruption(stuck):
    watch = Watch()
    watch.interrupt()
    assert solve(program(), watch=watch).outcome is Outcome.INTERRUPTED


def test_a_program_whose_engine_was_left_behind_never_runs_again(stuck):
    linear = Linear(program())
    assert linear.solve(over()).outcome is Outcome.TIME_LIMIT
    assert linear.solve(over()).outcome is Outcome.TIME_LIMIT
    assert begun_once(stuck)
    linear.add(program().rows)
    linear.add_columns(np.ones(1), np.array([0, 1]), np.zeros(1, np.int32))
    assert (linear.rows, linear.columns) == (2, 3)


def test_one_thread_serves_many_runs_and_an_engines_error_is_told():
    class Quick:
        def __init__(self, error=None):
            self.error, self.threads = error, set()

        def run(self):
            self.threads.add(threading.get_ident())
            if self.error is not None:
                raise self.error

    quick = Quick()
    for _ in range(50):
        engine_thread.run(quick)
    assert len(quick.threads) == 1 and threading.get_ident() not in quick.threads
    with pytest.raises(ValueError, match="no"):
        engine_thread.run(Quick(ValueError("no")))


def test_a_signal_that_raises_while_the_engine_runs_gets_through(monkeypatch):
    stuck = Stuck()

    class Ringing(Watch):
        @property
        def stopped(self):
            raise KeyboardInterrupt

    monkeypatch.setattr(engine_thread, "LOOK", 0.001)
    with pytest.raises(KeyboardInterrupt):
        engine_thread.run(stuck, Ringing())
    stuck.let_go.set()


def test_the_end_of_the_program_waits_for_an_engine_that_was_left_behind(stuck):
    solve(program(), watch=over())
    assert begun_once(stuck) and engine_thread.left_behind()
    threading.Timer(0.05, stuck.let_go.set).start()
    engine_thread._say_farewell()
    assert engine_thread.left_behind() == 0


LEAVES = """
import numpy as np
from incrowd.milp import Program, engine as engine_thread, rows_of, solve
from incrowd.progress import Watch
engine_thread.GRACE = 0.0
random = np.random.default_rng(0)
row, column = np.nonzero(random.random((2000, 3000)) < 0.02)
rows = rows_of([(row, column, np.ones(row.size))], [(np.full(2000, 3.0), np.full(2000, np.inf))])
cost = random.integers(1, 50, 3000).astype(float)
watch = Watch()
watch.limit(0.05)
print(solve(Program(cost, np.zeros(3000), np.ones(3000), np.ones(3000, bool), rows), watch=watch).outcome.name)
print(engine_thread.left_behind())
"""


def test_a_script_whose_engine_was_left_behind_ends_with_its_own_status():
    done = subprocess.run([sys.executable, "-c", LEAVES], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[0] == "TIME_LIMIT"
