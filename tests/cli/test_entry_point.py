"""The command's first step ends in a sentence too, and its last step waits for nobody after a signal."""

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import incrowd
from incrowd.cli.entry_point import main
from incrowd.milp import engine


class Interrupted:
    """A module during whose import Ctrl-C comes."""

    __spec__ = None

    def __getattr__(self, name):
        raise KeyboardInterrupt


class AtOnce(BaseException):
    """The process would have ended here, without the interpreter's own end."""


@pytest.fixture
def at_once(monkeypatch):
    def leave(status):
        raise AtOnce(status)

    monkeypatch.setattr(os, "_exit", leave)


def ends(monkeypatch, status):
    def run():
        sys.stdout.write("said")
        sys.exit(status)

    monkeypatch.setitem(sys.modules, "incrowd.cli.main", types.SimpleNamespace(main=run))


def test_ctrl_c_while_everything_is_imported_is_a_sentence_with_status_130(monkeypatch, capsys, at_once):
    monkeypatch.setitem(sys.modules, "incrowd.cli.main", Interrupted())
    with pytest.raises(AtOnce, match="130"):
        main()
    assert capsys.readouterr().err == "incrowd: interrupted; nothing was written\n"


@pytest.mark.parametrize("status", [129, 130, 143])
def test_after_a_signal_the_process_ends_at_once_and_nothing_said_is_lost(monkeypatch, capsys, at_once, status):
    ends(monkeypatch, status)
    with pytest.raises(AtOnce, match=str(status)):
        main()
    assert capsys.readouterr().out == "said"


@pytest.mark.parametrize("status", [0, 1, 2, 3, 70])
def test_every_other_end_is_the_interpreters_unless_an_engine_is_still_busy(monkeypatch, at_once, status):
    ends(monkeypatch, status)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == status
    monkeypatch.setattr(engine, "left_behind", lambda: 1)
    with pytest.raises(AtOnce, match=str(status)):
        main()


def test_nothing_but_pythons_own_is_imported_before_ctrl_c_is_a_sentence():
    code = "import sys; before = set(sys.modules); import incrowd.cli.entry_point; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env={
        **os.environ, "PYTHONPATH": str(Path(incrowd.__file__).parents[1])})  # fmt: skip
    assert {name for name in done.stdout.split() if name.startswith("incrowd")} == {
        "incrowd", "incrowd.version", "incrowd.cli", "incrowd.cli.entry_point"}  # fmt: skip


def test_ctrl_c_while_the_first_modules_are_imported_is_a_sentence_too(monkeypatch, capfd, at_once):
    monkeypatch.setitem(sys.modules, "incrowd.cli.signals.thread", Interrupted())
    with pytest.raises(AtOnce, match="130"):
        main()
    assert capfd.readouterr().err == "incrowd: interrupted; nothing was written\n"
