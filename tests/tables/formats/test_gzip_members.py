"""Packed files are whole or refused: every member, its checksum and its length."""

import gzip

import pytest

import incrowd
from cases.test_tables_come_in import flipped, with_flags
from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats import gzip_members
from incrowd.tables.formats.gzip_members import is_whole, readable
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

CSV = b"a,b\n" + b"".join(b"v%d,w%d\n" % (i % 7, i % 3) for i in range(400))
JSON = b"".join(b'{"a": "v%d"}\n' % (i * i) for i in range(400))


def whole(data):
    packed, half = gzip.compress(data), len(data) // 2
    parts = gzip.compress(data[:half]), gzip.compress(data[half:])
    yield from (packed, parts[0] + parts[1], gzip.compress(b"") + packed, packed + gzip.compress(b""))
    yield from (packed + b"\0" * 700, with_flags(data), parts[0] + with_flags(data[half:]) + b"\0")


def damaged(data):
    packed, half = gzip.compress(data), len(data) // 2
    parts = gzip.compress(data[:half]), gzip.compress(data[half:])
    yield from (packed[:cut] for cut in (1, 3, 9, 40, -100, -8, -4, -1))
    yield from (flipped(packed, -8), flipped(packed, -5, 128), flipped(packed, -4), flipped(packed, -1))  # crc, length
    yield from (flipped(parts[0], -8) + parts[1], flipped(parts[0], -2) + parts[1], parts[0] + parts[1][:-3])
    yield from (packed + b"more", packed + b"\x1f\x8b", packed + b"\0\0x", parts[0] + b"\0" + parts[1])
    yield from (flipped(packed, place, bits) for place in (0, 1, 2, 60, 90) for bits in (7, 0x55))
    yield from (packed[:3] + b"\xe0" + packed[4:], flipped(with_flags(data), 22), b"")


@pytest.mark.parametrize(("name", "data"), [("t.csv.gz", CSV), ("t.jsonl.gz", JSON)])
def test_whole_files_are_read_and_damaged_ones_refused_in_a_sentence(tmp_path, name, data):
    path = tmp_path / name
    with Engine() as engine:
        for packed in whole(data):
            path.write_bytes(packed)
            found = open_source(engine, path, Reading()).data
            assert engine.one(found.aggregate(n=found.count())) == {"n": 400}
            assert is_whole(path)
        for packed in damaged(data):
            path.write_bytes(packed)
            assert not is_whole(path)
            with pytest.raises(InputError, match=rf"'{name}' cannot be unpacked: it is no whole gzip file"):
                open_source(engine, path, Reading())


def test_a_flipped_checksum_is_refused_by_every_command_that_reads_tables(run, tmp_path):
    (tmp_path / "t.csv.gz").write_bytes(flipped(gzip.compress(CSV), -8))
    (tmp_path / "t.csv").write_bytes(CSV)
    for command in (
        ("anonymize", "t.csv.gz", "-o", "out.csv", "--qi", "a,b", "--k", "2"),
        ("audit", "t.csv.gz", "--qi", "a"),
        ("verify", "t.csv", "t.csv.gz", "--qi", "a", "--k", "2"),
        ("init", "t.csv.gz"),
    ):
        status, out, err = run(*command)
        assert (status, out) == (2, "")
        assert "'t.csv.gz' cannot be unpacked: it is no whole gzip file" in err
    with pytest.raises(InputError, match="no whole gzip file"):
        incrowd.audit(tmp_path / "t.csv.gz", quasi_identifiers=["a"], encoding="latin-1")


def test_a_file_that_unpacks_to_much_is_unpacked_a_block_at_a_time(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a\n" + b"x\n" * (20 << 20)))
    assert max(len(block) for block, _ in gzip_members._blocks(path)) <= gzip_members.CHUNK


def test_a_header_that_the_engine_does_not_know_is_read_from_a_private_copy(tmp_path):
    path = tmp_path / "t.csv.gz"
    with Engine() as engine:
        path.write_bytes(gzip.compress(CSV))
        assert readable(engine, path, "'t.csv.gz'") == path
        path.write_bytes(with_flags(CSV))
        copy = readable(engine, path, "'t.csv.gz'")
        assert copy.parent != tmp_path
        assert copy.suffix == ".csv"
        assert copy.read_bytes() == CSV
