"""All that the runs of a process hold goes at once, but not while files take their places."""

import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import pytest

from incrowd.atomic_file import whole_file
from incrowd.recovery import open_runs
from incrowd.recovery.open_runs import abandon_all, held, undivided
from incrowd.recovery.private_folder import PrivateFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such locks")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(open_runs, "_held", {})
    return tmp_path


def test_staged_files_and_private_folders_go_and_files_in_place_stay(place):
    (place / "old.csv").write_text("old")
    with pytest.raises(FileNotFoundError), whole_file(place / "old.csv") as staged:
        folder = PrivateFolder()
        (Path(folder.name) / "spill").mkdir()
        staged.write_text("new")
        assert held() == 2
        abandon_all()
        assert [path.name for path in place.iterdir()] == ["old.csv"]
        raise FileNotFoundError
    assert (place / "old.csv").read_text() == "old"
    folder.cleanup()
    assert held() == 0 and len(list(place.iterdir())) == 1


def test_what_still_writes_has_its_turn_before_those_that_remove(place):
    order = []

    class Holder:
        def __init__(self, name):
            self.name = name

        def abandon(self):
            order.append(self.name)

    holders = [Holder(name) for name in ("folder", "writer", "file", "first writer")]
    for holder in holders:
        open_runs.hold(holder, first="writer" in holder.name)
    abandon_all()
    assert order == ["first writer", "writer", "folder", "file"]
    del holder, holders
    gc.collect()
    assert held() == 0


def test_a_folder_that_is_still_written_to_keeps_a_lock_by_which_the_next_run_removes_it(place, monkeypatch):
    folder = PrivateFolder()
    (Path(folder.name) / "spill").mkdir()
    monkeypatch.setattr(PrivateFolder, "_empty", lambda _: None)  # as if it were filled again at once
    folder.abandon()
    monkeypatch.undo()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    assert {path.name for path in Path(folder.name).iterdir()} == {"lock", "spill"}
    folder._lock.free()
    (Path(folder.name) / "lock").touch()  # what abandon left, without the life of this process
    PrivateFolder().cleanup()
    assert not Path(folder.name).exists()
    folder._lock = None
    folder.cleanup()


def test_who_is_forgotten_is_held_no_more(place):
    folder = PrivateFolder()
    assert held() == 1
    with warnings.catch_warnings(action="ignore"):  # that it had to be removed for us
        del folder
        gc.collect()
    assert held() == 0


def test_files_that_are_taking_their_places_do_so_first(place):
    done = []
    with undivided():
        thread = threading.Thread(target=lambda: (abandon_all(), done.append("abandoned")))
        thread.start()
        time.sleep(0.05)
        done.append("in place")
    thread.join()
    assert done == ["in place", "abandoned"]


def test_the_next_has_its_turn_where_one_fails(place):
    class Fails:
        def abandon(self):
            raise OSError

    class Counts:
        done = 0

        def abandon(self):
            self.done += 1

    first, second = Fails(), Counts()
    open_runs.hold(first)
    open_runs.hold(second)
    abandon_all()
    assert second.done == 1
    open_runs.release(first)
    open_runs.release(first)
    assert held() == 1


END = """
import sys, threading
from pathlib import Path
from incrowd.atomic_file import whole_file
from incrowd.recovery.open_runs import end_process
from incrowd.recovery.private_folder import PrivateFolder

folder = PrivateFolder()
with whole_file(Path("release.csv")) as staged:
    staged.write_text("a person")
    sys.stdout.write("an answer")
    {end}
    threading.Event().wait(20)
"""


@pytest.mark.parametrize(
    ("end", "answer", "last"),
    [
        ("end_process(7, flush=True)", "an answer", ""),
        ("end_process(7, lambda: 'why')", "", "incrowd: why\n"),
        ("threading.Thread(target=end_process, args=(7, lambda: 'why')).start()", "", "incrowd: why\n"),
    ],
)
def test_a_process_that_ends_now_leaves_nothing_on_the_disk(tmp_path, end, answer, last):
    for name in ("work", "temporary"):
        (tmp_path / name).mkdir()
    done = subprocess.run(
        [sys.executable, "-c", END.format(end=end)], cwd=tmp_path / "work", capture_output=True, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "temporary"), "PYTHONUNBUFFERED": ""},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (7, answer, last)
    assert not [*(tmp_path / "work").iterdir(), *(tmp_path / "temporary").iterdir()]
