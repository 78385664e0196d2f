"""A run that a signal ends leaves with that signal's exit status, whatever a library made of it on the way."""

from __future__ import annotations

import signal

import pytest

from incrowd.cli.main import main
from incrowd.jobs import anonymize
from incrowd.tables.engine.guard import Guard


def inside_the_engine(number):
    """The handler runs inside the engine, which says in its own words that it was interrupted."""
    with Guard("reading"):
        try:
            signal.raise_signal(number)
        except BaseException:
            raise RuntimeError("INTERRUPT Error: Interrupted!") from None


def inside_a_kernel(number):
    """The handler runs while compiled code hands its result over."""
    try:
        signal.raise_signal(number)
    except BaseException as error:
        raise SystemError("returned a result with an exception set") from error


def guarded_kernel(number):
    """The same, with the engine's guard around it."""
    with Guard("reading"):
        inside_a_kernel(number)


def status(monkeypatch, how, number):
    monkeypatch.setattr(anonymize, "anonymize", lambda *_: how(number))
    with pytest.raises(SystemExit) as left:
        main(["anonymize", "-", "--dry-run", "--qi", "a", "--k", "2"])
    return left.value.code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("how", [signal.raise_signal, inside_the_engine, inside_a_kernel, guarded_kernel])
def test_the_exit_status_is_the_signals(monkeypatch, capsys, how, number):
    assert status(monkeypatch, how, number) == 128 + number
    assert "bug" not in capsys.readouterr().err


def test_an_error_without_a_signal_is_our_bug_also_after_a_run_that_a_signal_ended(monkeypatch, capsys):
    status(monkeypatch, signal.raise_signal, signal.SIGTERM)

    def fails(*_):
        raise SystemError("by itself")

    assert status(monkeypatch, fails, 0) == 70
    assert "our bug: SystemError" in capsys.readouterr().err


def test_handlers_are_put_back_and_an_ignored_hang_up_stays_ignored(monkeypatch):
    mine = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
        assert status(monkeypatch, lambda _: signal.raise_signal(signal.SIGHUP), 0) == 70  # no release came back
        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before
    finally:
        signal.signal(signal.SIGHUP, mine)
