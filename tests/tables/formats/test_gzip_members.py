"""Packed files are whole or refused: every member, its checksum and its length."""

import gzip
import tracemalloc

import pytest

import incrowd
from cases.test_tables_come_in import flipped
from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats.base import unpacked

CSV = b"a,b\n" + b"".join(b"v%d,w%d\n" % (i % 7, i % 3) for i in range(400))


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


def test_a_file_that_unpacks_to_much_is_unpacked_a_block_at_a_time_into_the_private_folder(tmp_path):
    path, text = tmp_path / "t.csv.gz", b"a\n" + b"x\n" * (20 << 20)
    path.write_bytes(gzip.compress(text))
    with Engine() as engine:
        tracemalloc.start()
        copy = unpacked(engine, path, "'t.csv.gz'")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
        tracemalloc.stop()
        assert (str(copy.parent), copy.suffix) == (engine.folder.name, ".csv")
        assert copy.read_bytes() == text
