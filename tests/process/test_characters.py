"""Whatever characters names and cells hold: terminals, pages and charts show pictures of them, files and JSON keep them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree

import pyarrow as pa
import pytest

import incrowd
from web.visitor import words as words_of

NAME = "\x1b]0;title\x07\x1b[31mred\x9b2Jfake"
ALL = [
    chr(c) for c in (*range(0x20), *range(0x7F, 0xA0), 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE, 0x2028, 0x202E)
]  # fmt: skip
# what XML 1.0 has no place for
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
RAW = {chr(c) for c in (*range(0x20), *range(0x7F, 0xA0))} - set("\t\n")

KINDS = (".csv", ".csv.gz", ".jsonl", ".jsonl.gz", ".parquet", ".arrow", ".feather")
COMMANDS = [
    ("audit", "t.csv"), ("audit", "t.csv", "--qi", "nope"), ("audit", "t.csv", "--qi", NAME), ("init", "t.csv"),
    ("anonymize", "t.csv", "--dry-run", "--qi", "b", "--k", "2"), ("anonymize", "t.csv", "--dry-run", "--qi", f"b,{NAME}", "--k", "2"),
    ("anonymize", "t.csv", "-o", "-", "--qi", "b", "--k", "2"), ("audit", "no\nsuch\x1b[2Jfile"), ("audit", NAME),
    ("anonymize", "t.csv", "-o", f"{NAME}.exe", "--qi", "b", "--k", "2"), ("anonymize", "t.csv", f"--{NAME}"), (NAME,),
    ("anonymize", "t.csv", "--dry-run", "--qi", "b", "--k", NAME), ("verify", "t.csv", "t.csv", "--qi", "b", "--k", "3"),
    ("hierarchy", NAME, "t.csv", "--prefix", "--quiet"), ("tradeoff", "t.csv", "--qi", "b", "--ks", "1"), ("audit", "t.csv", "--policy", f"{NAME}.toml"),
    ("audit", "t.csv", "--policy", "p.toml"), ("network", f"{NAME}.txt"), ("ledger", "list", "--ledger", f"{NAME}.json"),
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=[str(n) for n in range(len(COMMANDS))])
def test_no_control_character_reaches_a_terminal_and_an_error_is_one_line(run, tmp_path, command):
    (tmp_path / "t.csv").write_text(f"{NAME},b\n1,2\n1,2\n")
    (tmp_path / "p.toml").write_text(f'quasi_identifiers = ["{"nobody" + chr(92)}u001b[31m"]\nk = 2\n')
    status, out, err = run(*command)
    assert status in (0, 1, 2)
    whole = err if command[:4] == ("anonymize", "t.csv", "-o", "-") else out + err  # the table itself keeps them
    assert not RAW & set(whole), whole
    if status == 2:
        assert err.count("\n") == 1 and not out
    if NAME in command and status == 2:
        assert "\u241b" in err or "\\x1b" in err


def test_json_and_files_keep_every_character(run, tmp_path):
    (tmp_path / "t.csv").write_text(f"{NAME},b\n1,2\n1,2\n")
    status, out, _ = run("anonymize", "t.csv", "-o", "r.csv", "--qi", f"{NAME},b", "--k", "2", "--json", "--quiet")
    assert status == 0 and json.loads(out)["quasi_identifiers"] == [NAME, "b"]
    assert (tmp_path / "r.csv").read_text().startswith(f"{NAME},b\n")
    status, out, _ = run("anonymize", "t.csv", "-o", "-", "--qi", "b", "--k", "2", "--quiet")
    assert out.startswith(f"{NAME},b\n")


def test_a_sentence_with_a_name_of_two_lines_is_one_line(run):
    status, _, err = run("audit", "a\nb\tc\r\u2028")
    assert (status, err) == (2, "incrowd: there is no file 'a\u240ab\u2409c\u240d\u240a'\n")


def test_reports_and_cards_of_names_and_cells_with_any_character_are_well_formed(tmp_path):
    odd = ["x\x0cy", "x\x1by", "x\ufffey", "x\x85y"]
    a, b = "one" + "".join(ALL), "two\x1b"
    table = pa.table({a: odd * 10, b: ["u", "v"] * 20, "kept\x02": ["w"] * 40})
    with incrowd.anonymize(table, quasi_identifiers=[a, b], k=5, solver="greedy") as release:
        release.report(tmp_path / "r.html")
        release.plot.columns(a).save(str(tmp_path / "x.svg"))
        cards = [release._repr_html_(), (tmp_path / "x.svg").read_text(encoding="utf-8")]
    found = incrowd.audit(table, quasi_identifiers=[a, b], k=5)
    found.report(tmp_path / "a.html")
    curve = incrowd.tradeoff(table, quasi_identifiers=[a, b], ks=[2], solvers=["greedy"])
    curve.report(tmp_path / "t.html")
    texts = [(tmp_path / f"{name}.html").read_text(encoding="utf-8") for name in "rat"]
    for text in (*texts, *cards, found._repr_html_(), curve._repr_html_()):
        assert not FORBIDDEN.search(text)
        for drawn in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
            ElementTree.fromstring(drawn)
    assert "x\u240cy" in texts[0] and "two\u241b" in texts[1]
    assert not RAW & set(words_of(texts[0]))


def test_names_of_files_that_are_no_text_or_patterns_are_read_written_and_reported(tmp_path):
    source = tmp_path / "t\udcff.csv"
    source.write_text("a,b\n" + "x,u\ny,v\n" * 5)
    with incrowd.anonymize(source, quasi_identifiers=["a", "b"], k=5, solver="greedy") as release:
        for kind in KINDS:
            path = tmp_path / f"o\udcff[1]?{kind}"
            release.save(path)
            assert not incrowd.verify(source, path, release.job)
        release.report(tmp_path / "r.html")
    assert len(list(tmp_path.iterdir())) == 2 + len(KINDS)
    assert "t\ufffd.csv" in (tmp_path / "r.html").read_text(encoding="utf-8")
