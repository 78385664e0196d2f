"""A packed certificate: a head, and a price a line. Nothing in it is believed; no more of it is unpacked than fits.

Read a piece at a time: what lies in memory at once is a megabyte, whatever the file unpacks to.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.strict_json import read_json
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["MAGIC", "PriceFile"]

MAGIC = b"\x1f\x8b"  # of gzip
BEGINS = b"\x1f\x8b\x08\x00"  # deflate, and neither name nor comment
HEAD = 1 << 16  # bytes of the head at most
LINE = 21  # bytes of a price at most, with its line feed
PIECE = 1 << 20
PRICES = re.compile(rb"(?:(?:0|-?[1-9][0-9]{0,18})\n)*")


class PriceFile:
    """A certificate of version 3 in its file.

    Raises `InputError` if the file cannot be read, or its beginning holds no head.

    Attributes
    ----------
    head : mapping
        Its first line: nothing in it is checked but that it is an object.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self.head = self._head()
        except Unreadable as error:
            raise self.refused(error) from None

    def refused(self, why: Unreadable) -> InputError:
        """Return the error that says why it cannot be read."""
        return InputError(f"certificate '{self.path.name}' cannot be read: {why}")

    def _head(self) -> Mapping[str, Any]:
        """Return the first line [Z2]."""
        begun = b""
        for piece in self._pieces(1 << 62):
            begun += piece
            if b"\n" in begun or len(begun) > HEAD:
                break
        line, ended, _ = begun.partition(b"\n")
        if not ended or len(line) > HEAD:
            raise Unreadable(f"its first line does not end within {HEAD:,} bytes")
        try:
            head = read_json(line.decode("utf-8"))
        except (ValueError, RecursionError):
            raise Unreadable("its first line is no JSON") from None
        if not isinstance(head, Mapping):
            raise Unreadable("its first line is no object")
        return head

    def unpack(self, types: int) -> None:
        """Unpack all of it once and keep nothing [Z1].

        `types` is how many row types the table has. Raise `Unreadable` if it is not one whole member of gzip, or
        unpacks to more than a certificate of so many types can be.
        """
        last = b""
        for piece in self._pieces(HEAD + 1 + LINE * types):
            last = piece[-1:] or last
        if last != b"\n":  # [Z2]
            raise Unreadable("its last line does not end")

    def prices(self, types: int) -> Iterator[NDArray[np.int64]]:
        """Give the prices in their order, some at a time [Z3].

        There must be as many as `types`. Raise `Unreadable` if they are more or fewer, or something stands there that
        is no price.
        """
        rest, head, left = b"", True, types
        for piece in self._pieces(HEAD + 1 + LINE * types):
            whole, ended, rest = (rest + piece).rpartition(b"\n")
            if head and ended:
                whole, ended = (whole + ended).partition(b"\n")[2], b""
                head = False
            elif len(rest) >= LINE and not head:
                raise Unreadable("a line is longer than a price can be")
            some = _read(whole + ended)
            left -= len(some)
            if left < 0:
                break
            if len(some):
                yield some
        if left or rest:
            raise Unreadable(f"it has not the {types:,} prices that its head says, one a line")

    def _pieces(self, most: int) -> Iterator[bytes]:
        """Give what it unpacks to, a megabyte at most at a time and no more than `most` bytes [Z1]."""
        unpacked = zlib.decompressobj(wbits=31)
        try:
            with self.path.open("rb") as file:
                packed = file.read(PIECE)
                if packed[: len(BEGINS)] != BEGINS:
                    raise Unreadable("it is not packed as gzip without a name; `gzip -n` packs so")
                while packed and not unpacked.eof:
                    piece = unpacked.decompress(packed, PIECE)
                    most -= len(piece)
                    if most < 0:
                        raise Unreadable("it unpacks to more than the table has row types for")
                    yield piece
                    packed = unpacked.unconsumed_tail or (b"" if unpacked.eof else file.read(PIECE))
                if not unpacked.eof:
                    raise Unreadable("it ends before it is whole")
                if unpacked.unused_data or file.read(1):
                    raise Unreadable("something stands behind its end")
        except OSError as error:
            raise Unreadable(str(error.strerror)) from None
        except zlib.error:
            raise Unreadable("it is no whole file of gzip") from None


def _read(lines: bytes) -> NDArray[np.int64]:
    """Return the prices of whole lines."""
    if not PRICES.fullmatch(lines):
        raise Unreadable("a line behind the first is no price")
    found = list(map(int, lines.split()))
    if found and (max(found) >= LIMIT or min(found) <= -LIMIT):  # [F4]
        raise Unreadable("a price is no whole number of its size")
    return np.array(found, np.int64)
