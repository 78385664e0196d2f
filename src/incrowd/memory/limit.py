"""A limit on what the whole process holds.

Three marks, as shares of the limit. What a solver may plan with ends at `PLANNED`: there a search does without, or
takes a leaner way. At `NEAR` a search ends as if its time were up. At `FULL` the run ends in words: the thread that
works gets a `MemoryError` between two steps; where it does not hear it within `PATIENCE` seconds, `last` is called.
"""

from __future__ import annotations

import contextvars
import ctypes
import threading
import time
from typing import TYPE_CHECKING, Self

from incrowd.errors import InputError
from incrowd.memory.process import give_back, held
from incrowd.memory.size import MB, in_words

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CODE", "MORE", "PLANNED", "MemoryLimit", "OverLimit", "too_little"]

PLANNED, NEAR, FULL = 0.85, 0.92, 0.97
# Seconds between two looks, and those that the working thread has to end by itself.
LOOK, PATIENCE = 0.005, 3.0
# Seconds between two tries to have free memory go back to the system.
TRIM = 1.0
# What a first run takes beside libraries, table and search (compiled kernels, what is made at first use), and the
# least that is left to table and search then.
CODE, LEAST = 140 * MB, 60 * MB
MORE = "give it more with --memory"
# Called in the thread that looks, where a run does not end by itself: the command line ends the process then.
last: list[Callable[[str], None]] = []


class OverLimit(MemoryError):
    """The process came to its memory limit."""


class MemoryLimit:
    """A context manager that keeps a limit while a job runs in the thread that entered it.

    The process may hold `limit` bytes, and the run needs at the least `least` bytes beside what the process holds.
    `near` is called at every look at which the process is near its limit: the search is to end. `ways` says, for the
    message, what to do where the limit was too little. InputError is raised if the process holds so much already that
    nothing can be done below the limit; inside the block it is an `OverLimit`, or whatever a library makes of a
    `MemoryError`. A thread looks every 5 ms. Between two looks a process can take some 10 MB, which the marks leave
    room for.
    """

    def __init__(self, limit: int, near: Callable[[], None], least: int = CODE + LEAST, ways: str = MORE) -> None:
        self.limit = limit
        self.over = False
        self.ways = ways
        self._least = least
        self._near = near
        self._done = threading.Event()
        self._worker = threading.get_ident()
        self._lock = threading.Lock()
        look = contextvars.copy_context().run  # what is in place is told of the run that is watched
        self._thread = threading.Thread(target=look, args=(self._look,), name="incrowd-memory", daemon=True)

    def __enter__(self) -> Self:
        give_back()
        taken = held() or 0
        least = self._least
        if taken + least > self.limit * NEAR:
            raise InputError(
                f"memory {in_words(self.limit)} is too little: the program, with what it was given, holds "
                f"{in_words(taken)} before anything is read, and needs {in_words(least)} to work with; give it at "
                f"least {in_words((taken + least) / NEAR + MB)}"
            )
        self._worker = threading.get_ident()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            with self._lock:  # after this no error comes any more
                self._done.set()
        finally:  # one may have been on its way
            self._done.set()
        self._thread.join()

    @property
    def left(self) -> int:
        """Bytes that may be planned with now; 0 where there are none."""
        return max(int(self.limit * PLANNED) - (held() or 0), 0)

    def _look(self) -> None:
        since = trimmed = 0.0
        while not self._done.wait(LOOK):
            taken = held() or 0
            if taken >= self.limit * NEAR and time.monotonic() - trimmed > TRIM:
                give_back()
                taken, trimmed = held() or 0, time.monotonic()
            if taken < self.limit * NEAR:
                continue
            self._near()
            if taken >= self.limit * FULL and not self.over:
                self._stop()
                since = time.monotonic()
            elif taken >= self.limit and self.over and time.monotonic() - since > PATIENCE:
                for end in last:
                    end(too_little(self.limit, self.ways))

    def _stop(self) -> None:
        with self._lock:
            if self._done.is_set():
                return
            self.over = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._worker), ctypes.py_object(OverLimit))


def too_little(limit: int, ways: str = MORE) -> str:
    """Return the sentence for a run that its limit, in bytes, was too little for; `ways` tells what to do about it."""
    return f"not enough memory: the run came to its limit of {in_words(limit)}; {ways}"
