"""Small files that unpack to much are refused before anything unpacks them; honest ones pass."""

from __future__ import annotations

import gzip
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from incrowd.errors import InputError
from incrowd.web.files.size import Limits, refuse_bomb

TIGHT = Limits(upload=1 << 20, unpacked=1 << 20, ratio=10, free=1 << 12, cells=1000)


def test_bombs_are_refused(tmp_path, bombs):
    for name, content in bombs.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="far more than a table of its size"):
            refuse_bomb(tmp_path / name)


def test_a_bomb_in_many_members_is_one_bomb(tmp_path):
    with zipfile.ZipFile(tmp_path / "many.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        for place in range(40):
            book.writestr(f"xl/{place}.xml", b"0" * 4000)
    with pytest.raises(InputError, match="far more"):
        refuse_bomb(tmp_path / "many.xlsx", TIGHT)


def test_a_member_that_lies_about_its_size_is_counted(tmp_path):
    with zipfile.ZipFile(tmp_path / "lie.xlsx", "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("a.xml", b"0" * 200_000)
    content = bytearray((tmp_path / "lie.xlsx").read_bytes())
    at = content.rindex(b"PK\x01\x02") + 24  # the size unpacked, in the directory
    content[at : at + 4] = (10).to_bytes(4, "little")
    (tmp_path / "lie.xlsx").write_bytes(bytes(content))
    with pytest.raises(InputError):
        refuse_bomb(tmp_path / "lie.xlsx", TIGHT)


@pytest.mark.parametrize("cut", [12, 40])
def test_what_is_cut_short_is_said(tmp_path, cut):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(bytes(range(256)) * 4)[:-cut])
    with pytest.raises(InputError, match="cut short"):
        refuse_bomb(tmp_path / "a.csv.gz")


def test_a_parquet_file_of_too_many_rows_is_refused(tmp_path):
    pq.write_table(pa.table({"a": [0] * 600, "b": [0] * 600}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="600 rows and 2 columns"):
        refuse_bomb(tmp_path / "a.parquet", TIGHT)
    refuse_bomb(tmp_path / "a.parquet")


def test_honest_files_pass(tmp_path):
    (tmp_path / "a.csv").write_text("a\n" * 100)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n" * 200))
    for name in ("a.csv", "a.csv.gz"):
        refuse_bomb(tmp_path / name, TIGHT)
