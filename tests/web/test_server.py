"""The server listens to this machine alone, says one line, and what is private to it goes when it ends."""

from __future__ import annotations

import logging
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser

import httpx
import pytest

import incrowd
from incrowd.errors import InputError
from web.visitor import Visitor, below


def port_of(studio):
    return int(studio.address.partition("/enter")[0].rpartition(":")[2])


def test_it_listens_on_the_loopback_interface_alone():
    with incrowd.studio() as studio, socket.socket() as other:
        other.settimeout(2)
        with pytest.raises(OSError):
            other.connect(("127.0.0.2", port_of(studio)))  # another address of this machine
        assert studio.address.startswith("http://127.0.0.1:")
        assert httpx.get(f"http://127.0.0.1:{port_of(studio)}/", trust_env=False, verify=False).status_code == 403


def test_a_table_is_open_at_once(tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    with incrowd.studio(tmp_path / "a.csv") as studio, Visitor(studio) as visitor:
        page = visitor.text("/")
        assert 'value="a.csv"' in page and page.count("/close") == 1
        assert "72 rows, 3 columns" in visitor.settled(
            page.partition('action="')[2].partition("/close")[0] + "/columns"
        )


def test_without_a_folder_files_can_only_be_sent(small):
    with incrowd.studio() as studio, Visitor(studio) as visitor:
        for kind in ("table", "network"):
            answer = visitor.post("/choose", {"file": "/etc/passwd", "as": kind})
            assert "started without a folder; send the file instead" in visitor.after(answer)
        place = visitor.upload("a.csv", small)
        visitor.settled(place)
        answer = visitor.post(place.replace("columns", "open"), {"file": "p.toml"})
        assert "started without a folder; send the policy instead" in visitor.after(answer)


def test_what_was_sent_goes_with_the_server(tmp_path, monkeypatch, small):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with incrowd.studio() as studio, Visitor(studio) as visitor:
        place = visitor.opened("a.csv", small)
        visitor.search(place)
        there = below(tmp_path)
        assert {"a.csv", "release.csv"} <= {path.name for path in there}
        assert all(mode & 0o077 == 0 for mode in there.values() if stat.S_ISDIR(mode))
    assert list(tmp_path.iterdir()) == []


def test_an_end_in_the_middle_of_work_is_soon_and_says_nothing(caplog, small, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    heard = []

    def listen(visitor, place):
        with visitor.client.stream("GET", f"{place}/tasks/run/events") as events:
            heard.extend(events.iter_lines())

    with incrowd.studio() as studio:
        visitor = Visitor(studio)
        rows = "".join(f"{n % 61},{n * 7 % 53},{n * n % 47},{n % 2}\n" for n in range(3000))
        place = visitor.opened("b.csv", f"a,b,c,d\n{rows}".encode())
        visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["a", "b", "c", "d"]\nk = 5\n'})
        visitor.post(f"{place}/search", {"time_limit": "500"})
        thread = threading.Thread(target=listen, args=(visitor, place))
        thread.start()
        end = time.monotonic() + 30
        while not heard and time.monotonic() < end:
            time.sleep(0.05)
        caplog.clear()
    thread.join(30)
    visitor.close()
    assert heard and not thread.is_alive()
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
    assert list(tmp_path.iterdir()) == []


NO = {
    "nobody.csv": "there is no file 'nobody.csv'",
    "/etc": "there is no file 'etc'",
    "a.exe": "is of no kind that can be opened here",
}


@pytest.mark.parametrize("table", NO)
def test_a_table_that_is_none_is_said_at_once(run, tmp_path, table):
    (tmp_path / "a.exe").write_text("x")
    with pytest.raises(InputError, match=NO[table]):
        incrowd.studio(table)
    status, out, err = run("serve", table, "--no-browser")
    assert (status, out) == (2, "") and NO[table] in err and err.count("\n") == 1


def test_a_folder_that_is_none_and_a_table_out_of_it_and_a_port_that_is_taken_are_said(run, tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "out.csv").symlink_to(tmp_path / "a.csv")
    with incrowd.studio() as studio:
        for words, said in (
            (("a.csv", "--root", "root"), "'a.csv' does not lie below the folder of --root"),
            (("root/out.csv", "--root", "root"), "'out.csv' does not lie below the folder of --root"),
            (("--root", "a.csv"), "'a.csv' is no folder; --root names the folder"),
            (("--root", "nobody"), "'nobody' is no folder"),
            (("--port", str(port_of(studio))), f"port {port_of(studio)} cannot be used; leave out --port"),
            (("--port", "99999"), "99999"),
        ):
            status, out, err = run("serve", *words, "--no-browser")
            assert (status, out) == (2, ""), words
            assert said in err and err.count("\n") == 1, err
        with pytest.raises(InputError, match="cannot be used"):
            incrowd.studio(port=port_of(studio))


def test_ctrl_c_ends_the_command_with_nothing_left_and_no_cell_was_said(tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    (tmp_path / "tmp").mkdir()
    opener = tmp_path / "opener"
    opener.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    opener.chmod(0o755)
    process = subprocess.Popen(
        [sys.executable, "-m", "incrowd", "serve", "a.csv"], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "BROWSER": f"{opener} %s"},
    )  # fmt: skip
    with process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:") and "/enter?token=" in address
        with httpx.Client(trust_env=False, verify=False) as client:
            assert [client.get(address).status_code for _ in range(2)] == [200, 403]
        end = time.monotonic() + 20
        while not (tmp_path / "opened").exists() and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert err.splitlines()[-1] == "incrowd: the app has ended, and what was sent to it is removed."
    assert "interrupted" not in err and "flu" not in err and "Traceback" not in err and address not in err
    assert (out, list((tmp_path / "tmp").iterdir())) == ("", [])
    assert (tmp_path / "opened").read_text().strip() == address


def test_where_no_browser_is_wanted_none_is_opened(run, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda address: pytest.fail("a browser was opened"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def stop():
        with socket.socket() as one:
            while one.connect_ex(("127.0.0.1", port)):
                time.sleep(0.02)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    threading.Thread(target=stop, daemon=True).start()
    status, out, _ = run("serve", "--no-browser", "--port", port)
    assert status == 0 and out.startswith(f"http://127.0.0.1:{port}/enter?token=")
