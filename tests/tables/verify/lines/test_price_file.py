from __future__ import annotations

import gzip
import io
import zlib

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable
from incrowd.tables.verify.lines import price_file
from incrowd.tables.verify.lines.price_file import PriceFile
from oracles.lined import gzip_bytes

HEAD = b'{"version": 3}\n'


def file_of(folder, data):
    path = folder / "c.gz"
    path.write_bytes(data)
    return path


def read(folder, data, types):
    file = PriceFile(file_of(folder, data))
    file.unpack(types)
    return np.concatenate([np.zeros(0, np.int64), *file.prices(types)]).tolist()


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_prices_come_out_as_they_stand_there_however_small_the_pieces(tmp_path, monkeypatch, piece):
    monkeypatch.setattr(price_file, "PIECE", max(piece, 4))
    prices = [0, -1, 17, LIMIT - 1, 1 - LIMIT, 5]
    data = gzip_bytes(HEAD + b"".join(b"%d\n" % price for price in prices))
    assert PriceFile(file_of(tmp_path, data)).head == {"version": 3}
    assert read(tmp_path, data, 6) == prices


LINES = [
    b"", b"1\n", b"1\n2\n3\n", b"1\n\n2\n", b"1\n2", b"1 \n2\n", b" 1\n2\n", b"1\r\n2\n", b"+1\n2\n", b"-0\n2\n", b"01\n2\n",
    b"1.0\n2\n", b"1e3\n2\n", b"true\n2\n", b'"1"\n2\n', b"1,2\n", b"\xd9\xa1\n2\n", b"%d\n2\n" % LIMIT, b"-%d\n2\n" % LIMIT,
    b"9" * 20 + b"\n2\n", b"1\n2\n\n", b"1\n2\n ", b"1\x002\n3\n", b"1_0\n2\n",
]  # fmt: skip


@pytest.mark.parametrize("lines", LINES)
def test_two_prices_are_nothing_else(tmp_path, lines):
    with pytest.raises(Unreadable):
        read(tmp_path, gzip_bytes(HEAD + lines), 2)
    assert read(tmp_path, gzip_bytes(HEAD + b"1\n2\n"), 2) == [1, 2]


def named():
    """A member that tells its name."""
    held = io.BytesIO()
    with gzip.GzipFile("people.csv", "wb", fileobj=held) as file:
        file.write(HEAD + b"1\n2\n")
    return held.getvalue()


GOOD = gzip_bytes(HEAD + b"1\n2\n")
FILES = {
    "empty": b"", "its first bytes alone": GOOD[:4], "cut short": GOOD[:-1], "without its end": GOOD[:-8],
    "another checksum": GOOD[:-8] + bytes([GOOD[-8] ^ 1]) + GOOD[-7:], "another length": GOOD[:-1] + b"\x01",
    "a byte behind it": GOOD + b"\0", "two members": GOOD + GOOD, "two members with one head": gzip_bytes(HEAD) + gzip_bytes(b"1\n2\n"),
    "a name": named(), "an extra field": GOOD[:3] + b"\x04" + GOOD[4:10] + b"\x00\x00" + GOOD[10:],
    "plain text": HEAD + b"1\n2\n", "zlib": zlib.compress(HEAD + b"1\n2\n"), "a changed block": GOOD[:12] + b"\xff\xff" + GOOD[14:],
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_one_member_of_gzip_without_a_name(tmp_path, name):
    with pytest.raises((Unreadable, InputError)):
        read(tmp_path, FILES[name], 2)


HEADS = [
    b"",
    b"\n",
    b"[1]\n",
    b"{}",
    b'{"a": 1, "a": 2}\n',
    b'{"a": NaN}\n',
    b"\xff\n",
    b'{"a"\n: 1}\n',
    b"3\n",
    b"[" * 3000 + b"\n",
]


@pytest.mark.parametrize("head", HEADS)
def test_a_head_is_an_object_in_the_first_line(tmp_path, head):
    with pytest.raises(InputError, match=r"certificate 'c\.gz' cannot be read: "):
        PriceFile(file_of(tmp_path, gzip_bytes(head)))


def test_a_head_has_so_many_bytes_and_no_more(tmp_path):
    whole = b'{"for": "' + b"x" * (price_file.HEAD - 11) + b'"}'
    assert len(whole) == price_file.HEAD
    assert PriceFile(file_of(tmp_path, gzip_bytes(whole + b"\n"))).head["for"].startswith("x")
    with pytest.raises(InputError, match="first line"):
        PriceFile(file_of(tmp_path, gzip_bytes(b" " + whole + b"\n")))


def test_a_bomb_is_unpacked_as_far_as_the_table_has_row_types(tmp_path, monkeypatch):
    """A megabyte at a time, and none behind what so many prices can take."""
    bomb = gzip_bytes(HEAD + b"1\n" * (40 << 20), level=9)
    assert len(bomb) < 200_000
    file = PriceFile(file_of(tmp_path, bomb))
    pieces = []
    unpack = file._pieces

    def counted(most):
        for piece in unpack(most):
            pieces.append(len(piece))
            yield piece

    monkeypatch.setattr(file, "_pieces", counted)
    with pytest.raises(Unreadable, match="more than the table has row types for"):
        file.unpack(100)
    assert sum(pieces) <= price_file.HEAD + 1 + price_file.LINE * 100
    with pytest.raises(Unreadable, match="more than the table has row types for"):
        file.unpack(1_000_000)
    assert max(pieces) <= price_file.PIECE
    assert sum(pieces) <= price_file.HEAD + 1 + price_file.LINE * 1_000_100


def test_a_file_that_is_not_there_is_refused_in_words(tmp_path):
    with pytest.raises(InputError, match=r"'c\.gz' cannot be read: No such file"):
        PriceFile(tmp_path / "c.gz")
