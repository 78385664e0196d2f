"""A loop that runs as plain Python while that costs less than to compile it; either way it counts the same.

Compiled code is kept on disk (beside the loops, or in the user's cache where that folder cannot be written). A loop
that is there is loaded. One that is not runs as plain Python as long as its arrays are small and it has taken no longer
than compiling it would. Whatever a plain loop calls is plain too; compiled loops call compiled ones alone.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numba.core import config
from numba.core.registry import CPUDispatcher

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SMALL", "SPENT", "Loop", "forced", "njit"]

# Numbers in the arrays of a call up to which it may run as plain Python.
SMALL = 100_000
# Processor seconds that a loop may take as plain Python, all its calls together: about what compiling one takes.
SPENT = 0.7
# Calls as plain Python of a loop that changes over midway.
MIDWAY = 2

WAYS = ("", "plain", "compiled", "midway")


class _Thread(threading.local):
    """What holds for the loops of one thread."""

    plain = False  # inside a plain call
    way = os.environ.get("INCROWD_LOOPS", "")


if _Thread.way not in WAYS:
    raise PolicyError(f"the environment's INCROWD_LOOPS is one of plain, compiled, midway, not {_Thread.way!r}")

_thread = _Thread()


@contextlib.contextmanager
def forced(way: str) -> Iterator[None]:
    """Let every loop of this thread go one way in the block: "plain", "compiled", "midway", or "" for the cheaper."""
    before, _thread.way = _thread.way, way
    try:
        yield
    finally:
        _thread.way = before


class Loop(CPUDispatcher):  # type: ignore[misc]
    """What `njit` makes of a function: Numba's dispatcher, which may answer without compiling."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.may_be_plain = True
        self._calls, self._spent = 0, 0.0
        self._kept: bool | None = None

    def __call__(self, *args: Any) -> Any:
        """Answer as plain Python or as compiled code."""
        if _thread.plain:
            return self.py_func(*args)
        if not self._goes_plain(args):
            return super().__call__(*args)
        began = time.thread_time()
        _thread.plain = True
        try:
            with np.errstate(all="ignore"):  # as compiled code has it
                return _unboxed(self.py_func(*args))
        finally:
            _thread.plain = False
            self._calls += 1
            self._spent += time.thread_time() - began

    @property
    def cold(self) -> bool:
        """Whether nothing of it is compiled: neither in this process nor, when it first asked, on disk."""
        if self._kept is None:
            self._kept = bool(self._cache._cache_file._load_index())
        return not (self._kept or self.overloads)

    def _goes_plain(self, args: tuple[Any, ...]) -> bool:
        way = _thread.way
        if way:
            return way == "plain" or (way == "midway" and self._calls < MIDWAY)
        return self.may_be_plain and self._spent <= SPENT and self.cold and _size(args) <= SMALL


def _size(args: tuple[Any, ...]) -> int:
    """Return how many numbers the arrays among the arguments hold, those in tuples too."""
    return sum(one.size if isinstance(one, np.ndarray) else _size(one) if isinstance(one, tuple) else 0 for one in args)


def _unboxed(found: Any) -> Any:
    """Return what compiled code would: Python's own numbers, which never wrap, in place of NumPy's."""
    if isinstance(found, np.generic):
        return found.item()
    if isinstance(found, tuple):
        parts = [_unboxed(one) for one in found]
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    return found


def njit(*, cache: Literal[True], nogil: Literal[True], plain: bool = True) -> Callable[[Any], Any]:
    """Return what makes a loop of a function; without `plain` it compiles at once (moves of a search)."""

    def made(function: Any) -> Any:
        if config.DISABLE_JIT:
            return function
        loop = Loop(function, {}, {"nopython": True, "nogil": nogil, "boundscheck": None})
        loop.may_be_plain = plain
        assert cache
        loop.enable_caching()
        return loop

    return made
