"""The rules of docs/certificate.md stand under their numbers in the check, the second checker and docs/papers/certificates.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "certificate.md").read_text(encoding="utf-8")
RULE = r"[A-Z]\d+(?:-[A-Z]\d+)?"
TABLES, NETWORKS = "FHTWIPKLBCMVRUGZ", "N"
SECOND = sorted((ROOT / "src" / "incrowd" / "check").glob("*.py"))
CHECK = (
    *SECOND,
    *sorted((ROOT / "src" / "incrowd" / "tables" / "verify").rglob("*.py")),
    ROOT / "src" / "incrowd" / "networks" / "verify.py",
    ROOT / "src" / "incrowd" / "strict_json.py",
    *sorted((ROOT / "src" / "incrowd" / "tables" / "hierarchy").glob("*.py")),
    ROOT / "src" / "incrowd" / "tables" / "formats" / "base.py",
)
PROOFS = [ROOT / "docs" / "papers" / "certificates.md", ROOT / "docs" / "papers" / "ranges.md"]


def numbers_in(text):
    """The rules that a text names in brackets, a first and a last one with a line between meant with all between."""
    found = set()
    for group in re.findall(rf"\[({RULE}(?:, {RULE})*)\]", text):
        for one in group.split(", "):
            first, _, last = one.partition("-")
            found |= {f"{first[0]}{n}" for n in range(int(first[1:]), int((last or first)[1:]) + 1)}
    return found


def rules():
    """The rules of the page, in their order."""
    found = []
    for line in PAGE.splitlines():
        if line.startswith(("- **", "| `", "**H6**")):
            found += re.findall(r"\*\*([A-Z]\d+)\*\*", line)
    return found


def told(paths):
    return {number for path in paths for number in numbers_in(path.read_text(encoding="utf-8"))}


def test_the_page_numbers_its_rules_without_gaps():
    every = set(rules())
    for letter in TABLES + NETWORKS:
        mine = sorted(int(rule[1:]) for rule in every if rule[0] == letter)
        assert mine == list(range(1, len(mine) + 1)), letter
        assert mine, letter
    assert {rule[0] for rule in every} == set(TABLES + NETWORKS)
    assert numbers_in(PAGE) <= every


@pytest.mark.parametrize(("name", "paths"), [("the check", CHECK), ("the second checker", SECOND), ("proofs", PROOFS)])
def test_every_rule_stands_under_its_number_and_no_unknown_number_does(name, paths):
    assert told(paths) == set(rules())


def test_every_lemma_of_the_proofs_is_about_rules_or_says_what():
    text = PROOFS[0].read_text(encoding="utf-8")
    lemmas = re.findall(r"\*\*Lemma ([^*]+)\*\*", text)
    assert len(lemmas) > 20
    for lemma in lemmas:
        assert numbers_in(lemma) or lemma.startswith("("), lemma
    assert text.count("*Proof.*") <= text.count("QED")


def test_the_proofs_are_linked():
    assert "(papers/certificates.md)" in PAGE
    assert "(certificates.md)" in (ROOT / "docs" / "papers" / "index.md").read_text(encoding="utf-8")
