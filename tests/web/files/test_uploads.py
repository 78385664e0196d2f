"""What is sent lands in a private folder under a harmless name, and goes with the run."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from starlette.datastructures import UploadFile

from incrowd.errors import InputError
from incrowd.web.files.size import Limits
from incrowd.web.files.uploads import Uploads, safe_name


@pytest.fixture
def uploads():
    made = Uploads(Limits(upload=1000))
    yield made
    made.close()


def keep(uploads, name, content):
    room = uploads.room()
    return asyncio.run(uploads.keep(UploadFile(io.BytesIO(content), filename=name), room))


@pytest.mark.parametrize(
    ("name", "safe"),
    [("a b.csv", "a_b.csv"), ("../../etc/passwd", "passwd"), ("C:\\data\\a.csv", "a.csv"), (".bashrc", "bashrc"), ("..", ""),
     ("<script>.csv", "_script_.csv"), ("a\0b.csv", "a_b.csv"), ("x" * 200 + ".csv", "x" * 96 + ".csv"), ("łódź.csv", "łódź.csv")],
)  # fmt: skip
def test_names_are_harmless(name, safe):
    assert safe_name(name) == safe


def test_what_is_sent_is_kept_where_nobody_else_can_read_it(uploads):
    path = keep(uploads, "a.csv", b"a\n1\n")
    assert path.read_bytes() == b"a\n1\n"
    assert stat.S_IMODE(path.parent.stat().st_mode) == stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("name", "content", "said"), [("", b"x", "no file"), ("a.csv", b"", "empty"), ("a.csv", b"x" * 1001, "larger")]
)
def test_what_cannot_be_taken_leaves_nothing(uploads, name, content, said):
    room = uploads.room()
    with pytest.raises(InputError, match=said):
        asyncio.run(uploads.keep(UploadFile(io.BytesIO(content), filename=name), room))
    assert list(room.iterdir()) == []


def test_all_of_it_goes_at_the_end(uploads):
    path = keep(uploads, "a.csv", b"a\n1\n")
    uploads.close()
    assert not path.parent.parent.exists()


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path, monkeypatch):
    script = (
        "import sys; from incrowd.web.files.uploads import Uploads\n"
        "uploads = Uploads(); room = uploads.room(); (room / 'a.csv').write_text('a'); print(room, flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=dict(os.environ, TMPDIR=str(tmp_path)),
    )  # fmt: skip
    with process:
        left = Path(process.stdout.readline().strip())
        assert (left / "a.csv").is_file()
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (left / "a.csv").is_file()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    Uploads().close()
    assert list(tmp_path.iterdir()) == []
