"""Files that are whole or absent: written beside their place, then renamed."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["stage", "whole_file"]


def stage(path: Path) -> Path:
    """Return a fresh name beside `path`, on the same disk, readable by the owner alone.

    Raises
    ------
    InputError
        If the folder does not exist or cannot be written to.
    """
    folder = path.parent
    if not folder.is_dir():
        raise InputError(f"{path.name!r} cannot be written: its folder does not exist; make it first")
    if path.is_dir():
        raise InputError(f"{path.name!r} is a folder; name a file in it")
    staged = folder / f".{path.name}.{secrets.token_hex(6)}.part{path.suffix}"
    try:
        os.close(os.open(staged, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be written: {error.strerror}") from None
    return staged


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a staged file that takes the place of `path` if the block ends well, and vanishes otherwise."""
    staged = stage(path)
    try:
        yield staged
        publish(staged, path)
    finally:
        staged.unlink(missing_ok=True)


def publish(staged: Path, path: Path) -> None:
    """Let a staged file take its place, with the permissions that a new file would have."""
    umask = os.umask(0)
    os.umask(umask)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~umask
    try:
        staged.chmod(mode)
        staged.replace(path)
    except OSError as error:
        raise InputError(f"{path.name!r} cannot be written: {error.strerror}") from None
