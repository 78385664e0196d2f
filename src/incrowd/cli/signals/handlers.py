"""Ctrl-C, SIGTERM and SIGHUP: each ends the run by an exception and with its own exit status.

Where the main thread does not hear it within a second, or the exception is swallowed, `incrowd.cli.signals.thread` ends
the process with the same status, if the process is ours.
"""

from __future__ import annotations

import contextlib
import signal
from typing import TYPE_CHECKING, NoReturn

from incrowd.atomic_file import placed
from incrowd.cli.exit_status import INTERRUPTED, say
from incrowd.cli.signals.thread import pardon

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# The signals that ended the run, the first first: what a library makes of one is not asked.
_came: list[int] = []


@contextlib.contextmanager
def signal_handlers() -> Iterator[None]:
    """Handle signals while a command runs: each ends it by an exception, so that staged files and folders are removed.

    SIGINT, SIGTERM and, where the system has it and it is not ignored, SIGHUP. The handlers before are put back at the
    end. In the block, KeyboardInterrupt is raised when SIGINT comes, and SystemExit with 128 plus the number of the
    signal when SIGTERM or SIGHUP comes.
    """
    _came.clear()
    before = {number: signal.signal(number, handler) for number, handler in _handlers().items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def soft_interrupt() -> Iterator[None]:
    """Let the first SIGINT in the block be a wish: its handler makes of it what it likes, however long it takes."""
    pardon(1)
    try:
        yield
    finally:
        pardon(0)


def came() -> bool:
    """Return whether a signal has come since the last `signal_handlers` began."""
    return bool(_came)


def _handlers() -> dict[int, Callable[..., object]]:
    found: dict[int, Callable[..., object]] = {signal.SIGINT: interrupt, signal.SIGTERM: _terminate}
    hang_up = getattr(signal, "SIGHUP", None)  # not on every system; ignored under nohup
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        found[hang_up] = _terminate
    return found


def interrupt(*_: object) -> NoReturn:
    """Record a SIGINT and leave as Ctrl-C does: KeyboardInterrupt is always raised."""
    _came.append(signal.SIGINT)
    raise KeyboardInterrupt


def _terminate(number: int, _: object = None) -> NoReturn:
    _came.append(number)
    raise SystemExit(128 + number)


def ended() -> int:
    """Return the exit status of a run that a signal ended, and write one sentence to standard error for Ctrl-C.

    The status is 130 for SIGINT (also where no signal was recorded), else 128 plus the number of the first signal that
    came.
    """
    number = _came[0] if _came else signal.SIGINT
    if number == signal.SIGINT:
        return say(f"interrupted; {placed()}", INTERRUPTED)
    return 128 + number
