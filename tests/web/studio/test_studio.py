"""What may be opened, and what goes when it is closed."""

from __future__ import annotations

import pytest

from incrowd.errors import InputError
from incrowd.web.files.uploads import Uploads
from incrowd.web.studio.studio import MOST_OPEN, Studio, table_endings


@pytest.fixture
def studio():
    made = Studio(None, Uploads())
    yield made
    made.close()


@pytest.mark.parametrize("name", ["a.duckdb", "a.sqlite", "a.db", "a.exe", "a"])
def test_what_may_lead_to_other_files_is_no_table_here(studio, tmp_path, name):
    (tmp_path / name).write_text("a\n1\n")
    with pytest.raises(InputError, match="no kind that can be opened"):
        studio.open_table(tmp_path / name)


def test_every_other_kind_is(studio):
    assert {".csv", ".csv.gz", ".parquet", ".xlsx", ".jsonl", ".arrow"} <= set(table_endings())
    assert not {".duckdb", ".sqlite", ".db"} & set(table_endings())


def test_bombs_are_not_opened(studio, tmp_path, bombs):
    for name, content in bombs.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="far more"):
            studio.open_table(tmp_path / name)
    assert studio.tables == {}


def test_a_closed_table_is_gone_and_closing_all_ends_it(studio, tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    desk = studio.open_table(tmp_path / "a.csv")
    studio.shut(desk.number)
    assert studio.tables == {}
    assert desk.work("columns").state != "working"  # it was not held up by whoever waited for it
    studio.shut("nobody")


def test_so_many_may_be_open_and_no_more(studio, tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    desk = studio.open_table(tmp_path / "a.csv")
    studio.tables |= {str(place): desk for place in range(MOST_OPEN)}
    with pytest.raises(InputError, match="are open"):
        studio.open_table(tmp_path / "a.csv")
    studio.tables = {desk.number: desk}
