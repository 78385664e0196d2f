"""What a file holds when it is unpacked: counted first, so that a small one cannot fill the disk."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from incrowd.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LIMITS", "Limits", "refuse_bomb"]

BLOCK = 1 << 20
PARQUET, ZIP, GZIP = b"PAR1", b"PK\x03\x04", b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a table may be.

    Attributes
    ----------
    upload : int
        Bytes that are sent.
    unpacked : int
        Bytes once a packed file is unpacked.
    ratio, free : int
        A file may unpack to so many times its size, and to `free` bytes whatever its size.
    cells : int
        Rows times columns, where a file says them.
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
            _count_members(path, most)
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


def _count_members(path: Path, most: int) -> None:
    total = 0
    with zipfile.ZipFile(path) as book:
        for member in book.infolist():
            with book.open(member) as stream:
                total = _count(stream, most, total)


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
