"""Files below one folder; what leads out of it is refused."""

from __future__ import annotations

import gzip
import itertools
import os
import re
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.recovery import PrivateFolder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_FILES = 500
MOST_FOLDERS = 2_000


@dataclass(frozen=True, slots=True)
class Root:
    """A folder whose files may be read.

    `deep` says whether the files of the folders below it may be read too. Raises `InputError` if it is no folder.
    """

    folder: Path
    deep: bool = True

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise InputError(f"{self.folder.name!r} is no folder; --root names the folder whose tables may be opened")
        object.__setattr__(self, "folder", self.folder.resolve())

    def path(self, name: str) -> Path:
        """Return the file that a name leads to, from the folder, with ``/`` between its parts.

        Raise `InputError` if it leads out of the folder, directly or by a link, or to no file.
        """
        parts = name.split("/")
        wrong = any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts)
        if wrong or (len(parts) > 1 and not self.deep):
            raise InputError("only files below the folder that incrowd serve was started with can be opened")
        try:
            found = self.folder.joinpath(*parts).resolve(strict=True)
        except OSError:
            raise InputError("there is no such file below the folder; reload the list") from None
        if not found.is_relative_to(self.folder) or (not self.deep and found.parent != self.folder):
            raise InputError(
                "this is a link out of the folder that incrowd serve was started with; copy the file into it"
            )
        if not found.is_file():
            raise InputError("this is no file; choose a table")
        return found

    def names(self, endings: Sequence[str]) -> list[str]:
        """Return the files with some endings, sorted, at most 500; hidden ones and links are left out.

        The endings are in lower case, with their dots.
        """
        fit = (path for path in self._files() if path.name.lower().endswith(tuple(endings)))
        return sorted(path.relative_to(self.folder).as_posix() for path in itertools.islice(fit, MOST_FILES))

    def _files(self) -> Iterator[Path]:
        waiting, seen = [self.folder], 0
        while waiting and seen < MOST_FOLDERS:
            folder, seen = waiting.pop(0), seen + 1
            try:
                with os.scandir(folder) as entries:
                    here = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in here:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting += [Path(entry.path)] if self.deep else []
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)


# What a file holds when it is unpacked: counted first, so that a small one cannot fill the disk.
PARQUET, ZIP, GZIP = b"PAR1", b"PK\x03\x04", b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a table may be.

    `upload`: bytes that are sent. `unpacked`: bytes once a packed file is unpacked. `ratio`, `free`: a file may unpack
    to so many times its size, and to `free` bytes whatever its size. `cells`: rows times columns, where a file says
    them.
    """

    upload: int = 2 << 30
    unpacked: int = 8 << 30
    ratio: int = 100
    free: int = 64 << 20
    cells: int = 2_000_000_000

    def most(self, packed: int) -> int:
        """Return what a file of `packed` bytes may unpack to."""
        return min(self.unpacked, max(self.free, self.ratio * packed))


LIMITS = Limits()


def refuse_bomb(path: Path, limits: Limits = LIMITS) -> None:
    """Refuse a file that unpacks to more than a table of its size would.

    A file of any kind is taken, which is known by its first bytes, not by its name. Raise `InputError` if it unpacks to
    more, or is cut short.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(4)
    most = limits.most(size)
    try:
        if head.startswith(GZIP):
            with gzip.open(path) as stream:
                _count(stream, most)
        elif head == ZIP:
            with zipfile.ZipFile(path) as book:
                total = 0
                for member in book.infolist():
                    with book.open(member) as stream:
                        total = _count(stream, most, total)
        elif head == PARQUET:
            _refuse_parquet(path, limits)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        raise InputError(f"{path.name!r} cannot be unpacked; it may be cut short") from None


def _count(stream: IO[bytes] | gzip.GzipFile, most: int, already: int = 0) -> int:
    while block := stream.read(BLOCK):
        already += len(block)
        if already > most:
            raise InputError(
                "this file unpacks to far more than a table of its size holds, and is not opened; unpack it yourself "
                "and open what comes out"
            )
    return already


def _refuse_parquet(path: Path, limits: Limits) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        told = pq.read_metadata(path)
    except (pa.ArrowException, ValueError):
        raise InputError(f"{path.name!r} is no whole Parquet file; it may be cut short") from None
    if told.num_rows * max(1, told.num_columns) > limits.cells:
        raise InputError(
            f"this file holds {told.num_rows:,} rows and {told.num_columns:,} columns, more than the app opens; use "
            "incrowd in a shell"
        )


# What a browser sends: written into a private folder that is removed with the run, or by the next after a crash.
BLOCK = 1 << 20
MOST_NAME = 100
NONE = "no file was chosen; choose one first"
UNSAFE = re.compile(r"[^\w.()+-]+")


class Uploads:
    """A private folder with a room for everything that is open.

    `limits` say how much is taken. Whoever runs next removes the folders of runs that were killed
    (`incrowd.recovery`).
    """

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._folder = PrivateFolder()
        self.limits = limits
        self._rooms = 0

    def room(self) -> Path:
        """Return a fresh folder in it."""
        self._rooms += 1
        made = Path(self._folder.name) / f"room{self._rooms}"
        made.mkdir(mode=0o700)
        return made

    async def keep(self, sent: Any, room: Path, none: str = NONE) -> Path:
        """Write what was sent into a room, under a name of harmless characters.

        `sent` is an UploadFile of a form; `none` is what is said where there is none. Raise `InputError` if that is so,
        it is too large, or it unpacks to too much.
        """
        name = safe_name(getattr(sent, "filename", None) or "")
        if not name:
            raise InputError(none)
        path, written = room / name, 0
        try:
            with path.open("wb") as file:
                while block := await sent.read(BLOCK):
                    written += len(block)
                    if written > self.limits.upload:
                        raise InputError(
                            f"the file is larger than {self.limits.upload >> 20:,} MB; start incrowd serve with --root "
                            "and its folder, then nothing is sent"
                        )
                    file.write(block)
            if not written:
                raise InputError("the file is empty; choose another")
            refuse_bomb(path, self.limits)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return path

    def close(self) -> None:
        """Remove the folder with all that is in it."""
        self._folder.cleanup()


def safe_name(name: str) -> str:
    """Return the last part of a name with nothing in it but letters, digits and ``._()+-``; it begins with no dot.

    The name is as a browser sent it.
    """
    last = re.split(r"[/\\]", name)[-1]
    return UNSAFE.sub("_", last).lstrip(".")[-MOST_NAME:]
