"""Fixtures for all tests. Only this file knows where real data may lie; tests skip, saying so, without it."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import sys
from pathlib import Path

import duckdb
import pytest

from incrowd import loops
from incrowd.cli.main import main
from incrowd.jobs import row_types
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine
from people import ILL

os.environ["INCROWD_STRICT"] = "1"  # an error of ours in a search that has a release fails here, and is no note

# A suite that was started by nohup, or in the background of a script, has signals ignored, and so has all that it starts.
for one, handler in ((signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler)):
    if signal.getsignal(one) is signal.SIG_IGN:
        signal.signal(one, handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: a test waits now and then, for a process, a signal or a limit."""
    return max(1, 3 * (os.cpu_count() or 1) // 2)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what draws a fifteenth of its instances in `make test`, so that `make proofs` finds it."""
    if {"how_many", "scaled"} & set(item.function.__code__.co_names):
        item.add_marker(pytest.mark.seeds)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of a test that asks for it to `make proofs`, and put the longest files first.

    So no worker is left with one of them at the end.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few") and not any(map(item.get_closest_marker, ("proofs", "spark"))):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for alike in cases.values():
        number, *named = alike[0].get_closest_marker("few").args
        spread = range(number) if isinstance(number, int) else ()
        kept = {number, *named, *(alike[place * len(alike) // number].callspec.id for place in spread)}
        for item in alike:
            if item.callspec.id not in kept:
                item.add_marker(pytest.mark.proofs)
    first = ("cases", "checkers", "docs", "process", "properties", "web")
    items.sort(key=lambda item: item.nodeid.split("/")[1] not in first)


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end, the libraries and the tests: walking them again took a fourth."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real tables and networks: INCROWD_DATA, or ../shared/data beside the project."""
    folder = Path(os.environ.get("INCROWD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("real data is not here: set INCROWD_DATA to its folder to run this test")
    return folder


@pytest.fixture(scope="session", autouse=True)
def one_database():
    """Let the engines of a worker be connections to one DuckDB in memory: to start one takes as long as a small job.

    What an engine makes is temporary and its own. One with a memory limit, which may spill, is started by itself. In
    `make test` it has one thread, since the other core has a worker of its own; `many_threads` and `make proofs` have more.
    """
    started, databases = duckdb.connect, {}
    threads = {} if os.environ.get("INCROWD_PROOFS") else {"threads": 1}

    def connect(database=":memory:", *others, config=None, read_only=False, **options):
        if others or options or read_only or database != ":memory:" or not config or "memory_limit" in config:
            return started(database, *others, config=config or {}, read_only=read_only, **options)
        settings = tuple(sorted(config.items()))
        if settings not in databases:
            databases[settings] = started(database, config={**config, **threads})
        return databases[settings].cursor()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duckdb, "connect", connect)
        yield started
    for database in databases.values():
        database.close()


@pytest.fixture(scope="session", autouse=True)
def nobody_waits_for_the_disk():
    """Let files reach the disk when the system likes: only a power cut would tell, and a test waits for some dozens.

    What is asked of `os.fsync`, and when, is looked at by tests/process/test_whole_or_absent.py; commands that are processes wait.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda number: os.fstat(number) and None)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_bound_is_refuted():
    """Fail where a job had to lower a bound of its own that the check did not find, and went on with what it found."""

    def refuse(solution, problem, value):
        raise AssertionError(f"a lower bound of {solution.bound} was claimed, of which the check recounts {value}")

    lowered = row_types.lowered
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_types, "lowered", refuse)
        yield lowered


@pytest.fixture(scope="session", autouse=True)
def nobody_is_told_of_compiling():
    """What this process compiles it compiles quietly: which test waits for it goes by their order."""
    loops.total.said = True


@pytest.fixture(scope="session", autouse=True)
def the_corpus_is_taken_away():
    yield
    if (corpus := sys.modules.get("checkers.corpus")) is not None:
        shutil.rmtree(corpus.FOLDER)


@pytest.fixture
def patients(tmp_path):
    """Six people with what they suffer from."""
    path = tmp_path / "patients.csv"
    path.write_text("age,sex,ill\n" + "\n".join(map(",".join, ILL)) + "\n")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Chromium, started anew for every file."""
    from checkers.browser import Browser

    with contextlib.closing(Browser(tmp_path_factory.mktemp("profile"))) as started:
        yield started


@pytest.fixture(scope="module")
def spark():
    """PySpark's engine in local mode, for the tests of a file."""
    from engines import spark_kept

    with spark_kept(), open_engine("spark", None) as made:
        yield made


@pytest.fixture
def bounds_may_be_refuted(monkeypatch, no_bound_is_refuted) -> None:
    """Let a test claim a false bound, to see what becomes of it."""
    monkeypatch.setattr(row_types, "lowered", no_bound_is_refuted)


@pytest.fixture
def repeats() -> int:
    """How often a test marked `order` repeats what must come out alike every time: INCROWD_REPEATS, or a few."""
    return int(os.environ.get("INCROWD_REPEATS", "3"))


@pytest.fixture
def many_threads(monkeypatch, one_database) -> None:
    """Give every engine that a test makes more threads than most machines have cores."""
    monkeypatch.setattr(duckdb, "connect", one_database)  # the threads are a database's
    made = Engine.__init__

    def with_threads(self, *arguments, **options):
        made(self, *arguments, **options)
        self.con.con.execute("SET threads = 8")

    monkeypatch.setattr(Engine, "__init__", with_threads)


@pytest.fixture
def run(capsysbinary, tmp_path, monkeypatch):
    """Run the command line in a fresh folder; its exit status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("incrowd.cli.progress.PATIENCE", float("inf"))  # equal on a busy machine

    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = (text.decode() for text in capsysbinary.readouterr())
        return ended.value.code, out, err

    return call
