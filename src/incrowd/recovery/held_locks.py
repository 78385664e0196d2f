"""Locks that say whether the run that made something is still alive: the system frees them when a process ends.

Neither the number of a process nor the age of a file says that, so nothing here goes by them.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from typing import TYPE_CHECKING

if sys.platform != "win32":  # where there are no such locks nothing is taken, and nothing is cleared
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["HeldLock", "folder_held", "new_lock", "take_dead"]

PRIVATE = 0o600
PATIENCE, PAUSE = 30.0, 0.02  # seconds to wait for a folder, and between two tries
TRIES = 3


class HeldLock:
    """A file whose lock this process holds: its path, and the number of the open file."""

    def __init__(self, path: Path, number: int) -> None:
        self.path, self.number = path, number

    def free(self) -> None:
        """Remove the file, then let the lock go."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            os.close(self.number)


def new_lock(path: Path) -> HeldLock | None:
    """Make a file and take its lock; None where the file system knows no locks.

    `path` is that of a file that does not exist. OSError is raised if it cannot be made.
    """
    if sys.platform == "win32":
        return None
    for _ in range(TRIES):
        number = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, PRIVATE)
        held = HeldLock(path, number)
        if _taken(number) and _same(path, number):
            return held
        held.free()  # whoever clears the folder was quicker, or there are no locks here
    return None


def take_dead(path: Path) -> HeldLock | None:
    """Take the lock of a run that is no more; None if it lives, the file is not ours or is gone.

    `path` is what `new_lock` made once.
    """
    if sys.platform == "win32":
        return None
    try:
        number = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    found = os.fstat(number)
    ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid()
    if ours and _taken(number) and _same(path, number):
        return HeldLock(path, number)
    os.close(number)
    return None


@contextlib.contextmanager
def folder_held(folder: Path) -> Iterator[bool]:
    """Hold a folder while files take their places in it, so that runs do so one after the other.

    It yields False if another run has held it for half a minute, and True too where the file system knows no such
    locks.
    """
    if sys.platform == "win32":
        yield True
        return
    try:
        number = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:  # what comes next says it better
        yield True
        return
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    yield False
                    return
                time.sleep(PAUSE)
            except OSError:
                break
            else:
                break
        yield True
    finally:
        os.close(number)


def _taken(number: int) -> bool:
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _same(path: Path, number: int) -> bool:
    """Whether the file that is open is still the one at its path: another run may have removed it meanwhile."""
    try:
        there, here = path.lstat(), os.fstat(number)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
