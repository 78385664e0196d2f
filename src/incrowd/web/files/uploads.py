"""What a browser sends: written into a private folder that is removed with the run, or by the next after a crash."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.recovery.private_folder import PrivateFolder
from incrowd.web.files.size import LIMITS, refuse_bomb

if TYPE_CHECKING:
    from incrowd.web.files.size import Limits

__all__ = ["Uploads", "safe_name"]

BLOCK = 1 << 20
MOST_NAME = 100
UNSAFE = re.compile(r"[^\w.()+-]+")


class Uploads:
    """A private folder with a room for everything that is open.

    `limits` say how much is taken. Whoever runs next removes the folders of runs that were killed
    (`incrowd.recovery.private_folder`).
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

    async def keep(self, sent: Any, room: Path) -> Path:
        """Write what was sent into a room, under a name of harmless characters.

        `sent` is an UploadFile of a form. Raise `InputError` if nothing was sent, it is too large, or it unpacks to too
        much.
        """
        name = safe_name(sent.filename or "")
        if not name:
            raise InputError("no file was chosen; choose one first")
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
