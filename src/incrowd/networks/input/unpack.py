"""Files as bytes, unpacked piece by piece: every checksum is compared, and the size is limited."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.networks.input.limits import afford

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["read_bytes", "unpacked"]

PIECE = 1 << 22
FEED = 1 << 14
ALWAYS = 1 << 28  # bytes that any packed file may unpack to
MEMORY = 1 << 29  # that xz may ask for; its strongest setting takes 65 MB
TIMES = 100  # and so many times its own size

DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)


def read_bytes(path: Path, ask: Callable[[], None]) -> bytes:
    """Read a file.

    `ask` is called after every 64 MiB of a large file and raises to stop. InputError is raised if there is no such
    file, it is a folder, or it cannot be read.
    """
    shown = f"{path.name[:60]!r}"
    try:
        if path.is_dir():
            raise InputError(f"{shown} is a folder, not a network file")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            afford(ask, size if size <= 16 * PIECE else 2 * size)
            if size <= 16 * PIECE and path.is_file():
                return file.read()
            pieces = []
            while piece := file.read(16 * PIECE):
                pieces.append(piece)
                ask()
            return b"".join(pieces)
    except FileNotFoundError:
        raise InputError(f"there is no file {shown}; give the path of a network file") from None
    except OSError as error:
        raise InputError(f"cannot read {shown}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"cannot read {shown}: that is no path of a file") from None


def unpacked(data: bytes, name: str, ask: Callable[[], None]) -> bytes | None:
    """Unpack gzip, bzip2 or xz, which the first bytes tell apart; None for a file that is packed in none of these ways.

    `data` is the content of the file, and `name` its name, for messages. `ask` is called between pieces of the output
    and raises to stop.

    InputError is raised if the file is damaged: cut off, a checksum or length that does not fit (of every part of a
    file of several), or bytes behind the end. It is also raised if it holds more than 256 MB and more than a hundred
    times its own size.
    """
    if data[:2] == b"\x1f\x8b":
        pieces = _gzip(data, ask)
    elif data[:3] == b"BZh" and data[3:4].isdigit():
        pieces = _parts(data, bz2.BZ2Decompressor)
    elif data[:6] == b"\xfd7zXZ\0":
        pieces = _parts(data, lambda: lzma.LZMADecompressor(memlimit=MEMORY), padding=b"\0")
    else:
        return None
    most, size, out = max(ALWAYS, TIMES * len(data)), 0, []
    try:
        for piece in pieces:
            size += len(piece)
            if size > most:
                break
            out.append(piece)
            ask()
    except DAMAGED:
        raise InputError(f"{name!r} is damaged: it cannot be unpacked whole; fetch or pack it again") from None
    if size > most:
        raise InputError(
            f"{name!r} has {len(data):,} bytes and unpacks to more than {most:,}; if it is meant to, unpack it first"
        )
    afford(ask, size)
    return b"".join(out)


class _Asked(io.BytesIO):
    """Bytes as a file that asks whenever a piece is taken."""

    def __init__(self, data: bytes, ask: Callable[[], None]) -> None:
        super().__init__(data)
        self._ask = ask

    def read(self, size: int | None = -1, /) -> bytes:
        self._ask()
        return super().read(size)


def _gzip(data: bytes, ask: Callable[[], None]) -> Iterator[bytes]:
    """Python's reader compares the checksum and the length of every member, and refuses what is no member."""
    with gzip.GzipFile(fileobj=_Asked(data, ask)) as file:
        while piece := file.read(PIECE):
            yield piece


def _parts(data: bytes, make: Callable[[], Any], padding: bytes = b"") -> Iterator[bytes]:
    """Unpack one stream after the other; each compares its own checksum."""
    at = 0
    while at < len(data):
        part = make()
        while not part.eof:
            feed = data[at : at + FEED] if part.needs_input else b""
            at += len(feed)
            piece = part.decompress(feed, PIECE)
            if not (piece or feed or part.eof):
                raise EOFError
            yield piece
        at -= len(part.unused_data)
        while padding and data[at : at + 1] == padding:
            at += 1
