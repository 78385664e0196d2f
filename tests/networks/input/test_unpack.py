"""Packed files: damage of every kind is refused, and a small file does not fill the machine."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct

import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.input import unpack

TEXT = b"".join(b"%d %d\n" % (i, i + 1) for i in range(3000))


def flipped(data, at):
    out = bytearray(data)
    out[at] ^= 1
    return bytes(out)


def damages():
    gz = gzip.compress(TEXT, mtime=0)
    for name, data in (("gz", gz), ("bz2", bz2.compress(TEXT)), ("xz", lzma.compress(TEXT))):
        yield f"{name} cut off", data[: len(data) // 2]
        yield f"{name} without its last byte", data[:-1]
        yield f"{name} with a bit turned", flipped(data, len(data) // 2)
        yield f"{name} with garbage behind", data + b"garbage"
        yield f"{name} with half a second part", data + data[: len(data) // 3]
        yield f"{name} with a damaged second part", data + flipped(data, len(data) // 2)
    yield "gz with another checksum", gz[:-8] + struct.pack("<I", 7) + gz[-4:]
    yield "gz with another length", gz[:-4] + struct.pack("<I", len(TEXT) + 1)
    yield "gz with another checksum in its first part", gz[:-8] + struct.pack("<I", 7) + gz[-4:] + gz
    yield "gz with another length in its first part", gz[:-4] + struct.pack("<I", 7) + gz
    yield "gz of an unknown method", flipped(gz, 2)


DAMAGES = dict(damages())


@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path, case):
    (tmp_path / "g.txt.packed").write_bytes(DAMAGES[case])
    with pytest.raises(InputError, match="is damaged"):
        networks.read(tmp_path / "g.txt.packed")


def test_a_packed_file_with_any_byte_turned_is_refused_or_unpacks_to_the_same():
    text = b"".join(b"%d %d\n" % (i, i + 1) for i in range(40))
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        data = pack(text)
        for at in range(len(data)):
            try:
                found = unpack.unpacked(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :], "g", lambda: None)
            except InputError:
                continue
            assert found in (None, text), at  # None: no longer packed by its first bytes; text: a time in the head


def test_files_of_several_parts_are_read_whole(tmp_path):
    for name, pack in (("a.gz", gzip.compress), ("a.bz2", bz2.compress), ("a.xz", lzma.compress)):
        (tmp_path / name).write_bytes(pack(TEXT[:5000]) + pack(b"") + pack(TEXT[5000:]))
        graph = networks.read(tmp_path / name)
        assert (graph.nodes, graph.edges) == (3001, 3000)
    (tmp_path / "padded.gz").write_bytes(gzip.compress(TEXT) + bytes(512))
    assert networks.read(tmp_path / "padded.gz").edges == 3000


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_small_file_that_unpacks_without_end_is_refused(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(unpack, "ALWAYS", 1 << 16)
    monkeypatch.setattr(unpack, "PIECE", 1 << 14)
    (tmp_path / "g.txt.gz").write_bytes(pack(b"1 2\n" * 500_000))
    with pytest.raises(InputError, match="unpack it first"):
        networks.read(tmp_path / "g.txt.gz")
    monkeypatch.setattr(unpack, "ALWAYS", 1 << 22)
    assert networks.read(tmp_path / "g.txt.gz").edges == 1


def test_paths_that_are_none_are_refused(tmp_path):
    for path in (tmp_path / ("x" * 300), "a\0b", tmp_path, tmp_path / "missing"):
        with pytest.raises(InputError):
            networks.read(path)
