"""A run killed at any step leaves all files old or all new, once the next run has cleared its folder."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from incrowd.atomic_file import together, write_whole
from incrowd.errors import InputError
from incrowd.recovery.held_locks import new_lock
from incrowd.recovery.leftovers import Run, clear, cut_off

RUN = "0123456789ab"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such locks")

# one process without threads that forks a child for every step at which the child is killed
KILLED_AT_EVERY_STEP = """
import os, shutil, signal, sys, tempfile
from pathlib import Path
from incrowd.atomic_file import together, write_whole
from incrowd.recovery.leftovers import clear, cut_off

STEPS = {"open", "os.rename", "os.remove", "os.chmod", "fcntl.flock", "os.scandir"}

def killed(step, job):
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] != 0
    seen = [0]
    def hook(event, _):
        seen[0] += event in STEPS
        if event in STEPS and seen[0] == step:
            os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    try:
        job()
    finally:
        os._exit(0)

def places(base):
    return [base / "other" / "certificate.json", base / "report.html", base / "release.csv"]

def write(base):
    with together():
        for place in places(base):
            write_whole(place, "new " + place.name)

def ages(base):
    texts = [place.read_text() for place in places(base)]
    assert all(text in ("old", "new " + place.name) for text, place in zip(texts, places(base)))
    return {text[:3] for text in texts}

def alone(base):
    return sorted(path for path in base.rglob("*") if path.is_file()) == sorted(places(base))

steps = halves = again = 0
more = True
while more:
    steps += 1
    with tempfile.TemporaryDirectory() as name:
        base = Path(name, "a")
        (base / "other").mkdir(parents=True)
        for place in places(base):
            place.write_text("old")
        more = killed(steps, lambda: write(base))
        if len(ages(base)) > 1:
            halves += 1
            assert cut_off(places(base)[2])
            step, fails = 0, True
            while fails:  # whoever puts it right may be killed as well
                step += 1
                again += 1
                copy = Path(name, "b")
                shutil.copytree(base, copy)
                fails = killed(step, lambda: (clear(copy), clear(copy / "other")))
                assert len(ages(copy)) == 1 or cut_off(places(copy)[2])
                for folder in (copy / "other", copy, copy / "other")[step % 2 :]:
                    clear(folder)
                assert ages(copy) == {"new"} and alone(copy)
                shutil.rmtree(copy)
        for folder in (base / "other", base, base / "other")[steps % 2 :]:
            clear(folder)
        assert len(ages(base)) == 1 and alone(base) and not cut_off(places(base)[2])
print(steps, halves, again)
"""


def test_after_a_kill_at_any_step_all_files_are_old_or_all_are_new():
    done = subprocess.run([sys.executable, "-c", KILLED_AT_EVERY_STEP], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    steps, halves, again = map(int, done.stdout.split())
    assert steps > 30  # the loop ended because the last child came to its end
    assert halves == 2  # after the first and after the second of three renames
    assert again > 10


def dead_run(folder, run=RUN):
    """Leave the lock of a run that is no more."""
    (folder / f".incrowd.{run}.lock").touch()


def journal_of(folder, files, run=RUN, **keys):
    path = folder / f".incrowd.{run}.journal"
    path.write_text(json.dumps({"version": 1, "files": files} | keys))
    path.chmod(0o600)
    return path


def test_what_dead_runs_staged_goes_and_what_belongs_to_others_stays(tmp_path):
    dead_run(tmp_path)
    own = (f".out.csv.aaaaaa.{RUN}.part.csv", f"tmp_.out.parquet.aaaaaa.{RUN}.part.parquet")
    for name in (*own, "kept.csv", ".hidden", ".out.csv.aaaaaa.ffffffffffff.part.csv"):
        (tmp_path / name).write_text("x")
    (tmp_path / f".instance.{RUN}.part").mkdir()
    clear(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "kept.csv", ".hidden", ".out.csv.aaaaaa.ffffffffffff.part.csv",
    }  # fmt: skip


def test_what_a_living_run_staged_stays(tmp_path):
    held = new_lock(tmp_path / f".incrowd.{RUN}.lock")
    staged = tmp_path / f".out.csv.aaaaaa.{RUN}.part.csv"
    staged.write_text("x")
    clear(tmp_path)
    assert staged.exists()
    held.free()
    dead_run(tmp_path)
    clear(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_had_made_way_comes_back(tmp_path):
    dead_run(tmp_path)
    (tmp_path / f".instance.{RUN}.old").mkdir()
    (tmp_path / f".instance.{RUN}.old" / "table.csv").write_text("x")
    (tmp_path / f".instance.{RUN}.part").mkdir()
    clear(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["instance"]
    assert (tmp_path / "instance" / "table.csv").read_text() == "x"


def test_a_staged_file_of_another_size_is_not_put_in_place(tmp_path):
    dead_run(tmp_path)
    staged = f".out.csv.aaaaaa.{RUN}.part.csv"
    (tmp_path / staged).write_text("broken off")
    (tmp_path / "out.csv").write_text("old")
    journal_of(tmp_path, [{"staged": staged, "place": "out.csv", "size": 100, "folder": "."}])
    assert cut_off(tmp_path / "out.csv")
    clear(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out.csv": "old"}


def test_a_run_in_the_same_folder_finishes_what_another_began_before_its_own(tmp_path):
    dead_run(tmp_path)
    staged = f".out.csv.aaaaaa.{RUN}.part.csv"
    (tmp_path / staged).write_text("theirs")
    journal_of(tmp_path, [{"staged": staged, "place": "out.csv", "size": 6, "folder": "."}])
    write_whole(tmp_path / "mine.csv", "mine")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"out.csv": "theirs", "mine.csv": "mine"}


def test_what_a_living_run_is_renaming_is_not_written_over(tmp_path):
    held = new_lock(tmp_path / f".incrowd.{RUN}.lock")
    staged = f".out.csv.aaaaaa.{RUN}.part.csv"
    (tmp_path / staged).write_text("theirs")
    journal_of(tmp_path, [{"staged": staged, "place": "out.csv", "size": 6, "folder": "."}])
    with pytest.raises(InputError, match="'out.csv' is being written by another run; wait for its end; nothing was"):
        write_whole(tmp_path / "out.csv", "mine")
    write_whole(tmp_path / "other.csv", "mine")
    held.free()


def test_runs_in_one_folder_do_not_hinder_one_another(tmp_path):
    with together():
        write_whole(tmp_path / "a", "1")
        inner = Run()
        inner.enter(tmp_path)
        write_whole(tmp_path / "b", "2")
        inner.leave()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def test_a_folder_that_cannot_be_read_is_left_alone(tmp_path):
    clear(tmp_path / "none")
    assert not cut_off(tmp_path / "none" / "x")


def test_locks_of_a_folder_do_not_outlive_the_run(tmp_path):
    before = len(list(Path("/dev/fd").iterdir())) if Path("/dev/fd").is_dir() else 0
    for number in range(20):
        with together():
            write_whole(tmp_path / f"{number}", "x")
            write_whole(tmp_path / f"{number}b", "x")
    assert len(list(tmp_path.iterdir())) == 40
    if before:
        assert len(list(Path("/dev/fd").iterdir())) <= before + 1
