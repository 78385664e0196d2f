"""Files and folders as Spark's executors see them: listed, renamed and removed by the file systems that Spark has."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.recovery import hold, release

if TYPE_CHECKING:
    from collections.abc import Sequence


NO_FILES = (
    "Spark Connect reads and gives frames alone: give the table as a frame of its session, and write release.table"
)
MAGIC = re.compile(r"([*?\[\]{}\\])")
RENAMES = ("file", "hdfs", "viewfs", "webhdfs", "abfs", "abfss", "maprfs", "ofs")  # a folder's name changes at once
PRIVATE = 0o700
WAIT = 0.7  # seconds that a file system elsewhere has to remove a folder when the process has to end


def local_place(path: Path) -> str:
    """Return a path of this machine as an address that means this path alone, whatever signs are in its name."""
    return pattern_of(place_of(path))


def place_of(path: Path) -> str:
    """Return the address of a path of this machine, to write to or to ask for; readers take patterns."""
    return f"file:{path.absolute()}"


def pattern_of(address: str) -> str:
    """Return what means one address alone to readers, whatever signs are in it."""
    return MAGIC.sub(r"\\\1", address)


@dataclass(frozen=True, slots=True)
class Place:
    """One file or folder.

    `address`: without signs of patterns. `size`: in bytes. `changed`: when it was changed last, in milliseconds since
    1970.
    """

    address: str
    name: str
    size: int
    folder: bool
    changed: int = 0


class Places:
    """The file systems of a Spark session.

    The session is a classic one: the file systems are reached through its Java process.
    """

    def __init__(self, session: Any) -> None:
        self._jvm = session._jvm.org.apache.hadoop.fs
        self._conf = session._jsparkSession.sessionState().newHadoopConf()

    def matching(self, pattern: str) -> list[Place]:
        """Return what an address means, sorted by name.

        There are several places where it is a pattern, and none where nothing is there.
        """
        system, path = self._at(pattern)
        return _all(system.globStatus(path) or [])

    def inside(self, folder: str) -> list[Place]:
        """Return what lies in a folder, sorted by name."""
        system, path = self._at(folder)
        return _all(system.listStatus(path))

    def exists(self, address: str) -> bool:
        """Return whether something is there."""
        system, path = self._at(address)
        return bool(system.exists(path))

    def renames(self, address: str) -> bool:
        """Return whether the file system gives a folder another name in one step; object stores copy file by file."""
        return str(self._at(address)[0].getUri().getScheme()) in RENAMES

    def make_private(self, folder: str) -> None:
        """Make a folder that its owner alone may enter.

        Raises PermissionError if the file system does not make it, which says no more than that.
        """
        system, path = self._at(folder)
        mode = self._jvm.permission.FsPermission(f"{PRIVATE:o}")
        if not system.mkdirs(path, mode):
            raise PermissionError("Permission denied")
        system.setPermission(path, mode)

    def free(self, folder: str) -> int:
        """Return how many bytes are free where a folder is or will be. Object stores say more than anybody needs."""
        system, path = self._at(folder)
        while not system.exists(path) and path.getParent() is not None:
            path = path.getParent()
        return int(system.getStatus(path).getRemaining())

    def rename(self, folder: str, to: str) -> bool:
        """Give a folder its name, and the permissions that new folders have; return whether it has them."""
        (system, path), (_, target) = self._at(folder), self._at(to)
        kind = self._jvm.permission.FsPermission
        system.setPermission(path, kind.getDirDefault().applyUMask(kind.getUMask(self._conf)))
        return not system.exists(target) and bool(system.rename(path, target))

    def mark(self, folder: str) -> None:
        """Write the empty file ``_SUCCESS`` that says that a folder is whole."""
        system, path = self._at(f"{folder}/_SUCCESS")
        system.create(path, True).close()

    def remove(self, folder: str) -> None:
        """Remove a folder and what is in it."""
        system, path = self._at(folder)
        system.delete(path, True)

    def _at(self, address: str) -> tuple[Any, Any]:
        """Return the file system of an address, and the path there."""
        path = self._jvm.Path(address)
        return path.getFileSystem(self._conf), path


def _all(found: Sequence[Any]) -> list[Place]:
    places = [
        Place(
            str(one.getPath().toString()),
            str(one.getPath().getName()),
            int(one.getLen()),
            bool(one.isDirectory()),
            int(one.getModificationTime()),
        )
        for one in found
    ]
    return sorted(places, key=lambda place: place.address)


class Passing:
    """A folder that goes when a job does, also where the process has to end at once. `folder` is its address."""

    def __init__(self, places: Places, folder: str) -> None:
        self._places, self._folder, self._gone = places, folder, False
        plain = re.fullmatch(r"file:(?://)?(/.*)", folder)
        self._here = None if plain is None else Path(plain[1])
        hold(self, first=self._here is None)  # one elsewhere is removed through Java, which has to live for that

    def stays(self) -> None:
        """Let the folder be: it has its place."""
        self._gone = True
        release(self)

    def remove(self) -> None:
        """Remove the folder, unless it has its place."""
        if self._gone:
            return
        self._remove()
        if self._here is not None and isinstance(sys.exc_info()[1], KeyboardInterrupt | SystemExit):
            _unsure.append(self)
        else:
            release(self)

    def abandon(self) -> None:
        """Remove the folder, as far as that can be done in a moment."""
        if self._here is not None:
            self._remove()
            return
        asked = threading.Thread(target=self._remove, daemon=True)
        asked.start()
        asked.join(WAIT)

    def _remove(self) -> None:
        if self._here is not None:
            shutil.rmtree(self._here, ignore_errors=True)
            return
        with contextlib.suppress(Exception):  # what is left has no _SUCCESS, or is a folder of its owner's alone
            self._places.remove(self._folder)


_unsure: list[Passing] = []  # removed while what was called off may still have written there


def remove_again() -> None:
    """Remove once more what was removed while Spark may still have been writing there: it does not any more."""
    for one in _unsure:
        one.abandon()
        one.stays()
    _unsure.clear()
