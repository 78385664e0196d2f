"""A limit on the memory of the whole process: what the system counts, how it is kept, and words for it."""

from __future__ import annotations

import contextlib
import contextvars
import ctypes
import os
import re
import sys
import threading
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from incrowd.errors import InputError, PolicyError, about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


# What this process holds and may still take, as the system counts it: resident pages, libraries among them.
STATM = Path("/proc/self/statm")
MEMINFO = Path("/proc/meminfo")
# What a group of processes may hold and holds, where the system keeps such groups (a container is one).
GROUPS = (
    (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")),
    (Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"), Path("/sys/fs/cgroup/memory/memory.usage_in_bytes")),
)


def held() -> int | None:
    """Return the bytes that this process holds now (None where the system does not say).

    Where the system tells no more than the peak (macOS), that is returned. Some 20 microseconds.
    """
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return peak()


def peak() -> int | None:
    """Return the most bytes this process has held so far (None where the system does not say)."""
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
    return None


def at_hand() -> int | None:
    """Return about how many bytes this process can still take (None where the system does not say).

    The least of what the system has available, what is left to this process's group, and what is left below the limit
    on its addresses. Where the system does not tell what is available, half of what is built in counts.
    """
    found = []
    with contextlib.suppress(OSError, ValueError, IndexError, KeyError):
        lines = dict(line.split(":", 1) for line in MEMINFO.read_text().splitlines())
        found.append(int(lines["MemAvailable"].split()[0]) * 1024)
    if not found:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)
    for most, now in GROUPS:
        with contextlib.suppress(OSError, ValueError):  # "max": no limit
            found.append(int(most.read_text()) - int(now.read_text()))
    with contextlib.suppress(ImportError, OSError, ValueError, IndexError):
        import resource

        addresses, _ = resource.getrlimit(resource.RLIMIT_AS)
        if addresses != resource.RLIM_INFINITY:
            found.append(addresses - int(STATM.read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE"))
    return max(min(found), 0) if found else None


def give_back() -> None:
    """Return to the system what the allocators keep of memory that is free again, as far as they can be told to."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # of glibc


# Sizes as people write them: ``4GB``, ``800MB``, ``1.5GiB``.
MB = 10**6
UNITS = {"K": 1, "M": 2, "G": 3, "T": 4}
SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*([KMGT])(i?)B\s*", re.IGNORECASE | re.ASCII)


def as_bytes(text: str) -> int:
    """Return the bytes of a size such as ``4GB`` (10^9 each) or ``4GiB`` (2^30 each).

    PolicyError is raised if the text is no size.
    """
    read = SIZE.fullmatch(text) if isinstance(text, str) else None
    if read is None:
        shown = f"{text[:40]!r}" if isinstance(text, str) else type(text).__name__
        raise PolicyError(f"memory must be a size such as 4GB or 800MB, not {shown}")
    number, unit, binary = read.groups()
    return int(Fraction(number) * (1024 if binary else 1000) ** UNITS[unit.upper()])


def in_words(size: float) -> str:
    """Return bytes, at least 0, as people write them, in MB or, from ten thousand of them on, in GB."""
    if size > 10**300:  # more than a float holds
        return f"{about(int(size) // 10**9)} GB"
    megabytes = round(size / MB)
    return f"{megabytes} MB" if megabytes < 10_000 else f"{megabytes / 1000:.1f} GB"


# A limit on what the whole process holds.
#
# Three marks, as shares of the limit. What a solver may plan with ends at `PLANNED`: there a search does without, or
# takes a leaner way. At `NEAR` a search ends as if its time were up. At `FULL` the run ends in words: the thread that
# works gets a `MemoryError` between two steps; where it does not hear it within `PATIENCE` seconds, `last` is called.
PLANNED, NEAR, FULL = 0.85, 0.92, 0.97
# Seconds between two looks, and those that the working thread has to end by itself.
LOOK, PATIENCE = 0.005, 3.0
# Seconds between two tries to have free memory go back to the system.
TRIM = 1.0
# What a first run takes beside libraries, table and search (compiled kernels, what is made at first use), and the
# least that is left to table and search then.
CODE, LEAST = 140 * MB, 60 * MB
MORE = "give it more memory"
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


@contextlib.contextmanager
def limited(size: int, watches: Sequence[Any], least: int = CODE + LEAST, ways: str = MORE) -> Iterator[MemoryLimit]:
    """Keep a limit of so many bytes inside the block, for the whole process; `least` and `ways` as of `MemoryLimit`.

    The watches are told when a search is to end, and what may be planned with. InputError is raised if the limit is
    below what the process holds already, if the run comes to it, or there is no more memory.
    """

    def near() -> None:
        for watch in watches:
            watch.near_full()

    limit = MemoryLimit(size, near, least, ways)
    try:
        with limit:
            for watch in watches:
                watch.memory_budget = lambda: limit.left
            yield limit
    except Exception as error:
        if limit.over or isinstance(error, MemoryError):
            raise InputError(too_little(size, ways)) from None
        raise
    finally:
        for watch in watches:
            watch.memory_budget, watch.short = None, False


def too_little(limit: int, ways: str = MORE) -> str:
    """Return the sentence for a run that its limit, in bytes, was too little for; `ways` tells what to do about it."""
    return f"not enough memory: the run came to its limit of {in_words(limit)}; {ways}"
