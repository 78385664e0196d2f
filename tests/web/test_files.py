"""What may be opened: a file that is sent, kept where nobody else reads it, or one below the folder; nothing that leads out."""

from __future__ import annotations

import gzip
import io
import os
import stat
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import httpx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd
from web.visitor import Visitor, below, words

ZEROS = 80 << 20


def zipped(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as book:
        for name, content in members.items():
            book.writestr(name, content)
    return out.getvalue()


def lying():
    """A book whose directory says that its one member is of ten bytes."""
    made = bytearray(zipped(**{"a.xml": b"0" * ZEROS}))
    at = made.rindex(b"PK\x01\x02") + 24
    made[at : at + 4] = (10).to_bytes(4, "little")
    return bytes(made)


def parquet(rows=9):
    out = io.BytesIO()
    pq.write_table(pa.table({"a": [1] * rows}), out)
    return out.getvalue()


# what is sent: its name, what it holds, and the sentence that it is refused with
SENT = [
    ("", lambda: b"x", "no file was chosen; choose one first"),
    ("..", lambda: b"x", "no file was chosen; choose one first"),
    ("empty.csv", lambda: b"", "the file is empty; choose another"),
    ("bomb.csv.gz", lambda: gzip.compress(b"0" * ZEROS, 9), "unpacks to far more than a table of its size holds"),
    ("bomb.xlsx", lambda: zipped(**{"xl/a.xml": b"0" * ZEROS}), "unpacks to far more than a table of its size holds"),
    ("many.xlsx", lambda: zipped(**{f"{n}.xml": b"0" * (1 << 20) for n in range(80)}), "unpacks to far more"),
    ("named.csv", lambda: gzip.compress(b"0" * ZEROS, 9), "unpacks to far more"),  # by its first bytes, not its name
    ("lie.xlsx", lying, ""),
    ("cut.csv.gz", lambda: gzip.compress(bytes(range(256)) * 4)[:-12], "cannot be unpacked; it may be cut short"),
    ("cut.xlsx", lambda: zipped(**{"a.xml": b"0" * 999})[:-30], "cannot be unpacked; it may be cut short"),
    ("cut.parquet", lambda: parquet()[:-9], "is no whole Parquet file; it may be cut short"),
    ("a.duckdb", lambda: b"x", "is of no kind that can be opened here: .csv"),
    ("a.sqlite", lambda: b"x", "from a database export the table first"),
    ("a.db", lambda: b"x", "is of no kind that can be opened here"),
    ("a.exe", lambda: b"x", "is of no kind that can be opened here"),
    ("a", lambda: b"x", "is of no kind that can be opened here"),
]  # fmt: skip


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "content", "said"), SENT, ids=[name or "nothing" for name, *_ in SENT])
def test_what_cannot_be_opened_is_refused_in_a_sentence_and_leaves_nothing(visitor, name, content, said):
    place = visitor.upload(name, content())
    assert place.startswith("/?said=")
    page = words(visitor.text(place))
    assert "That did not work." in page and said in page
    assert "That did not work." not in words(visitor.text("/"))  # told to who sent it alone


@pytest.mark.parametrize(
    "name", ["a.csv", "a.csv.gz", "a.tsv", "a.jsonl", "a.jsonl.gz", "a.parquet", "a.arrow", "a.feather", "a.xlsx"]
)
def test_every_other_kind_may_be_sent(visitor, name):
    assert name.partition(".")[2] in visitor.text("/").replace(" ", "")
    content = {
        "gz": gzip.compress(b"a,b\n1,2\n" * 200), "parquet": parquet(), "xlsx": zipped(**{"a.xml": b"0"}),
    }.get(name.rpartition(".")[2], b"a,b\n1,2\n")  # fmt: skip
    place = visitor.upload(name, content)
    assert place.startswith("/tables/")
    visitor.post(f"{place.rpartition('/')[0]}/close")


NAMES = [
    ("a b.csv", "a_b.csv"), ("../../etc/passwd.csv", "passwd.csv"), ("C:\\data\\a.csv", "a.csv"), (".hidden.csv", "hidden.csv"),
    ("<script>.csv", "_script_.csv"), ("x" * 200 + ".csv", "x" * 96 + ".csv"), ("łódź.csv", "łódź.csv"),
]  # fmt: skip


def test_what_is_sent_is_kept_under_a_harmless_name_where_nobody_else_can_read_it(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with incrowd.studio() as studio, Visitor(studio) as visitor:
        for sent, kept in NAMES:
            assert kept in visitor.settled(visitor.upload(sent, b"a,b\n1,2\n"))
            there = below(tmp_path)
            (path,) = (path for path in there if path.name == kept)
            assert path.read_bytes() == b"a,b\n1,2\n"
            assert {stat.S_IMODE(there[folder]) for folder in (path.parent, path.parent.parent)} == {0o700}
        held = {path for path in below(tmp_path) if ".csv" in path.name}
        visitor.upload("bad.csv.gz", b"\x1f\x8b broken")
        assert {path for path in below(tmp_path) if ".csv" in path.name} == held  # nothing of what was refused
    assert list(tmp_path.iterdir()) == []  # it goes with the app


@pytest.mark.proofs
def test_what_a_killed_app_left_is_removed_by_the_next(tmp_path, monkeypatch, small):
    code = "import incrowd, sys, httpx\nstudio = incrowd.studio()\nprint(studio.address, flush=True)\nsys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    with process:
        address = process.stdout.readline().strip()
        with Visitor(type("Server", (), {"address": address})) as visitor:
            visitor.opened("a.csv", small)
        (left,) = (path for path in below(tmp_path) if path.name == "a.csv")
        process.kill()
        process.wait()
    assert left.is_file()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    incrowd.studio().close()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def inside(root):
    """Files below the folder, and ways out of it."""
    (root / "deep").mkdir()
    (root / "deep" / "b.csv").write_bytes(b"a\n1\n")
    (root / ".hidden.csv").write_text("a\n1\n")
    (root.parent / "secret.csv").write_text("a\n1\n")
    (root / "link.csv").symlink_to(root.parent / "secret.csv")
    (root / "deep" / "up").symlink_to(root.parent)
    (root / "near.csv").symlink_to(root / "small.csv")
    (root / "net.txt").write_text("0 1\n1 2\n")
    os.mkfifo(root / "pipe.csv")
    return root


OUT = {
    "only files below the folder": (
        "../secret.csv", "deep/../../secret.csv", "/etc/passwd", "", ".", "small.csv/", "deep//b.csv", "..\\secret.csv",
        "small.csv\0", "./small.csv"),
    "this is a link out of the folder": ("link.csv", "deep/up/secret.csv"),
    "there is no such file below the folder": ("nobody.csv", "deep/nobody.csv"),
    "this is no file; choose a table": ("deep", "pipe.csv"),
}  # fmt: skip


def test_what_leads_out_of_the_folder_or_nowhere_is_refused(visitor, inside):
    for said, names in OUT.items():
        for name in names:
            for kind in ("table", "network"):
                page = visitor.after(visitor.post("/choose", {"file": name, "as": kind}))
                assert said in page, name
                assert "secret" not in page


def test_files_inside_are_listed_and_opened_and_links_that_stay_inside_are_opened_too(visitor, inside):
    page = visitor.text("/")
    listed = ('value="small.csv"', 'value="deep/b.csv"', 'value="net.txt"')
    assert all(one in page for one in listed)
    assert not any(name in page for name in (".hidden.csv", "link.csv", "near.csv", 'value="deep"', "deep/up"))
    for name in ("small.csv", "deep/b.csv", "near.csv"):
        place = visitor.post("/choose", {"file": name, "as": "table"}).headers["location"]
        assert place.startswith("/tables/")
        number = place.split("/")[2]
        assert f"/tables/{number}/close" in visitor.text("/")
        assert visitor.post(f"/tables/{number}/close").headers["location"] == "/"
        assert visitor.get(place).status_code == 404
    assert visitor.post("/tables/nobody/close").headers["location"] == "/"


def test_the_folder_of_a_table_alone_can_be_chosen_from(tmp_path, small):
    (tmp_path / "a.csv").write_bytes(small)
    (tmp_path / "other.csv").write_bytes(small)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.csv").write_bytes(small)
    (tmp_path / "inward.csv").symlink_to(tmp_path / "deep" / "b.csv")
    with incrowd.studio(tmp_path / "a.csv") as studio, Visitor(studio) as visitor:
        page = visitor.text("/")
        assert 'value="other.csv"' in page and "b.csv" not in page
        assert "only files below the folder" in visitor.after(visitor.post("/choose", {"file": "deep/b.csv"}))
        assert "this is a link out" in visitor.after(visitor.post("/choose", {"file": "inward.csv"}))
        assert visitor.post("/choose", {"file": "other.csv"}).headers["location"].startswith("/tables/")


def test_so_many_may_be_open_and_no_more():
    small = b"a,b\n1,2\n"
    with incrowd.studio() as studio, Visitor(studio) as visitor:
        opened = [visitor.upload("g.txt", b"0 1\n", kind="network") for _ in range(19)]
        opened.append(visitor.upload("a.csv", small))
        for kind, name in (("network", "g.txt"), ("table", "a.csv")):
            page = words(visitor.text(visitor.upload(name, small, kind=kind)))
            assert "20 tables and networks are open; close one of them first" in page
        visitor.post(f"{opened[0]}/close")
        assert visitor.upload("a.csv", small).startswith("/tables/")


def test_a_network_of_no_kind_is_refused(visitor):
    assert "is of no kind that a network is read from" in words(
        visitor.text(visitor.upload("a.xlsx", b"x", kind="network"))
    )


def test_a_form_that_is_none_is_refused(visitor):
    for content in (b"--y\r\nbroken", b"\xff\xfe", b""):
        answer = visitor.client.post(
            "/upload",
            content=content,
            headers={"origin": visitor.base, "content-type": "multipart/form-data; boundary=x"},
        )
        assert answer.status_code in (303, 400)
    answer = visitor.post("/upload", {"as": "table"}, files={"other": ("a.csv", b"x")})
    assert "choose one first" in visitor.after(answer)


def test_a_zip_of_something_else_is_said(visitor):
    place = visitor.upload("a.xlsx", zipped(**{"../../etc/cron.d/x": "boo"}))
    assert "could not be read" in words(visitor.settled(place))


# A file of so many cells, or one beyond what may be sent, is too large for a test: limits of its own stand in.
def test_files_of_too_many_cells_are_refused_and_too_many_bytes(tmp_path):
    from incrowd.errors import InputError
    from incrowd.web.files import LIMITS, Limits, refuse_bomb

    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [0] * 600, "b": [0] * 600}), path)
    with pytest.raises(InputError, match="600 rows and 2 columns, more than the app opens"):
        refuse_bomb(path, Limits(cells=1199))
    refuse_bomb(path, Limits(cells=1200))
    assert (LIMITS.upload, LIMITS.unpacked, LIMITS.ratio, LIMITS.free, LIMITS.cells) == (
        2 << 30, 8 << 30, 100, 64 << 20, 2 * 10**9,
    )  # fmt: skip
    assert [LIMITS.most(size) for size in (10, 1 << 20, 1 << 30)] == [64 << 20, 100 << 20, 8 << 30]


@pytest.mark.proofs
def test_the_command_opens_a_folder_and_all_below_it(tmp_path, small):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "b.csv").write_bytes(small)
    process = subprocess.Popen(
        [sys.executable, "-m", "incrowd", "serve", "--root", ".", "--no-browser"], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with process:
        address = process.stdout.readline().strip()
        with httpx.Client(trust_env=False) as client:
            client.get(address)
            assert 'value="deep/b.csv"' in client.get(f"{address.partition('/enter')[0]}/").text
        process.terminate()
        assert process.wait(60) in (0, 143)
    assert Path(tmp_path / "deep" / "b.csv").read_bytes() == small
