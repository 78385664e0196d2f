"""Ctrl-C, SIGTERM and SIGHUP: each ends the run by an exception and with its own exit status.

Where the main thread does not hear it within a second, or the exception is swallowed, `incrowd.cli.signals.thread` ends
the process with the same status, if the process is ours.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
from importlib.machinery import ExtensionFileLoader
from typing import TYPE_CHECKING

from incrowd.atomic_file import placed
from incrowd.cli.exit_status import INTERRUPTED, say
from incrowd.cli.signals.thread import pardon

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


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
    hang_up = getattr(signal, "SIGHUP", signal.SIGTERM)  # not on every system
    if signal.getsignal(hang_up) is signal.SIG_IGN:  # under nohup
        hang_up = signal.SIGTERM
    before = {number: signal.signal(number, leave) for number in {signal.SIGINT, signal.SIGTERM, hang_up}}
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


def leave(number: int, frame: FrameType | None) -> None:
    """End the run by an exception, a moment later where a compiled module is just being made: some would abort it."""
    _came.append(number)
    while frame is not None:
        if isinstance(frame.f_locals.get("self"), ExtensionFileLoader):
            threading.Timer(0.02, _thread.interrupt_main, (number,)).start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def ended() -> int:
    """Return the exit status of a run that a signal ended, and write one sentence to standard error for Ctrl-C.

    The status is 130 for SIGINT (also where no signal was recorded), else 128 plus the number of the first signal that
    came.
    """
    number = _came[0] if _came else signal.SIGINT
    if number == signal.SIGINT:
        return say(f"interrupted; {placed()}", INTERRUPTED)
    return 128 + number
