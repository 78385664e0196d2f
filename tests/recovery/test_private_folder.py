"""Private folders of dead runs go, those of others stay."""

import stat
import sys
import tempfile
from pathlib import Path

import pytest

from incrowd.recovery.private_folder import PrivateFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such locks")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_it_is_its_owners_alone_and_goes_with_all_that_is_in_it(place):
    folder = PrivateFolder()
    assert stat.S_IMODE(Path(folder.name).stat().st_mode) == 0o700
    (Path(folder.name) / "spill").mkdir()
    (Path(folder.name) / "spill" / "x").write_text("x")
    folder.cleanup()
    folder.cleanup()
    assert list(place.iterdir()) == []


def test_those_of_dead_runs_are_removed_by_the_next(place):
    dead, unknown, foreign = place / "incrowd-dead", place / "incrowd-unknown", place / "other-dead"
    for folder in (dead, unknown, foreign):
        folder.mkdir()
        (folder / "rows.csv").write_text("x")
    (dead / "lock").touch()
    (foreign / "lock").touch()
    (place / "incrowd-link").symlink_to(foreign)
    living = PrivateFolder()
    other = PrivateFolder()
    names = {path.name for path in place.iterdir()}
    assert names == {
        "incrowd-unknown", "other-dead", "incrowd-link", Path(living.name).name, Path(other.name).name,
    }  # fmt: skip
    assert (foreign / "rows.csv").exists()
    living.cleanup()
    other.cleanup()
