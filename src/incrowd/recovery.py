"""What runs that were killed leave behind: told apart from what belongs to running ones, and removed."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import threading
import time
import weakref
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# The folder of a run for its own files (spill, copies of what came in), and those of dead runs removed.
PREFIX, LOCK = "incrowd-", "lock"


class PrivateFolder:
    """A fresh folder that its owner alone can read, with a lock that is held until it is removed.

    Folders of dead runs of this user are removed first. One in which no lock is found is left alone. OSError is raised
    if no folder can be made. `name`: its path.
    """

    def __init__(self) -> None:
        _remove_dead(Path(tempfile.gettempdir()))
        self._folder = tempfile.TemporaryDirectory(prefix=PREFIX)
        self.name = self._folder.name
        self._lock = None
        with contextlib.suppress(OSError):  # a full disk is said by what needs it
            # under another name until it is taken: a lock that is free is a dead run's, whose folder goes
            self._lock = new_lock(Path(self.name) / "new")
            if self._lock is not None:
                self._lock.path = self._lock.path.rename(Path(self.name) / LOCK)
        hold(self)

    def cleanup(self) -> None:
        """Remove the folder with all that is in it, and let its lock go."""
        # the lock goes last: who is killed meanwhile leaves a folder that others may remove
        self._empty()
        self._folder.cleanup()
        if self._lock is not None:
            self._lock.free()
            self._lock = None
        release(self)

    def abandon(self) -> None:
        """Remove the folder while others may still write into it; if they do, its lock stays for the next run."""
        self._empty()
        lock = Path(self.name) / LOCK
        remove(lock)
        try:
            Path(self.name).rmdir()
        except OSError:
            with contextlib.suppress(OSError):
                lock.touch()

    def _empty(self) -> None:
        with contextlib.suppress(OSError), os.scandir(self.name) as found:
            for entry in found:
                if entry.name != LOCK:
                    remove(Path(entry.path))


def _remove_dead(place: Path) -> None:
    """Remove the private folders of runs that are no more."""
    try:
        with os.scandir(place) as found:
            folders = [Path(entry.path) for entry in found if entry.name.startswith(PREFIX)]
    except OSError:
        return
    for folder in folders:
        with contextlib.suppress(OSError):
            what = folder.lstat()
            if not stat.S_ISDIR(what.st_mode) or what.st_uid != os.geteuid():
                continue
            held = take_dead(folder / LOCK)
            if held is not None:
                shutil.rmtree(folder, ignore_errors=True)
                held.free()


# The folders that a run stages in: its locks there, and what dead runs left in them removed.
STAGES = re.compile(r"\.incrowd\.([0-9a-f]{12})\.lock")
PRIVATE = 0o600
NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # a file system that cannot, which is no fault of the file


class Run:
    """What stages files together: a name that its files carry, and a lock in every folder that it stages in.

    `staged`: its files. `ready`: those that are finished, with their places, in the order in which they were.
    """

    def __init__(self) -> None:
        self.name = secrets.token_hex(6)
        self.staged: list[Path] = []
        self.ready: list[tuple[Path, Path]] = []
        self._locks: dict[Path, HeldLock | None] = {}

    def enter(self, folder: Path) -> None:
        """Take a lock in a folder, after what dead runs staged there is removed.

        OSError is raised if no file can be made in it.
        """
        if folder in self._locks:
            return
        _sweep(folder)
        hold(self)
        self._locks[folder] = new_lock(folder / f".incrowd.{self.name}.lock")

    def leave(self) -> None:
        """Remove what has not taken its place, and let the locks go."""
        for path in self.staged:
            path.unlink(missing_ok=True)
        for held in filter(None, self._locks.values()):
            held.free()
        self._locks.clear()
        release(self)

    def abandon(self) -> None:
        """Remove what it has staged, and let the locks go."""
        for folder, held in list(self._locks.items()):
            _remove_staged(folder, self.name)
            if held is not None:
                held.free()


def _sweep(folder: Path) -> None:
    """Remove what dead runs staged in a folder: those whose lock can be taken. Time: O(files in the folder)."""
    for name in _hidden(folder):
        match = STAGES.fullmatch(name)
        held = take_dead(folder / name) if match else None
        if match is not None and held is not None:
            _remove_staged(folder, match[1])
            held.free()


def _remove_staged(folder: Path, run: str) -> None:
    for name in _hidden(folder):
        if f".{run}.part" in name:
            remove(folder / name)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, if that can be done.

    A link is removed itself, never what it leads to.
    """
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _hidden(folder: Path) -> list[str]:
    """Return the names in a folder that a staged file or a lock can have, none if it cannot be read."""
    try:
        return [path.name for path in folder.iterdir() if path.name.startswith((".", "tmp_"))]
    except OSError:
        return []


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk. It raises OSError, but not where the file system cannot do so."""
    number = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno not in NO_SYNC:
            raise
    finally:
        os.close(number)


# What the runs of this process hold: all of it can be removed at once, from any thread, when the process must end.
#
# A run that ends by itself removes its files on the way. This is for a process whose main thread does not come back
# from foreign code.
class Holder(Protocol):
    """What has files of a run on the disk."""

    def abandon(self) -> None:
        """Remove them, as far as that can be done; the thread that made them may still be at work."""


_held: OrderedDict[int, weakref.ref[Holder]] = OrderedDict()  # who is forgotten removes its files by itself
_undivided = threading.RLock()


def hold(holder: Holder, *, first: bool = False) -> None:
    """Record what has files on the disk.

    `first` says whether its turn comes before that of all others: it is what still writes where they remove.
    """
    number = id(holder)
    _held[number] = weakref.ref(holder, lambda _: _held.pop(number, None))
    if first:
        _held.move_to_end(number, last=False)


def release(holder: Holder) -> None:
    """Forget what has none any more; nothing happens where it is not known."""
    _held.pop(id(holder), None)


@contextlib.contextmanager
def undivided() -> Iterator[None]:
    """Let files take their places: `abandon_all` waits for the end of the block."""
    with _undivided:
        yield


def abandon_all() -> None:
    """Remove what every run of this process has on the disk, as far as that can be done.

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


# Locks that say whether the run that made something is still alive: the system frees them when a process ends.
#
# Neither the number of a process nor the age of a file says that, so nothing here goes by them.
if sys.platform != "win32":  # where there are no such locks nothing is taken, and nothing is cleared
    import fcntl
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
        while (busy := not _taken(number, unknown=True)) and time.monotonic() <= end:
            time.sleep(PAUSE)
        yield not busy
    finally:
        os.close(number)


def _taken(number: int, *, unknown: bool = False) -> bool:
    """Return whether a lock could be taken; `unknown` where the file system knows none."""
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return unknown
    return True


def _same(path: Path, number: int) -> bool:
    """Whether the file that is open is still the one at its path: another run may have removed it meanwhile."""
    try:
        there, here = path.lstat(), os.fstat(number)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)
