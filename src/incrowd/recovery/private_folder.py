"""The folder of a run for its own files (spill, copies of what came in), and those of dead runs removed."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from pathlib import Path

from incrowd.recovery.held_locks import new_lock, take_dead
from incrowd.recovery.leftovers import remove
from incrowd.recovery.open_runs import hold, release

__all__ = ["PrivateFolder"]

PREFIX, LOCK = "incrowd-", "lock"


class PrivateFolder:
    """A fresh folder that its owner alone can read, with a lock that is held until it is removed.

    Folders of dead runs of this user are removed first. One in which no lock is found is left alone. OSError is raised
    if no folder can be made.

    Attributes
    ----------
    name : str
        Its path.
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
