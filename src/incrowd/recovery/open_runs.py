"""What the runs of this process hold: all of it can be removed at once, from any thread, when the process must end.

A run that ends by itself removes its files on the way. This is for a process whose main thread does not come back from
foreign code.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import weakref
from typing import TYPE_CHECKING, NoReturn, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Holder", "abandon_all", "end_process", "held", "hold", "release", "undivided"]


class Holder(Protocol):
    """What has files of a run on the disk."""

    def abandon(self) -> None:
        """Remove them, as far as that can be done; the thread that made them may still be at work."""


_held: dict[int, weakref.ref[Holder]] = {}  # who is forgotten removes its files by itself
_undivided = threading.RLock()


def hold(holder: Holder, *, first: bool = False) -> None:
    """Record what has files on the disk.

    `first` says whether its turn comes before that of all others: it is what still writes where they remove.
    """
    number = id(holder)
    known = weakref.ref(holder, lambda _: _held.pop(number, None))
    others = dict(_held) if first else {}
    for other in others:
        del _held[other]
    _held[number] = known
    _held.update(others)


def release(holder: Holder) -> None:
    """Forget what has none any more; nothing happens where it is not known."""
    _held.pop(id(holder), None)


def held() -> int:
    """Return how many there are."""
    return len(_held)


@contextlib.contextmanager
def undivided() -> Iterator[None]:
    """Let files take their places: `abandon_all` waits for the end of the block."""
    with _undivided:
        yield


def abandon_all() -> None:
    """Remove what every run of this process has on the disk, as far as that can be done.

    Notes
    -----
    The process must end then. Files that are taking their places do so first. Time: O(files).
    """
    with _undivided:
        for known in list(_held.values()):
            holder = known()
            with contextlib.suppress(Exception):  # the next has its turn whatever this one meets
                if holder is not None:
                    holder.abandon()


def end_process(status: int, said: Callable[[], str] | None = None, *, flush: bool = False) -> NoReturn:
    """End this process now, from any thread, with nothing of it left on the disk but what is in its place.

    `status` is its exit status. `said` returns the last line for standard error; it is called once nothing takes its
    place any more. `flush` says whether to write out what was said before: this is for the main thread, which alone
    knows that nobody is writing.
    """
    abandon_all()
    for stream in (sys.stdout, sys.stderr) if flush else ():
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if said is not None:
        with contextlib.suppress(OSError):  # not through Python's stream: another thread may hold it
            os.write(2, f"incrowd: {said()}\n".encode())
    os._exit(status)


def _begin_anew() -> None:
    """In a forked child: what its parent holds is not its own."""
    global _undivided
    _held.clear()
    _undivided = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
