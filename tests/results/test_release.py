"""A release goes out with its certificate and report, all of them or none."""

import errno
import os
import stat
from pathlib import Path

import pytest

import incrowd
from incrowd.errors import InputError
from incrowd.results import release as module
from incrowd.tables.formats import csv as formats

ROWS = "a,b\n" + "x,u\nx,v\ny,u\ny,v\n" * 5
ASKED = ("--qi", "a,b", "--k", "5", "--solver", "greedy")
NAMES = ("out.csv", "c.json", "r.html")


def release_with(run, folder, *more):
    Path("in.csv").write_text(ROWS)
    beside = ("--certificate", folder / "c.json", "--report", folder / "r.html")
    return run("anonymize", "in.csv", "-o", folder / "out.csv", *beside, *ASKED, *more)


@pytest.mark.few(2)
@pytest.mark.parametrize("step", range(4))
def test_a_full_disk_under_any_file_of_a_release_leaves_the_old_ones(run, tmp_path, monkeypatch, step):
    folder = tmp_path / "out"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text("old")
    full = OSError(errno.ENOSPC, "No space left on device")

    def fails(*_):
        raise full

    if step == 0:  # the certificate
        monkeypatch.setattr(Path, "write_bytes", fails)
    elif step == 1:  # the report
        real = Path.write_bytes
        monkeypatch.setattr(Path, "write_bytes", lambda self, it: fails() if "html" in self.name else real(self, it))
    elif step == 2:  # the release
        monkeypatch.setattr(formats.shutil, "copyfileobj", fails)
    else:
        monkeypatch.setattr(os, "fsync", fails)
    status, out, err = release_with(run, folder)
    monkeypatch.undo()
    assert (status, out) == (2, "")
    assert "the disk is full; free some space" in err
    assert "our bug" not in err
    assert {path.name: path.read_text() for path in folder.iterdir()} == dict.fromkeys(NAMES, "old")


def test_the_files_of_a_release_take_their_places_after_the_check_the_release_last(run, tmp_path, monkeypatch):
    done = []
    real_check, real_replace = module.same_rows, Path.replace
    monkeypatch.setattr(module, "same_rows", lambda *a, **o: (done.append("check"), real_check(*a, **o))[1])
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append(to.name), real_replace(self, to))[1])
    assert release_with(run, tmp_path)[0] == 0
    assert done == ["check", "c.json", "r.html", "out.csv"]


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz", "out.parquet", "out.jsonl", "out.arrow"])
def test_nobody_but_the_owner_reads_a_release_before_it_was_read_back(tmp_path, monkeypatch, name):
    modes = []
    before = os.umask(0o022)

    def seen(real):
        def call(*arguments, **options):
            modes.extend(stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "out").iterdir())
            return real(*arguments, **options)

        return call

    monkeypatch.setattr(module, "same_rows", seen(module.same_rows))
    monkeypatch.setattr(formats.shutil, "copyfileobj", seen(formats.shutil.copyfileobj))
    (tmp_path / "in.csv").write_text(ROWS)
    (tmp_path / "out").mkdir()
    try:
        with incrowd.anonymize(tmp_path / "in.csv", quasi_identifiers=["a", "b"], k=5, solver="greedy") as made:
            made.save(tmp_path / "out" / name)
            private = stat.S_IMODE(Path(made._expanded.table.engine.folder.name).stat().st_mode)
    finally:
        os.umask(before)
    assert set(modes) == {0o600}
    assert private == 0o700
    assert stat.S_IMODE((tmp_path / "out" / name).stat().st_mode) == 0o644


def test_a_standard_output_that_takes_nothing_more_is_said_with_the_files_that_are_in_place(run, tmp_path, monkeypatch):
    class Full:
        def write(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

        def flush(self):
            pass

    Path("in.csv").write_text(ROWS)
    monkeypatch.setattr("incrowd.tables.write._standard_output", lambda: Full())
    status, _, err = run("anonymize", "in.csv", "-o", "-", "--certificate", "c.json", *ASKED)
    assert status == 2
    assert err.endswith("incrowd: standard output cannot be written: the disk is full; 'c.json' is in place\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.json", "in.csv"]


def test_a_certificate_that_cannot_be_had_leaves_no_release(tmp_path):
    (tmp_path / "in.csv").write_text(ROWS)
    with pytest.raises(InputError, match="its folder does not exist"):
        incrowd.anonymize(
            tmp_path / "in.csv", quasi_identifiers=["a", "b"], k=5, solver="greedy",
            output=tmp_path / "out.csv", certificate=tmp_path / "no" / "c.json",
        )  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]
