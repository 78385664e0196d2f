"""Files below one folder; what leads out of it is refused."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Root"]

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
        found = []
        for path in self._files():
            if path.name.lower().endswith(tuple(endings)):
                found.append(path.relative_to(self.folder).as_posix())
                if len(found) >= MOST_FILES:
                    break
        return sorted(found)

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
