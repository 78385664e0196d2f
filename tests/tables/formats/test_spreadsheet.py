import sys

import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats.spreadsheet import Spreadsheet
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading


def test_a_workbook_cut_short_is_refused(tmp_path):
    pytest.importorskip("fastexcel", reason="needs the extra statistics")
    (tmp_path / "t.xlsx").write_bytes(b"PK\x03\x04 cut")
    with Engine() as engine, pytest.raises(InputError, match=r"'t.xlsx' is no whole Excel workbook"):
        open_source(engine, tmp_path / "t.xlsx", Reading())


def test_without_its_extra_the_reader_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    (tmp_path / "t.xlsx").write_bytes(b"PK")
    with Engine() as engine, pytest.raises(InputError, match="pip install fastexcel"):
        Spreadsheet().read(engine, tmp_path / "t.xlsx", Reading(), "'t.xlsx'")
