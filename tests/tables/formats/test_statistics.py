import sys

import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.formats.statistics import Statistics
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading


@pytest.mark.parametrize(("ending", "program"), [(".sav", "SPSS"), (".dta", "Stata"), (".xpt", "SAS transport")])
def test_a_file_cut_short_is_refused_with_the_program_it_is_of(tmp_path, ending, program):
    pytest.importorskip("pyreadstat", reason="needs the extra statistics")
    path = tmp_path / f"t{ending}"
    path.write_bytes(b"cut")
    with Engine() as engine, pytest.raises(InputError, match=f"no whole {program} file; it may be cut short"):
        open_source(engine, path, Reading())


def test_without_its_extra_the_reader_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with Engine() as engine, pytest.raises(InputError, match="pip install pyreadstat"):
        Statistics().read(engine, tmp_path / "t.sav", Reading(), "'t.sav'")
