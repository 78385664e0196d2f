"""Which staged files are about to take which places: written before the first of them does.

A run that is killed among its renames leaves this file; whoever finds it finishes the renames, so that in the end all
files are new. Without it none had begun, and all are old. It holds base names and sizes, and where a file belongs into
another folder that folder as seen from this one.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Entry", "Journal", "discard", "finish", "journal_name", "pending", "read_journal", "sync", "write_journals"]

VERSION = 1
MOST_BYTES, MOST_FILES = 65_536, 64
PRIVATE = 0o600
RUN = re.compile(r"[0-9a-f]{12}")
NO_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)  # a file system that cannot, which is no fault of the file


@dataclass(frozen=True, slots=True)
class Entry:
    """One file.

    Attributes
    ----------
    staged, place : Path
        Where it is, and where it belongs.
    size : int
        Its bytes.
    """

    staged: Path
    place: Path
    size: int


@dataclass(frozen=True, slots=True)
class Journal:
    """The files of one run, in the order of their renames.

    Attributes
    ----------
    run : str
    entries : tuple of Entry
    """

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
    """Wait until a file or folder is on the disk.

    It raises OSError, but not where the file system cannot do so.
    """
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
