"""What the system refuses is told in a sentence with what is true of the files, never as a bug of ours."""

import errno
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from incrowd.cli.exit_status import failed
from incrowd.errors import Infeasible, InputError, OurBug
from people import CANARY, GOOD

ROWS = "a,b\n" + "x,u\ny,v\n" * 10
ASKED = ("--qi", "a,b", "--k", "5", "--solver", "greedy")
LONG = "a" * 300


def command(folder, *arguments, out="/dev/full", err=subprocess.PIPE):
    with Path(out).open("wb") as full:
        return subprocess.run(
            [sys.executable, "-m", "incrowd", *arguments], cwd=folder, stdout=full, stderr=err, text=True
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full")
def test_an_answer_that_finds_the_disk_full_says_which_files_are_in_place(tmp_path):
    (tmp_path / "t.csv").write_text(ROWS)
    done = command(tmp_path, "anonymize", "t.csv", "-o", "x.csv", "--json", *ASKED)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (
        2, "incrowd: standard output cannot be written: the disk is full; 'x.csv' is in place",
    )  # fmt: skip
    assert (tmp_path / "x.csv").exists()
    with Path("/dev/full").open("wb") as full:
        assert command(tmp_path, "list", "solvers", err=full).returncode == 2


LONG_NAMES = [("anonymize", "t.csv", "-o", f"{LONG}.csv"), ("anonymize", "t.csv", "-o", "o.csv", "--report", f"{LONG}.html"),
     ("anonymize", "t.csv", "-o", "o.csv", "--certificate", LONG), ("anonymize", f"{LONG}.csv", "-o", "o.csv"),
     ("anonymize", "t.csv", "-o", "o.csv", "--policy", LONG), ("verify", "t.csv", f"{LONG}.csv"),
     ("verify", "t.csv", "t.csv", "--certificate", LONG), ("audit", "t.csv", "--report", LONG),
     ("anonymize", "t.csv", "-o", "o.csv", "--hierarchy", f"a={LONG}")]  # fmt: skip


def test_a_name_too_long_is_told_in_a_sentence(run, tmp_path):
    (tmp_path / "t.csv").write_text(ROWS)
    for arguments in LONG_NAMES:
        more = () if arguments[0] == "audit" else ("--k", "2")
        status, out, err = run(*arguments, "--qi", "a,b", *more)
        assert (status, out) == (2, ""), arguments
        assert "too long" in err, arguments
        assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.parametrize(
    ("error", "said"),
    [(MemoryError(), "not enough memory for this; give it more, or ask for less of it at once; nothing was written"),
     (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "the disk is full; free some space, also for temporary files; nothing was written"),
     (OSError(errno.EIO, "a cell"), "this is our bug: OSError")],
)  # fmt: skip
def test_memory_and_disks_that_run_out_are_no_bugs(run, tmp_path, monkeypatch, error, said):
    (tmp_path / "t.csv").write_text(ROWS)

    def fails(*_, **__):
        raise error

    monkeypatch.setattr("incrowd.jobs.anonymize.prepare", fails)
    status, _, err = run("anonymize", "t.csv", "-o", "x.csv", *ASKED)
    assert status == (70 if "bug" in said else 2)
    assert err.startswith(f"incrowd: {said}")
    assert "a cell" not in err


def test_a_full_disk_under_standard_input_is_told(run, tmp_path, monkeypatch):
    class Full:
        def read(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=Full()))
    status, _, err = run("anonymize", "-", "-o", "x.csv", *ASKED)
    assert (status, err.count("\n")) == (2, 1)
    assert "standard input cannot be copied: the disk is full" in err


def test_an_unforeseen_error_quotes_nothing(run, table, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError(CANARY)

    monkeypatch.setattr("incrowd.tables.engine.base.Engine.fingerprint", broken)
    status, _, err = run("anonymize", table, "-o", "r.csv", *GOOD)
    assert status in (2, 70)
    assert CANARY not in err
    assert not Path("r.csv").exists()


def said(error, capsys):
    return failed(error), capsys.readouterr().err


def test_each_error_has_its_exit_status_and_its_own_sentence(capsys):
    assert said(InputError("no file"), capsys) == (2, "incrowd: no file\n")
    assert said(Infeasible("no release", requirement="k=5", proven=True), capsys) == (3, "incrowd: no release\n")
    assert said(OurBug("refused"), capsys) == (70, "incrowd: refused\n")
    assert said(click.UsageError("no such option"), capsys) == (2, "incrowd: no such option (see `incrowd --help`)\n")
    assert said(click.ClickException("no"), capsys) == (2, "incrowd: no\n")


def test_a_foreign_error_is_told_by_its_kind_and_place_alone(capsys, monkeypatch):
    monkeypatch.delenv("INCROWD_DEBUG", raising=False)
    try:
        raise RuntimeError(CANARY)
    except RuntimeError as error:
        status, text = said(error, capsys)
        assert status == 70
        assert text.startswith("incrowd: this is our bug: RuntimeError in test_exit_status.py, line ")
        assert CANARY not in text
        monkeypatch.setenv("INCROWD_DEBUG", "1")
        with pytest.raises(RuntimeError, match=CANARY):
            failed(error)


def test_lack_of_memory_is_told_as_such_whatever_a_library_made_of_it(capsys):
    made = SystemError("a result with an exception set")
    made.__cause__ = MemoryError()
    engine = type("OutOfMemoryException", (Exception,), {})("of 1 GB in 'a cell'")
    for error in (made, engine):
        assert failed(error) == 2
        told = capsys.readouterr().err
        assert "not enough memory" in told and "cell" not in told


def test_a_process_that_ends_at_once_says_why_with_status_2():
    code = "from incrowd.cli.exit_status import end_now; end_now('not enough memory')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, "incrowd: not enough memory; nothing was written\n")
