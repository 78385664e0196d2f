"""Files that are whole or absent: written beside their places, and renamed together when all of them are good.

What is staged is readable by its owner alone and on the disk before any file of the block takes its place. The
renames then follow one another with nothing between them, so that a failure before the first of them leaves
everything as it was. A failure between two of them is reported with the names of the files that are in place already.
What a killed run had staged is removed by the next one in the same folder (`incrowd.recovery`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import signal
import stat
import threading
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.recovery import PRIVATE, Run, folder_held, sync, undivided

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
OWN_OUTPUT = ("/dev/stdin", "/dev/stdout", "/dev/stderr")
OURS = ("/dev/fd/", "/proc/")  # what a process shows of itself
MOST_NAME = 40  # characters of a name that its staged file repeats
UNUSUAL = re.compile(r"[^\w.-]", re.ASCII)
HELD_BACK = ("SIGINT", "SIGTERM", "SIGHUP")

_waiting: ContextVar[Run | None] = ContextVar("waiting", default=None)
_placed: ContextVar[list[str] | None] = ContextVar("placed", default=None)


@contextlib.contextmanager
def file_tally() -> Iterator[None]:
    """Record which files take their places inside the block, for `placed`; a block in a block is part of it."""
    if _placed.get() is not None:
        yield
        return
    before = _placed.set([])
    try:
        yield
    finally:
        _placed.reset(before)


def placed() -> str:
    """Return what is true of the files inside `file_tally`: "nothing was written", or which of them are in place."""
    return _in_place(_placed.get() or [])


@contextlib.contextmanager
def together() -> Iterator[None]:
    """Hold the renames of every `whole_file` in the block back until it ends well, then let them follow one another.

    The order is the one in which the files were finished. If the block fails, every staged file vanishes. InputError is
    raised if a file cannot take its place; it names the files that are in theirs.
    """
    if _waiting.get() is not None:  # a block in a block: the outer one renames
        yield
        return
    run = Run()
    before = _waiting.set(run)
    try:
        yield
        _publish(run.ready)
    finally:
        _waiting.reset(before)
        run.leave()


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a staged file that takes the place of `path` if the block ends well, and vanishes otherwise.

    The staged file is in the same folder and empty, readable by the owner alone. A file that stands at `path` is
    replaced. InputError is raised if it cannot be written.
    """
    with together():
        run = _waiting.get()
        assert run is not None
        staged = _stage(path, run)
        yield staged
        run.ready.append((staged, path))


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file, whole or not at all; text as UTF-8 with its line ends as they are.

    A file that stands at `path` is replaced, and a lone surrogate in a text is written as its escape. InputError is
    raised if the file cannot be written; the message says which files are in place.
    """
    held = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    with whole_file(path) as staged:
        try:
            staged.write_bytes(held)
            trouble = "" if staged.stat().st_size == len(held) else "the disk did not take all of it"
        except OSError as error:
            trouble = reason_of(error)
        if trouble:
            raise InputError(f"{path.name!r} cannot be written: {trouble}; {placed()}")


def refuse_place(path: Path, what: str) -> None:
    """Refuse a path where no file can be put.

    `what` is what messages call it, for example ``"output 'release.csv'"``. InputError is raised if its folder does not
    exist, its name is too long, or something that is no file stands there: a folder, a pipe, a device. A link gives way
    to the file; what it points to stays as it is.
    """
    trouble = ""
    try:
        found = _what_stands(path)
        there = os.path.abspath(path)  # noqa: PTH100 - links are not followed
        if not path.parent.is_dir():
            trouble = "cannot be written: its folder does not exist; make it first"
        elif found is not None and stat.S_ISDIR(found):
            trouble = "is a folder; name a file in it"
        elif there in OWN_OUTPUT or there.startswith(OURS) or (found is not None and not stat.S_ISREG(found)):
            trouble = "is a pipe or a device, which no file can take the place of; name a file"
    except (OSError, ValueError) as error:
        trouble = f"cannot be written: {reason_of(error)}"
    if trouble:
        raise InputError(f"{what} {trouble}")


def _what_stands(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def new_mode(most: int) -> int:
    """Return the permission bits that a new file (``0o666``) or folder (``0o777``) has here.

    `most` is the one or the other number, from which the umask is taken away. The umask is set for a moment to read it,
    which other threads could notice.
    """
    umask = os.umask(0o077)  # there is no way to ask but to set
    os.umask(umask)
    return most & ~umask


def disk_is_full(error: BaseException) -> bool:
    """Return whether an error of the system says that a disk, a quota or a limit on files is used up.

    Only an OSError can be one.
    """
    return isinstance(error, OSError) and error.errno in FULL


def _stage(path: Path, run: Run) -> Path:
    """Return a fresh file beside `path`, on the same disk, readable by the owner alone."""
    refuse_place(path, repr(path.name))
    # what writes it may know no other signs, and take some for patterns
    endings = "".join(path.suffixes[-2:])  # who reads it goes by them
    name, ending = (UNUSUAL.sub("_", text[-MOST_NAME:]) for text in (path.name, endings))
    staged = path.parent / f".{name}.{secrets.token_hex(3)}.{run.name}.part{ending}"
    try:
        run.enter(path.parent)
        os.close(os.open(staged, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        run.staged.append(staged)
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be written: {reason_of(error)}; {placed()}") from None
    return staged


def _publish(ready: Sequence[tuple[Path, Path]]) -> None:
    """Let staged files take their places, with the permissions that new files would have."""
    doing = Path()
    done: list[Path] = []
    try:
        for staged, path in ready:
            doing = path
            refuse_place(path, repr(path.name))
            sync(staged)
        for staged, path in ready:
            doing = path
            staged.chmod((_what_stands(path) or new_mode(0o666)) & 0o777)
        with _alone(ready):
            for staged, path in ready:
                doing = path
                staged.replace(path)
                done.append(path)
    except OSError as error:
        state = _in_place([path.name for path in done], [path.name for _, path in ready])
        raise InputError(f"{doing.name!r} cannot be written: {reason_of(error)}; {state}") from None
    finally:
        tally = _placed.get()
        if tally is not None:
            tally.extend(path.name for path in done)
    for folder in {path.parent for path in done}:
        with contextlib.suppress(OSError):  # they are in place; some systems sync no folder
            sync(folder)


@contextlib.contextmanager
def _alone(ready: Sequence[tuple[Path, Path]]) -> Iterator[None]:
    """Hold others and signals back while files take their places.

    InputError is raised if another run does not come to an end in the folder of the last one.
    """
    if not ready:
        yield
        return
    last = ready[-1][1]
    with folder_held(last.parent) as ours:
        if not ours:
            raise InputError(f"{last.name!r} is being written by another run; wait for its end; {placed()}")
        with undivided(), _undisturbed():
            yield


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold signals back that would end the program here; the first of them is raised again when the block ends."""
    if threading.current_thread() is not threading.main_thread():  # where no signal is handled
        yield
        return
    heard: list[int] = []

    def hear(number: int, _: Any) -> None:
        heard.append(number)

    known = [getattr(signal, name) for name in HELD_BACK if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in known}
    ours = {number: how for number, how in before.items() if how not in (None, signal.SIG_IGN)}
    for number in ours:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number, how in ours.items():
            signal.signal(number, how)
    for number in heard[:1]:
        signal.raise_signal(number)


def reason_of(error: OSError | ValueError) -> str:
    """Return in words why a file cannot be read or written."""
    if disk_is_full(error):
        return "the disk is full; free some space"
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return "its name is too long"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return "its name is no name of a file"


def _in_place(done: Sequence[str], wanted: Sequence[str] = ()) -> str:
    """Return which files are in place, and which of those that were to be are not."""
    if not done:
        return "nothing was written"
    there = " and ".join(repr(name) for name in done)
    absent = [repr(name) for name in wanted if name not in done]
    gone = f", {' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not" if absent else ""
    return f"{there} {'is' if len(done) == 1 else 'are'} in place{gone}"
