"""Files that belong together are all there or none is, and what is said of them is true; what dead runs staged is swept."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError
from incrowd.recovery import PrivateFolder
from seeds import how_many

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system has no such locks")

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
NAMES = ("c.json", "r.html", "r.csv")  # in the order in which they take their places
ASKED = {"quasi_identifiers": ["a", "b"], "k": 2, "solver": "greedy"}
TABLE = pa.table({"a": ["x", "x", "y", "y"] * 3, "b": ["p", "q", "p", "q"] * 3})


def write_three(folder, table=TABLE):
    with incrowd.anonymize(
        table, certificate=folder / NAMES[0], report=folder / NAMES[1], output=folder / NAMES[2], **ASKED
    ):
        pass


def old_files(folder):
    for name in NAMES:
        (folder / name).write_text("old")


def held(folder):
    """Every file of a folder: `old`, or `new` where it is another."""
    return {path.name: "old" if path.read_text() == "old" else "new" for path in folder.iterdir()}


def failing(monkeypatch, owner, name, at, error=FULL):
    """Let the call number `at` of a function fail; of those that open a file, one beside the outputs."""
    real, calls = getattr(owner, name), []

    def call(*arguments, **options):
        if name == "open" and ".incrowd." not in str(arguments[0]) and ".part" not in str(arguments[0]):
            return real(*arguments, **options)
        calls.append(arguments)
        if len(calls) == at + 1:
            raise error
        return real(*arguments, **options)

    monkeypatch.setattr(owner, name, call)
    return calls


@pytest.fixture(autouse=True, scope="module")
def warm():
    """What is imported and compiled by a first job opens files too."""
    with tempfile.TemporaryDirectory() as name:
        write_three(Path(name))


# the lock and three files; two by us; three files; permissions; the first rename
STEPS = [(os, "open", 4), (Path, "write_bytes", 2), (os, "fsync", 3), (Path, "chmod", 3), (Path, "replace", 1)]


@pytest.mark.few(6)
@pytest.mark.parametrize(("owner", "name", "at"), [(*step, at) for *step, times in STEPS for at in range(times)])
def test_a_failure_before_the_first_rename_leaves_every_old_file_as_it_was(monkeypatch, tmp_path, owner, name, at):
    old_files(tmp_path)
    calls = failing(monkeypatch, owner, name, at)
    with pytest.raises(InputError, match="the disk is full; free some space"):
        write_three(tmp_path)
    monkeypatch.undo()
    assert len(calls) > at
    assert held(tmp_path) == dict.fromkeys(NAMES, "old")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_failure_among_the_renames_names_the_files_that_are_in_place(monkeypatch, run, tmp_path, at):
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "t.csv").write_text("a,b\n" + "x,p\nx,q\ny,p\ny,q\n" * 3)
    out = tmp_path / "out"
    out.mkdir()
    old_files(out)
    failing(monkeypatch, Path, "replace", at, OSError(errno.EIO, "Input/output error"))
    places = ("-o", out / "r.csv", "--certificate", out / "c.json", "--report", out / "r.html")
    status, said, err = run("anonymize", "t/t.csv", *places, "--qi", "a,b", "--k", "2", "--solver", "greedy")
    monkeypatch.undo()
    state = (
        "nothing was written",
        "'c.json' is in place, 'r.html' and 'r.csv' are not",
        "'c.json' and 'r.html' are in place, 'r.csv' is not",
    )[at]
    assert (status, said) == (2, "")
    assert err == f"incrowd: '{NAMES[at]}' cannot be written: Input/output error; {state}\n"
    assert held(out) == {name: "new" if i < at else "old" for i, name in enumerate(NAMES)}


def test_every_file_is_on_the_disk_before_the_first_takes_its_place_and_the_release_is_the_last(monkeypatch, tmp_path):
    done = []
    real_sync, real_replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda number: (done.append("sync"), real_sync(number))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append(to.name), real_replace(self, to))[1])
    write_three(tmp_path)
    assert done == ["sync", "sync", "sync", *NAMES, "sync"]  # at the end the folder
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(NAMES)


def test_staged_files_are_their_owners_alone_and_get_the_permissions_of_the_place(monkeypatch, tmp_path):
    (tmp_path / "r.csv").write_text("old")
    (tmp_path / "r.csv").chmod(0o604)
    seen, real, calls = set(), os.fsync, []

    def sync(number):
        calls.append(number)
        if len(calls) <= 3:  # before they are given away
            seen.update(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob(".*.part*"))
        return real(number)

    monkeypatch.setattr(os, "fsync", sync)
    before = os.umask(0o027)
    try:
        write_three(tmp_path)
    finally:
        os.umask(before)
    assert seen == {0o600}
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"c.json": 0o640, "r.html": 0o640, "r.csv": 0o604}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_among_the_renames_is_heard_after_them(monkeypatch, run, tmp_path, number):
    (tmp_path / "t.csv").write_text("a,b\n" + "x,p\nx,q\ny,p\ny,q\n" * 3)
    real = Path.replace

    def interrupted(self, to):
        if to.name in NAMES:
            signal.raise_signal(number)
        return real(self, to)

    monkeypatch.setattr(Path, "replace", interrupted)
    files = ("-o", "r.csv", "--certificate", "c.json", "--report", "r.html")
    status, _, err = run("anonymize", "t.csv", *files, "--qi", "a,b", "--k", "2", "--solver", "greedy")
    assert status == 128 + number
    if number == signal.SIGINT:
        assert err.lstrip() == "incrowd: interrupted; 'c.json' and 'r.html' and 'r.csv' are in place\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["t.csv", *NAMES])


def test_other_threads_write_too_and_release_what_they_hold(tmp_path):
    fds = len(list(Path("/dev/fd").iterdir())) if Path("/dev/fd").is_dir() else 0
    folders = [tmp_path / str(number) for number in range(4)]
    for folder in folders:
        folder.mkdir()
    threads = [threading.Thread(target=write_three, args=(folder,)) for folder in folders]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [held(folder) for folder in folders] == [dict.fromkeys(NAMES, "new")] * 4
    if fds:
        assert len(list(Path("/dev/fd").iterdir())) <= fds + 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a" * 304 + ".csv", "its name is too long"),
        ("ü" * 200 + ".csv", "its name is too long"),
        ("nowhere/r.csv", "its folder does not exist; make it first"),
        ("folder.csv", "is a folder; name a file in it"),
        ("pipe.csv", "is a pipe or a device, which no file can take the place of; name a file"),
        ("link.csv", "is a pipe or a device"),
        ("t.csv", "is also an input; name another file"),
        ("again.csv", "is also an input; name another file"),
        ("r.exe", "must end in"),
    ],
)
def test_a_place_where_no_file_can_be_put_is_refused_and_stays(run, tmp_path, name, said):
    (tmp_path / "t.csv").write_text("a,b\nx,p\nx,p\n")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "pipe.csv")
    (tmp_path / "again.csv").symlink_to(tmp_path / "t.csv")
    before = sorted(path.name for path in tmp_path.iterdir())
    status, out, err = run("anonymize", "t.csv", "-o", name, "--qi", "a,b", "--k", "2")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert stat.S_ISFIFO((tmp_path / "pipe.csv").stat().st_mode)


@pytest.mark.parametrize("device", ["/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_devices_take_no_certificate(run, tmp_path, device):
    (tmp_path / "t.csv").write_text("a,b\nx,p\nx,p\n")
    status, _, err = run("anonymize", "t.csv", "-o", "r.csv", "--certificate", device, "--qi", "a,b", "--k", "2")
    assert status == 2 and "is a pipe or a device" in err
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_names_as_odd_as_the_system_takes_are_written_and_a_link_gives_way(tmp_path):
    for name in ("b" * 251 + ".csv", "ü" * 120 + ".csv.gz", "a[*]?.csv", "quote'.csv", "é\n.csv"):
        with incrowd.anonymize(TABLE, output=tmp_path / name, **ASKED):
            assert (tmp_path / name).is_file(), name
        (tmp_path / name).unlink()
    (tmp_path / "target").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "target")
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "nowhere")
    for name in ("link.csv", "dangling.csv"):
        with incrowd.anonymize(TABLE, output=tmp_path / name, **ASKED):
            assert not (tmp_path / name).is_symlink()
    assert (tmp_path / "target").read_text() == "old" and not (tmp_path / "nowhere").exists()


# --- what others left in the folder, or put there

RUN = "0123456789ab"
STAGED = f".x.csv.aaaaaa.{RUN}.part.csv"


def job(folder, name="mine.csv"):
    """A run of ours in the folder; what else is there afterwards."""
    with incrowd.anonymize(TABLE, output=folder / name, **ASKED):
        pass
    (folder / name).unlink()
    found = {}
    for path in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another run takes its own away meanwhile
            found[path.name] = path.read_text() if path.is_file() else ""
    return found


def dead(folder):
    """The lock of a run that is no more."""
    (folder / f".incrowd.{RUN}.lock").touch()


def test_what_dead_runs_staged_goes_and_what_belongs_to_others_stays(tmp_path):
    dead(tmp_path)
    own = (STAGED, f"tmp_.out.parquet.aaaaaa.{RUN}.part.parquet")
    others = ("kept.csv", ".hidden", ".out.csv.aaaaaa.ffffffffffff.part.csv", ".incrowd.short.lock")
    for name in (*own, *others):
        (tmp_path / name).write_text("x")
    (tmp_path / f".instance.{RUN}.part").mkdir()
    assert job(tmp_path) == dict.fromkeys(others, "x")
    dead(tmp_path)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / STAGED).symlink_to(tmp_path / "secret")
    assert job(tmp_path) == dict.fromkeys(others, "x") | {"secret": "secret"}


def test_what_a_living_run_stages_is_not_touched(tmp_path):
    lock = tmp_path / f".incrowd.{RUN}.lock"
    with lock.open("w") as living:
        fcntl.flock(living, fcntl.LOCK_EX)
        (tmp_path / STAGED).write_text("theirs")
        assert STAGED in job(tmp_path)
    assert job(tmp_path) == {}  # it died


def test_a_place_that_another_run_is_writing_to_is_waited_for_and_then_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("incrowd.recovery.PATIENCE", 0.1)
    number = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        with pytest.raises(InputError, match=r"'x.csv' is being written by another run; wait for its end; nothing was"):
            job(tmp_path, "x.csv")
    finally:
        os.close(number)
    assert job(tmp_path, "x.csv") == {}


LOCKS = {"a link": Path.symlink_to, "a folder": lambda path, _: path.mkdir(), "a pipe": lambda path, _: os.mkfifo(path)}


@pytest.mark.parametrize("kind", LOCKS)
def test_a_lock_that_is_no_plain_file_is_nobodys(tmp_path, kind):
    LOCKS[kind](tmp_path / f".incrowd.{RUN}.lock", tmp_path / "elsewhere")
    (tmp_path / STAGED).write_text("theirs")
    assert job(tmp_path)[STAGED] == "theirs"


def test_two_runs_in_one_folder_do_not_hinder_one_another(tmp_path):
    threads = [threading.Thread(target=job, args=(tmp_path, f"{n}.csv")) for n in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert list(tmp_path.iterdir()) == []


def test_a_private_folder_that_is_being_made_is_no_dead_one(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    real = fcntl.flock

    def meanwhile(*taken):
        monkeypatch.setattr(fcntl, "flock", real)
        PrivateFolder().cleanup()
        real(*taken)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    folder = PrivateFolder()
    assert (Path(folder.name) / "lock").is_file()
    folder.cleanup()


def test_private_folders_of_dead_runs_go_and_those_of_others_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    gone, unknown, foreign, living = (
        tmp_path / name for name in ("incrowd-dead", "incrowd-unknown", "other-dead", "incrowd-living")
    )
    for folder in (gone, unknown, foreign, living):
        folder.mkdir()
        (folder / "rows.csv").write_text("x")
    for folder in (gone, foreign, living):
        (folder / "lock").touch()
    (tmp_path / "incrowd-link").symlink_to(foreign)
    with (living / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with incrowd.anonymize(TABLE, memory="2GB", **ASKED):
            private = set(tmp_path.iterdir()) - {unknown, foreign, living, tmp_path / "incrowd-link"}
            for folder in private:
                assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and folder.name.startswith("incrowd-")
            assert not gone.exists()
        assert {path.name for path in tmp_path.iterdir()} == {
            "incrowd-unknown",
            "other-dead",
            "incrowd-link",
            "incrowd-living",
        }
        assert (foreign / "rows.csv").exists()


# One warm process forks a child for every step at which the child is killed; the next run sweeps what it left.
EVERY_STEP = """
import os, signal, sys, tempfile
from pathlib import Path
import pyarrow as pa
import incrowd

STEPS = {"open", "os.rename", "os.remove", "os.chmod", "fcntl.flock", "os.scandir"}
steps_of, base = int(sys.argv[1]), Path(sys.argv[2])
tempfile.tempdir = str(base / "temporary")
Path(tempfile.tempdir).mkdir()
table = pa.table({"a": ["x", "x", "y", "y"] * 3, "b": ["p", "q", "p", "q"] * 3})
asked = {"quasi_identifiers": ["a", "b"], "k": 2, "solver": "greedy"}

def run(folder):
    with incrowd.anonymize(table, output=folder / "r.csv", certificate=folder / "other" / "c.json", **asked):
        pass

def killed(step, folder):
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] != 0
    seen = [0]
    def hook(event, arguments):
        if event in STEPS and (event != "open" or str(folder) in str(arguments[0])):
            seen[0] += 1
            if seen[0] == step:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    try:
        run(folder)
    finally:
        os._exit(0)

run_once = base / "warm"
(run_once / "other").mkdir(parents=True)
run(run_once)
step = halves = 0
more = True
while more:
    step += steps_of
    folder = base / f"f{step}"
    (folder / "other").mkdir(parents=True)
    places = [folder / "other" / "c.json", folder / "r.csv"]
    for place in places:
        place.write_text("old")
    more = killed(step, folder)
    ages = [place.read_text() == "old" for place in places]
    halves += ages == [False, True]
    assert ages != [True, False], "the release is the last"
    for at in ((folder / "other", folder), (folder, folder / "other"))[step % 2]:
        with incrowd.anonymize(table, output=at / "mine.csv", **asked):
            pass
        (at / "mine.csv").unlink()
    for place, old in zip(places, ages):
        text = place.read_text()
        assert (text == "old") is old and text, step
    if not any(ages):
        assert not incrowd.verify(table, places[1], certificate=places[0], **asked), step
    left = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    assert left == ["other/c.json", "r.csv"], (step, left)
assert len(list(Path(tempfile.tempdir).glob("incrowd-*"))) <= 1
print(step, halves)
"""


def test_after_a_kill_at_any_step_every_file_is_whole_and_the_release_the_last(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", EVERY_STEP, str(24 if how_many(2, 1) == 1 else 1), str(tmp_path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    steps, halves = map(int, done.stdout.split())
    assert steps >= 24
    if how_many(2, 1) == 2:
        assert halves == 1  # after the first of two renames


@pytest.mark.proofs
def test_a_run_that_waits_for_another_goes_on_after_it(tmp_path):
    """Two processes put files into one folder at once, many times: each finds its own whole."""
    code = (
        "import sys, pyarrow as pa, incrowd\nfrom pathlib import Path\n"
        f"table = pa.table({TABLE.to_pydict()!r})\n"
        f"for turn in range({how_many(8, 2)}):\n"
        f"    with incrowd.anonymize(table, output=Path(sys.argv[1]) / f'{{sys.argv[2]}}.csv', certificate=Path(sys.argv[1]) / f'{{sys.argv[2]}}.json', **{ASKED!r}): pass\n"
    )
    began = random.Random(3)
    processes = [
        subprocess.Popen([sys.executable, "-W", "ignore", "-c", code, str(tmp_path), str(n)]) for n in range(2)
    ]
    time.sleep(began.random() / 10)
    assert [one.wait(200) for one in processes] == [0, 0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.csv", "0.json", "1.csv", "1.json"]
    for n in range(2):
        assert not incrowd.verify(TABLE, tmp_path / f"{n}.csv", certificate=tmp_path / f"{n}.json", **ASKED)
