"""A policy means one thing to all who read it: `incrowd verify`, the second checker and the page, or nothing to any."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import incrowd
from cases.three_checkers import GOOD, UNREADABLE, WRONG, by_second, words, written

ROWS = [(a, b, c, s) for c in "12" for a in "pq" for b, s in (("x", "u"), ("y", "v"))]
NAMES = ("a", "b", "c", "s")
BASE = 'header = true\nquasi_identifiers = ["a", "b", "c"]\nsensitive = ["s"]\nk = 2\n'


def table(stars=""):
    """Eight rows as CSV, some columns starred in all of them."""
    rows = [["*" if name in stars else cell for name, cell in zip(NAMES, row, strict=True)] for row in ROWS]
    return "".join(",".join(row) + "\n" for row in (NAMES, *rows))


def policy(lines):
    """A policy with lines of its own, instead of the lines of their keys."""
    keys = {line.partition(" ")[0] for line in lines.splitlines()}
    return "".join(own for own in BASE.splitlines(keepends=True) if own.partition(" ")[0] not in keys) + lines


LINES = tomllib.loads(Path(__file__).with_name("policy_lines.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("line", "stars", "word"),
    [(line, stars, word) for word, some in LINES.items() for stars, lines in some.items() for line in lines],
)
def test_a_line_of_a_policy_means_one_thing_to_all_three(tmp_path, line, stars, word):
    written(tmp_path, original=table(), release=table(stars), policy=policy(line))
    assert words(tmp_path) == [word] * 3


@pytest.mark.parametrize("release", [0, 1], ids=["all rows", "the first row taken for names"])
def test_names_of_columns_beside_a_header_that_is_a_text_are_read_by_nobody(tmp_path, release):
    rows = ["p,x,u", "p,x,v", "q,y,u", "q,y,v"]
    said = 'quasi_identifiers = ["a", "b"]\nk = 1\ncolumns = ["a", "b", "s"]\nheader = {}\n'
    texts = {"original": "\n".join(rows) + "\n", "release": "\n".join(["a,b,s", *rows[release:]]) + "\n"}
    written(tmp_path, **texts, policy=said.format('"false"'))
    assert words(tmp_path) == [UNREADABLE] * 3
    written(tmp_path, **texts, policy=said.format("false"))
    assert words(tmp_path) == [(GOOD, WRONG)[release]] * 3


def test_a_switch_that_is_a_text_is_refused_by_its_name(run, tmp_path):
    written(tmp_path, original=table(), policy=BASE.replace("header = true", 'header = "true"'))
    status, _, said = run("anonymize", "original.csv", "--policy", "policy.toml", "-o", "release.csv")
    assert status == 2
    assert "header must be true or false, not 'true': write it without quotes" in said
    assert not (tmp_path / "release.csv").exists()


@pytest.mark.few(1)
@pytest.mark.parametrize("cost", ["entropy", "leaves"])
def test_one_recoding_is_bounded_alike_under_every_cost(tmp_path, cost):
    """Under entropy a cell costs something as it is, so columns at level 0 count too."""
    rows = ["p,x,10,u", "p,x,20,v", "q,x,10,u", "q,y,30,v", "r,y,40,u", "r,y,30,v", "p,y,40,u", "q,x,20,v"]
    (tmp_path / "c.csv").write_text("10;low;*\n20;low;*\n30;high;*\n40;high;*\n", encoding="utf-8")
    said = (
        f'header = true\nquasi_identifiers = ["a", "b", "c"]\nk = 2\nrecoding = "global"\ncost = "{cost}"\n'
        'outliers = "suppress"\nsuppression_limit = 0.5\n[hierarchies]\nc = "c.csv"\n'
    )
    written(tmp_path, original="a,b,c,s\n" + "\n".join(rows) + "\n", policy=said)
    certificate = tmp_path / "certificate.json"
    made = incrowd.anonymize(
        tmp_path / "original.csv", policy=tmp_path / "policy.toml", output=tmp_path / "release.csv",
        certificate=certificate,
    )  # fmt: skip
    assert made.optimal
    assert words(tmp_path, certificate) == [GOOD] * 3
    assert by_second(tmp_path, certificate)[1]["proven"]


def test_a_release_that_is_safe_for_spreadsheets_is_read_as_it_is_meant(tmp_path):
    cells = ["=x", "-y", "'=z", "-5", "'+1e5", "'q", "@", "+"]
    rows = [f"{cell},{n},={s}" for n, cell in enumerate(cells) for s in "pq"]
    said = 'quasi_identifiers = ["=a", "b"]\nk = 2\n[read]\nheader = true\n[job]\nspreadsheet_safe = true\n'
    written(tmp_path, original="=a,b,-s\n" + "\n".join(rows) + "\n", policy=said)
    made = incrowd.anonymize(
        tmp_path / "original.csv", policy=tmp_path / "policy.toml", output=tmp_path / "release.csv"
    )
    text = (tmp_path / "release.csv").read_text(encoding="utf-8")
    assert made.cost == 0
    assert text.startswith("'=a,b,'-s\n")
    assert "\n-5," in text
    assert words(tmp_path) == [GOOD] * 3
    written(tmp_path, release=text.replace("'=x", "=y"))
    assert words(tmp_path) == [WRONG] * 3
