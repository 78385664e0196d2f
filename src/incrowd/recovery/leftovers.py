"""The folders that a run stages in: its locks there, and what dead runs left in them finished or removed."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from typing import TYPE_CHECKING

from incrowd.recovery.held_locks import HeldLock, new_lock, take_dead
from incrowd.recovery.journal import discard, finish, journal_name, pending, read_journal
from incrowd.recovery.open_runs import hold, release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Run", "clear", "cut_off", "remove"]

LOCK = re.compile(r"\.incrowd\.([0-9a-f]{12})\.lock")
JOURNAL = re.compile(r"\.incrowd\.([0-9a-f]{12})\.journal")


class Run:
    """What stages files together: a name that its files carry, and a lock in every folder that it stages in.

    Attributes
    ----------
    name : str
        Twelve hexadecimal digits.
    locked : bool
        Whether all its folders are of a kind that knows locks.
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
        match = LOCK.fullmatch(name)
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
