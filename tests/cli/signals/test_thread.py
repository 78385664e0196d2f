"""A signal that the main thread does not hear, or loses, ends the process all the same, and nothing of it stays."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import incrowd
from incrowd.cli.signals import thread as signal_thread
from incrowd.cli.signals.thread import SignalThread, pardon

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such signals")

# {wait}: what the main thread does when the signal comes
STUCK = """
import hashlib, sys, time
from pathlib import Path
from incrowd.atomic_file import whole_file
from incrowd.cli import door, main
from incrowd.cli.signals import thread as signal_thread
from incrowd.cli.signals.handlers import signal_handlers
from incrowd.recovery.private_folder import PrivateFolder

def swallow():
    time.sleep(60)

def kernel():
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # without the interpreter, and deaf

def run():
    with signal_handlers(), whole_file(Path("release.csv")) as staged:
        folder = PrivateFolder()
        for place in (staged, Path(folder.name) / "spill"):
            place.write_text("a person")
        while True:
            try:
                print("ready", flush=True)
                {wait}()
            except BaseException:
                pass

signal_thread.PATIENCE = 0.05
main.main = run
door.main()
"""


@pytest.mark.few(3)
@pytest.mark.parametrize("wait", ["kernel", "swallow"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_process_ends_with_the_signals_status_and_leaves_nothing(tmp_path, number, wait):
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK.replace("{wait}", wait)], cwd=tmp_path, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
    )  # fmt: skip
    try:
        assert process.stdout.readline() == "ready\n"
        assert [path.name[:1] for path in tmp_path.iterdir() if path.name != "tmp"] == [".", "."], (
            "staged, and its lock"
        )
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert said == ("incrowd: interrupted; nothing was written\n" if number == signal.SIGINT else "")
    assert [path.name for path in tmp_path.iterdir()] == ["tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


def test_every_kernel_lets_go_of_the_interpreter_so_that_the_thread_can_run():
    for path in sorted(Path(incrowd.__file__).parent.rglob("*.py")):
        for decorator in re.findall(r"^ *@(?:numba\.)?n?jit\b.*", path.read_text(), re.MULTILINE):
            assert "nogil=True" in decorator, path.name


@pytest.fixture
def heard(monkeypatch):
    """What would end this process, while a thread listens and handlers do nothing."""
    ends, came = [], threading.Event()

    def end(_, number):
        ends.append(number)
        came.set()

    monkeypatch.setattr(signal_thread, "PATIENCE", 0.0)
    monkeypatch.setattr(SignalThread, "_end", end)
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    thread = SignalThread()
    thread.start()
    yield ends, came, thread
    thread.stop()
    for number, handler in before.items():
        signal.signal(number, handler)


def test_an_interruption_that_is_a_wish_does_not_end_the_process_and_the_next_one_does(heard):
    ends, came, thread = heard
    pardon(1)
    signal.raise_signal(signal.SIGINT)
    end = time.monotonic() + 10
    while thread.pardons and time.monotonic() < end:
        time.sleep(0.001)
    assert thread.pardons == 0 and not ends
    signal.raise_signal(signal.SIGINT)
    assert came.wait(10) and ends == [signal.SIGINT]


def test_a_wish_is_for_interruptions_only(heard):
    ends, came, _ = heard
    pardon(1)
    signal.raise_signal(signal.SIGTERM)
    assert came.wait(10) and ends == [signal.SIGTERM]


def test_a_run_that_ends_by_itself_is_not_ended_and_what_listened_before_listens_again(monkeypatch):
    monkeypatch.setattr(SignalThread, "_end", lambda *_: pytest.fail("ended"))
    monkeypatch.setattr(signal_thread, "PATIENCE", 60.0)
    read, write = os.pipe()
    os.set_blocking(write, False)
    mine = signal.signal(signal.SIGTERM, lambda *_: None)
    before = signal.set_wakeup_fd(write)
    try:
        thread = SignalThread()
        thread.start()
        signal.raise_signal(signal.SIGTERM)
        thread.stop()
        assert signal.set_wakeup_fd(before) == write
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGTERM, mine)
        os.close(read)
        os.close(write)
