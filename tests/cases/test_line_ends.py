"""The lines of a CSV end in one way, outside quotes: else every reader of tables refuses it, and none loses a row."""

from __future__ import annotations

import csv
import gzip
import json

import pytest

import incrowd
from cases.three_checkers import words
from cases.three_checkers import written as files

BODY = "a,b,s\np,x,u\np,x,v\nq,y,u\nq,y,v\n"
CRLF = BODY.replace("\n", "\r\n")
MIXED = {
    "an empty CRLF line above LF": "\r\n" + BODY,
    "an empty CR line above LF": "\r" + BODY,
    "an empty LF line above CRLF": "\n" + CRLF,
    "an empty CR line above CRLF": "\r" + CRLF,
    "an LF header above CRLF": CRLF.replace("\r\n", "\n", 1),
    "a CRLF header above LF": BODY.replace("\n", "\r\n", 1),
    "a CR between rows": BODY.replace("p,x,v\n", "p,x,v\r"),
    "a CR in a bare cell": BODY.replace("p,x,u", "p,x,u\rz,z,z"),
    "an empty LF line among CRLF": CRLF.replace("q,y,u", "\nq,y,u"),
    "a last LF under CRLF": CRLF[:-2] + "\n",
    "a CR at the end": BODY + "\r",
}
PURE = {
    "LF": BODY,
    "CRLF": CRLF,
    "CR": BODY.replace("\n", "\r"),
    "no last end": CRLF[:-2],
    "empty lines of one kind": "\r\n\r\n" + CRLF.replace("q,y,u", "\r\nq,y,u") + "\r\n",
    "other breaks in quotes": CRLF.replace("u\r\n", '"u\nw\rz"\r\n'),
}
POLICY = 'k = 2\nquasi_identifiers = ["a", "b"]\n[read]\nheader = true\n'


def written(folder, original, release):
    files(folder, original=original, release=release, policy=POLICY)


@pytest.mark.parametrize("name", MIXED)
def test_mixed_line_ends_are_refused_by_every_reader(tmp_path, name):
    for pair in ((BODY, MIXED[name]), (MIXED[name], BODY)):
        written(tmp_path, *pair)
        assert words(tmp_path) == ["unreadable"] * 3
    for ask in (incrowd.anonymize, incrowd.audit):
        with pytest.raises(incrowd.InputError, match=r"do not all end alike.*LF, CRLF or CR"):
            ask(tmp_path / "original.csv", policy=tmp_path / "policy.toml")


def test_the_command_refuses_them_with_status_2(run, tmp_path):
    written(tmp_path, BODY, MIXED["an empty CRLF line above LF"])
    code, _, err = run("verify", "original.csv", "release.csv", "--policy", "policy.toml")
    assert code == 2
    assert "do not all end alike" in err


@pytest.mark.parametrize("name", PURE)
def test_one_kind_of_line_end_is_read_by_every_reader(tmp_path, name):
    written(tmp_path, PURE[name], PURE[name])
    assert words(tmp_path) == ["good"] * 3


ENDS = [("\r\n", "\n", False), ("\n", "\r", True), ("\n", "\r\n", True)]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("end", "inside", "packed"),
    [one for end, inside, packed in ENDS for one in ((end, inside, packed), (end, inside, not packed))],
)
def test_a_line_break_in_a_column_name_is_no_line_end(run, tmp_path, end, inside, packed):
    """As Excel writes a name with Alt+Enter; with quoted breaks in cells too, in more lines than the engine reads at once."""
    name, rows = f"b{inside}c", 6_000
    lines = ['a,"b~c",s', *(f'{i % 7},"x~{i % 3}",{"z" * 200}' for i in range(rows))]
    text = end.join([*lines, ""]).replace("~", inside).encode()
    path = tmp_path / ("table.csv.gz" if packed else "table.csv")
    path.write_bytes(gzip.compress(text, 1) if packed else text)
    (tmp_path / "policy.toml").write_text(f"k = 2\nquasi_identifiers = {json.dumps(['a', name])}\n")
    code, _, err = run("anonymize", path, "--policy", "policy.toml", "-o", "release.csv")
    assert code == 0, err
    with (tmp_path / "release.csv").open(newline="") as file:
        names, *released = csv.reader(file)
    assert names == ["a", name, "s"]
    assert len(released) == rows
    assert {line[1] for line in released} == {f"x{inside}{i}" for i in range(3)}
    assert run("verify", path, "release.csv", "--policy", "policy.toml")[0] == 0
    assert run("init", path)[0] == 0
