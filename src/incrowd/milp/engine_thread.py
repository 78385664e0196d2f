"""Runs of the engine in a thread of their own: a call that does not return in time is left behind.

The engine runs in a thread of its own and lets go of the interpreter meanwhile. This thread waits, so it hears
signals at once, and asks the watch; an engine that goes on for a second after it was told to end is left alone,
and never touched again. The thread is a daemon: it does not keep the process alive. But an engine that asks for the
interpreter while the interpreter ends would take the whole process down, so the end of the program waits for it.
"""

from __future__ import annotations

import atexit
import os
import queue
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from incrowd.progress import Watch

__all__ = ["GRACE", "LeftBehind", "is_left", "left_behind", "run"]

# Seconds that an engine has to end by itself after it was asked to, and between two looks at the watch.
GRACE, LOOK = 1.0, 0.05
# Seconds that the end of the program waits for engines that were left behind.
FAREWELL = 10.0


class LeftBehind(Exception):
    """The engine did not end when asked: it is still busy, and must not be touched again.

    `interrupted` tells whether an interruption ended the wait, and not a time limit.
    """

    def __init__(self, interrupted: bool) -> None:
        super().__init__("the engine did not end")
        self.interrupted = interrupted


class _Run:
    """One call, and how it ended."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.done = threading.Event()
        self.error: BaseException | None = None

    def __call__(self) -> None:
        try:
            self.engine.run()
        except BaseException as error:  # noqa: BLE001 - told to the thread that waits
            self.error = error
        self.done.set()


class _Worker:
    """A thread that does one call after another; it has a queue, for short calls come by thousands."""

    def __init__(self) -> None:
        self.calls: queue.SimpleQueue[_Run] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="incrowd-engine", daemon=True).start()

    def _work(self) -> None:
        while True:
            self.calls.get()()


_idle: list[_Worker] = []
_left: dict[int, _Run] = {}  # by the engine's id; the call holds the engine, so that no other has it
if hasattr(os, "register_at_fork"):  # threads do not live on in a child
    os.register_at_fork(after_in_child=_idle.clear)
    os.register_at_fork(after_in_child=_left.clear)


def is_left(number: int) -> bool:
    """Return whether an engine was left behind: then it should end, whatever its watch says by now.

    The engine is told by its number, the `id` of what `run` was given.
    """
    return number in _left


def left_behind() -> int:
    """Return how many engines were left behind and are still at work."""
    for number, call in list(_left.items()):
        if call.done.is_set():
            _left.pop(number, None)
    return len(_left)


def _say_farewell() -> None:
    """Wait for the engines that were left behind; they are told to end."""
    end = time.monotonic() + FAREWELL
    try:
        while left_behind() and time.monotonic() < end:
            time.sleep(LOOK)
    except KeyboardInterrupt:  # who does not want to wait does not have to
        return


atexit.register(_say_farewell)


def run(engine: Any, watch: Watch | None = None, seconds: float | None = None) -> None:
    """Run an engine, an object with a method `run`, to its end.

    The watch is asked some times a second. `seconds` is the wall time after which the engine ends by itself, if it
    keeps its own limit. LeftBehind is raised if it did not end within a second of the watch's stop or of its own limit.
    """
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    call = _Run(engine)
    worker.calls.put(call)
    end = None if seconds is None else time.perf_counter() + seconds
    stopped: float | None = None
    try:
        while not call.done.wait(LOOK):
            now = time.perf_counter()
            if stopped is None and ((watch is not None and watch.stopped) or (end is not None and now >= end)):
                stopped = now
            if stopped is not None and now >= stopped + GRACE:
                raise LeftBehind(watch is not None and watch.interrupted)
    except BaseException:  # a signal may raise here too; the worker is not handed back either
        _left[id(engine)] = call
        raise
    _idle.append(worker)
    if call.error is not None:
        raise call.error
