"""A lock is taken from the dead only."""

import os
import subprocess
import sys

import pytest

from incrowd.recovery import held_locks
from incrowd.recovery.held_locks import folder_held, new_lock, take_dead

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such locks")

HOLD = """
import sys, time
from pathlib import Path
from incrowd.recovery.held_locks import new_lock
held = new_lock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def test_a_lock_of_a_living_process_is_not_taken_and_that_of_a_killed_one_is(tmp_path):
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        assert take_dead(path) is None
        other.kill()
        other.wait()
    held = take_dead(path)
    assert held is not None
    assert take_dead(path) is None  # now it is ours
    held.free()
    assert not path.exists()
    assert take_dead(path) is None


def test_only_plain_files_are_taken(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("link", "pipe", "folder", "none"):
        assert take_dead(tmp_path / name) is None, name


def test_a_lock_whose_file_another_removed_is_made_anew(tmp_path, monkeypatch):
    path, real, calls = tmp_path / "lock", held_locks._taken, []

    def slow(number):
        calls.append(number)
        if len(calls) == 1:
            path.unlink()
        return real(number)

    monkeypatch.setattr(held_locks, "_taken", slow)
    held = new_lock(path)
    assert len(calls) == 2
    assert path.exists()
    held.free()


def test_where_there_are_no_locks_none_is_held(tmp_path, monkeypatch):
    monkeypatch.setattr(held_locks, "_taken", lambda _: False)
    assert new_lock(tmp_path / "lock") is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_held_by_one_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(held_locks, "PATIENCE", 0.05)
    with folder_held(tmp_path) as first:
        assert first
        with folder_held(tmp_path) as second:
            assert not second
    with folder_held(tmp_path) as third:
        assert third
    with folder_held(tmp_path / "none") as nothing:
        assert nothing
