"""What runs that were killed leave behind: told apart from what belongs to running ones, finished or removed."""

from __future__ import annotations

import contextlib
import errno
import json
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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


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
            self._lock = new_lock(Path(self.name) / LOCK)
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
        with contextlib.suppress(OSError):
            lock.unlink(missing_ok=True)
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


# The folders that a run stages in: its locks there, and what dead runs left in them finished or removed.
LEFTOVERS_LOCK = re.compile(r"\.incrowd\.([0-9a-f]{12})\.lock")
JOURNAL = re.compile(r"\.incrowd\.([0-9a-f]{12})\.journal")


class Run:
    """What stages files together: a name that its files carry, and a lock in every folder that it stages in.

    `name`: twelve hexadecimal digits. `locked`: whether all its folders are of a kind that knows locks.
    """

    def __init__(self) -> None:
        self.name = secrets.token_hex(6)
        self.locked = True
        self._locks: dict[Path, HeldLock | None] = {}

    def enter(self, folder: Path) -> None:
        """Take a lock in a folder, after what dead runs left there is finished or removed.

        OSError is raised if no file can be made in it.
        """
        if folder in self._locks:
            return
        clear(folder)
        hold(self)
        self._locks[folder] = held = new_lock(folder / f".incrowd.{self.name}.lock")
        self.locked &= held is not None

    def leave(self) -> None:
        """Let the locks go."""
        for held in self._locks.values():
            if held is not None:
                held.free()
        self._locks.clear()
        release(self)

    def abandon(self) -> None:
        """Remove what it has staged, and let the locks go."""
        for folder, held in list(self._locks.items()):
            for name in _names(folder):
                if f".{self.name}.part" in name:
                    remove(folder / name)
            if held is not None:
                held.free()


def clear(folder: Path) -> None:
    """Finish or remove what dead runs left in a folder.

    A run is dead if the lock that it held can be taken. If it has written its journal its files take their places; else
    nothing had begun, and they are removed. Time: O(files in the folder).
    """
    names = set(_names(folder))
    for name in names:
        match = LEFTOVERS_LOCK.fullmatch(name)
        held = take_dead(folder / name) if match else None
        if match is not None and held is not None:
            try:
                _settle(folder, match[1])
            finally:
                held.free()
        match = JOURNAL.fullmatch(name)
        if match is not None and f".incrowd.{match[1]}.lock" not in names:  # it locks before it writes
            _settle(folder, match[1])


def cut_off(path: Path) -> bool:
    """Whether a release or certificate belongs to a run that is among its renames, or was killed among them."""
    for name in _names(path.parent):
        journal = read_journal(path.parent / name) if JOURNAL.fullmatch(name) else None
        if journal is not None and any(_is(entry.place, path) for entry in journal.entries) and pending(journal):
            return True
    return False


def _settle(folder: Path, run: str) -> None:
    """Finish or undo what a dead run had begun, and remove the rest of it from a folder."""
    here = folder / journal_name(run)
    if os.path.lexists(here):
        journal = read_journal(here)
        if journal is not None:
            finish(journal)
            discard(run, [entry.place for entry in journal.entries])
            for entry in journal.entries:
                with contextlib.suppress(OSError):
                    entry.staged.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            here.unlink(missing_ok=True)
    for name in _names(folder):
        path = folder / name
        if f".{run}.part" in name:
            remove(path)
        elif name.endswith(f".{run}.old"):  # a folder that had made way
            place = folder / name.removeprefix(".").removesuffix(f".{run}.old")
            with contextlib.suppress(OSError):
                if not os.path.lexists(place):
                    path.rename(place)
            remove(path)


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, if that can be done.

    A link is removed itself, never what it leads to.
    """
    with contextlib.suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _names(folder: Path) -> Iterator[str]:
    """Yield the names in a folder, none if it cannot be read."""
    with contextlib.suppress(OSError):
        with os.scandir(folder) as found:
            names = [entry.name for entry in found if entry.name.startswith((".", "tmp_"))]
        yield from names


def _is(place: Path, path: Path) -> bool:
    return place.name == path.name and place.parent.resolve() == path.parent.resolve()


# Which staged files are about to take which places: written before the first of them does.
#
# A run that is killed among its renames leaves this file; whoever finds it finishes the renames, so that in the end all
# files are new. Without it none had begun, and all are old. It holds base names and sizes, and where a file belongs
# into another folder that folder as seen from this one.
VERSION = 1
MOST_BYTES, MOST_FILES = 65_536, 64
PRIVATE = 0o600
RUN = re.compile(r"[0-9a-f]{12}")
NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # a file system that cannot, which is no fault of the file


@dataclass(frozen=True, slots=True)
class Entry:
    """One file. `staged`, `place`: where it is, and where it belongs. `size`: its bytes."""

    staged: Path
    place: Path
    size: int


@dataclass(frozen=True, slots=True)
class Journal:
    """The files of one run, in the order of their renames."""

    run: str
    entries: tuple[Entry, ...]


def journal_name(run: str) -> str:
    """Return the base name of a run's journal; `run` is the run's own part of its names."""
    return f".incrowd.{run}.journal"


def write_journals(run: str, ready: Sequence[tuple[Path, Path]]) -> None:
    """Write the journal of a run into the folder of its last file, and a word of it into the others before.

    From its end on the run counts as one whose files are there. `run` is twelve hexadecimal digits, and each pair in
    `ready` is a staged file, on the disk already, and its place. It can raise OSError.
    """
    main = ready[-1][1].parent
    entries = tuple(Entry(staged, place, staged.stat().st_size) for staged, place in ready)
    try:
        others = [folder for folder in dict.fromkeys(e.place.parent for e in entries) if not _alike(folder, main)]
        for folder in others:
            _write(folder / journal_name(run), {"main": _seen(main, folder)})
        files = [
            {"staged": e.staged.name, "place": e.place.name, "size": e.size, "folder": _seen(e.place.parent, main)}
            for e in entries
        ]
        _write(main / journal_name(run), {"files": files})
    except BaseException:
        discard(run, [place for _, place in ready])
        raise


def discard(run: str, places: Sequence[Path]) -> None:
    """Remove a run's journals, the one that decides first: what is staged still is not wanted any more.

    `places` are those of the run's files, in the order of their renames.
    """
    for folder in dict.fromkeys(place.parent for place in reversed(places)):
        with contextlib.suppress(OSError):
            (folder / journal_name(run)).unlink(missing_ok=True)


def read_journal(path: Path) -> Journal | None:
    """Return the journal that a file is, or points to; None if there is none that may be believed.

    `path` is that of a file that another run has written. It is believed only if this user wrote it, and if it names
    staged files of its own run and is small.
    """
    run = path.name.removeprefix(".incrowd.").removesuffix(".journal")
    held = _read(path) if RUN.fullmatch(run) else None
    if held is None:
        return None
    main = path.parent
    if isinstance(held.get("main"), str):
        main = main / held["main"]
        held = _read(main / path.name)
    files = None if held is None else held.get("files")
    if not isinstance(files, list) or not 0 < len(files) <= MOST_FILES:
        return None
    entries = []
    for file in files:
        wanted = {"staged": str, "place": str, "size": int, "folder": str}
        if not isinstance(file, dict) or any(type(file.get(key)) is not kind for key, kind in wanted.items()):
            return None
        if any(file[key] in ("", ".", "..") or Path(file[key]).name != file[key] for key in ("staged", "place")):
            return None
        if f".{run}.part" not in file["staged"]:
            return None
        folder = main if file["folder"] == "." else main / file["folder"]
        entries.append(Entry(folder / file["staged"], folder / file["place"], file["size"]))
    return Journal(run, tuple(entries))


def pending(journal: Journal) -> list[Entry]:
    """Return the files of a journal that have not taken their places."""
    return [entry for entry in journal.entries if os.path.lexists(entry.staged)]


def finish(journal: Journal) -> bool:
    """Let what is left take its place; return whether it could.

    Nothing is moved if a staged file has not the size that it had. It returns False where a file cannot be moved, or is
    not what was staged.
    """
    left = pending(journal)
    try:
        if any(_size(entry.staged) != entry.size for entry in left):
            return False
        for entry in left:
            entry.staged.replace(entry.place)
        for folder in {entry.place.parent for entry in left}:
            with contextlib.suppress(OSError):
                sync(folder)
    except OSError:
        return False
    return True


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


def _write(path: Path, content: dict[str, Any]) -> None:
    """Write a journal, whole or not at all, and on the disk."""
    unfinished = path.with_name(f"{path.name.removesuffix('.journal')}.part.journal")
    text = json.dumps({"incrowd": "files that take their places", "version": VERSION} | content)
    number = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(text.encode(errors="surrogateescape"))
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        sync(path.parent)


def _read(path: Path) -> dict[str, Any] | None:
    """Return what a journal holds, if this user wrote it and nobody else could."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(number, "rb") as file:
        found = os.fstat(number)
        others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or others or found.st_size > MOST_BYTES:
            return None
        content = file.read(MOST_BYTES)
    try:
        held = json.loads(content.decode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) and held.get("version") == VERSION else None


def _size(path: Path) -> int:
    found = path.lstat()
    return found.st_size if stat.S_ISREG(found.st_mode) else -1


def _alike(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _seen(folder: Path, origin: Path) -> str:
    """Return a folder as seen from another."""
    return "." if _alike(folder, origin) else os.path.relpath(folder.resolve(), origin.resolve())


# What the runs of this process hold: all of it can be removed at once, from any thread, when the process must end.
#
# A run that ends by itself removes its files on the way. This is for a process whose main thread does not come back
# from foreign code.
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
