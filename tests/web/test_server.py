"""The server listens to this machine alone, and what is private to it goes when it ends."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx
import pytest

from incrowd.errors import InputError
from incrowd.web.server import running, serve
from web.visitor import Visitor


def test_it_listens_on_the_loopback_interface_alone():
    with running() as server, socket.socket() as other:
        other.settimeout(2)
        with pytest.raises(OSError):
            other.connect((_address_elsewhere(), server.port))
        assert httpx.get(f"http://127.0.0.1:{server.port}/", trust_env=False).status_code == 403


def _address_elsewhere():
    """An address of this machine that is not 127.0.0.1, if only another one of the loopback network."""
    return "127.0.0.2"


def test_a_table_is_open_at_once_and_its_folder_alone_can_be_chosen_from(tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.csv").write_bytes(small)
    with running(tmp_path / "a.csv") as server, Visitor(server) as visitor:
        assert [desk.label for desk in server.studio.tables.values()] == ["a.csv"]
        page = visitor.text("/")
        assert 'value="a.csv"' in page
        assert "b.csv" not in page
        assert "only files below the folder" in visitor.after(visitor.post("/choose", {"file": "deep/b.csv"}))


def test_without_a_folder_files_can_only_be_sent(small):
    with running() as server, Visitor(server) as visitor:
        assert "without a folder" in visitor.after(visitor.post("/choose", {"file": "/etc/passwd"}))
        assert visitor.upload("a.csv", small).startswith("/tables/")


def test_nothing_is_said_of_requests_that_are_cut_off_at_the_end(caplog):
    log = logging.getLogger("uvicorn.error")
    with running() as server:
        log.error("while it runs")
        server.studio.closing = True
        log.error("at the end")
    log.error("afterwards")
    assert caplog.messages == ["while it runs", "afterwards"]


def test_what_was_sent_goes_with_the_server(tmp_path, monkeypatch, small):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with running() as server, Visitor(server) as visitor:
        visitor.opened("a.csv", small)
        assert list(tmp_path.rglob("a.csv"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("table", ["nobody.csv", "/etc"])
def test_a_table_that_is_none_is_said_at_once(table):
    with pytest.raises(InputError, match="there is no file"), running(Path(table)):
        pass


def test_a_table_out_of_the_root_is_refused(tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    (tmp_path / "root").mkdir()
    with pytest.raises(InputError, match="does not lie below"), running(tmp_path / "a.csv", tmp_path / "root"):
        pass


def test_a_port_that_is_taken_is_said():
    with running() as server, pytest.raises(InputError, match="cannot be used"), running(port=server.port):
        pass


def test_ctrl_c_ends_it_with_nothing_left_and_no_cell_was_said(tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "incrowd", "serve", "a.csv", "--no-browser"], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=str(tmp_path / "tmp")),
    )  # fmt: skip
    with process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        with httpx.Client(trust_env=False) as client:
            assert [client.get(address).status_code for _ in range(2)] == [200, 403]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err.splitlines()[-1] == "incrowd: the app has ended, and what was sent to it is removed."
    assert "interrupted" not in err
    assert (out, list((tmp_path / "tmp").iterdir())) == ("", [])
    assert address not in err
    assert "flu" not in err
    assert "Traceback" not in err


def test_serve_says_its_address_and_opens_a_browser_only_where_it_is_wanted(monkeypatch):
    said, opened, open_still = [], [], []
    monkeypatch.setattr("webbrowser.open", opened.append)

    def until():
        open_still.append(httpx.get(said[-1].partition("/enter")[0] + "/", trust_env=False).status_code)

    for browser in (False, True):
        serve(None, None, 0, browser=browser, say=said.append, until=until)
    assert open_still == [403, 403]
    assert len(said) == 2
    assert opened == said[1:]
    with pytest.raises(httpx.ConnectError):
        until()
