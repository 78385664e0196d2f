"""Files that belong together are all there or none is, and what is said of them is true."""

import errno
import os
import signal
import stat
import threading
from pathlib import Path

import pytest

from incrowd.atomic_file import file_tally, placed, refuse_place, together, whole_file, write_whole
from incrowd.errors import InputError

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
NAMES = ("certificate.json", "report.html", "release.csv")


def write_three(folder):
    with together():
        write_whole(folder / NAMES[0], "new")
        write_whole(folder / NAMES[1], "new")
        with whole_file(folder / NAMES[2]) as staged:
            staged.write_text("new")


def old_files(folder):
    for name in NAMES:
        (folder / name).write_text("old")


def held(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def failing(monkeypatch, owner, name, at, error=FULL):
    """Let the call number `at` of a function fail."""
    real, calls = getattr(owner, name), []

    def call(*arguments, **options):
        calls.append(arguments)
        if len(calls) == at + 1:
            raise error
        return real(*arguments, **options)

    monkeypatch.setattr(owner, name, call)
    return calls


# the lock and three files; two by us and one by the engine; three files and the journal; permissions
STEPS = [(os, "open", 4), (Path, "write_bytes", 2), (os, "fsync", 4), (Path, "chmod", 3), (Path, "replace", 1)]


@pytest.mark.parametrize(("owner", "name", "at"), [(*step, at) for *step, times in STEPS for at in range(times)])
def test_a_failure_before_the_first_rename_leaves_every_old_file_as_it_was(monkeypatch, tmp_path, owner, name, at):
    old_files(tmp_path)
    failing(monkeypatch, owner, name, at)
    with pytest.raises(InputError, match="cannot be written: the disk is full; free some space; nothing was written"):
        write_three(tmp_path)
    monkeypatch.undo()
    assert held(tmp_path) == dict.fromkeys(NAMES, "old")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_failure_among_the_renames_names_the_files_that_are_in_place(monkeypatch, tmp_path, at):
    old_files(tmp_path)
    failing(monkeypatch, Path, "replace", at + 1, OSError(errno.EIO, "Input/output error"))
    with file_tally():
        with pytest.raises(InputError) as raised:
            write_three(tmp_path)
        told = placed()
    monkeypatch.undo()
    assert str(raised.value).startswith(f"'{NAMES[at]}' cannot be written: Input/output error; ")
    said = (
        "nothing was written",
        "'certificate.json' is in place, 'report.html' and 'release.csv' are not",
        "'certificate.json' and 'report.html' are in place, 'release.csv' is not",
    )[at]
    assert str(raised.value).endswith(said)
    assert told == said.partition(", ")[0]
    assert held(tmp_path) == {name: "new" if i < at else "old" for i, name in enumerate(NAMES)}


def test_every_file_is_on_the_disk_before_the_first_takes_its_place_and_the_release_is_the_last(monkeypatch, tmp_path):
    done = []
    real_sync, real_replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda number: (done.append("sync"), real_sync(number))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append(to.name), real_replace(self, to))[1])
    write_three(tmp_path)
    assert done[:4] == ["sync"] * 4  # three files and the journal
    assert done[4].endswith(".journal")
    assert done[5:] == ["sync", *NAMES, "sync"]  # of the folder, before and after


def test_staged_files_are_their_owners_alone_and_get_the_permissions_of_the_place(tmp_path):
    (tmp_path / "kept").write_text("old")
    (tmp_path / "kept").chmod(0o640)
    before = os.umask(0o027)
    try:
        with together():
            write_whole(tmp_path / "new", "x")
            write_whole(tmp_path / "kept", "x")
            modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob(".*.part*")}
            assert (tmp_path / "kept").read_text() == "old"
    finally:
        os.umask(before)
    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o640


def test_a_signal_among_the_renames_is_heard_after_them(monkeypatch, tmp_path):
    real = Path.replace

    def interrupted(self, to):
        if to.name in NAMES:
            signal.raise_signal(signal.SIGINT)
        return real(self, to)

    monkeypatch.setattr(Path, "replace", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a shell it is ignored
    try:
        with file_tally():
            with pytest.raises(KeyboardInterrupt):
                write_three(tmp_path)
            assert placed() == "'certificate.json' and 'report.html' and 'release.csv' are in place"
        assert held(tmp_path) == dict.fromkeys(NAMES, "new")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_write_too(tmp_path):
    thread = threading.Thread(target=write_three, args=(tmp_path,))
    thread.start()
    thread.join()
    assert held(tmp_path) == dict.fromkeys(NAMES, "new")


@pytest.mark.parametrize("name", ["a" * 304 + ".csv", "ü" * 200 + ".csv", "zero\0byte.csv"])
def test_a_name_that_no_file_can_have_is_refused_in_words(tmp_path, name):
    with pytest.raises(InputError, match="cannot be written: its name is"):
        write_whole(tmp_path / name, "x")
    assert not held(tmp_path)


def test_a_name_as_long_as_the_system_takes_is_written(tmp_path):
    for name in ("b" * 251 + ".csv", "c." + "d" * 250, "ü" * 120 + ".csv.gz", "a[*]?.csv", "e\udcff.csv"):
        write_whole(tmp_path / name, "x")
        assert held(tmp_path).pop(name) == "x"


def test_pipes_devices_and_folders_are_refused_and_stay(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "pipe.csv")
    for path in (
        tmp_path / "pipe.csv",
        tmp_path / "link.csv",
        Path("/dev/null"),
        Path("/dev/stdout"),
        Path("/dev/fd/1"),
    ):
        with pytest.raises(InputError, match="is a pipe or a device, which no file can take the place of; name a file"):
            refuse_place(path, "output")
        with pytest.raises(InputError, match="is a pipe or a device"):
            write_whole(path, "x")
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        write_whole(tmp_path, "x")
    assert stat.S_ISFIFO((tmp_path / "pipe.csv").stat().st_mode)


def test_a_link_gives_way_and_what_it_points_to_stays(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    write_whole(tmp_path / "link", "new")
    write_whole(tmp_path / "dangling", "new")
    assert held(tmp_path) == {"target": "old", "link": "new", "dangling": "new"}
