"""The papers that constructions name."""

import re
from pathlib import Path

from incrowd import hardness, registry
from incrowd.hardness import papers

REFERENCES = Path(__file__).parents[2] / "papers" / "refs.bib"


def said(text):
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


def test_every_paper_is_in_the_references_under_its_title():
    titles = {said(title) for title in re.findall(r"(?m)^\s*title\s*=\s*(.+?),?$", REFERENCES.read_text("utf-8"))}
    for name in papers.__all__:
        _, _, title = getattr(papers, name).partition(": ")
        assert said(re.sub(r"\(\d{4}\)$", "", title)) in titles, name


def test_every_paper_is_named_by_a_construction():
    used = {hardness.instance(name).paper for name in registry.names("instances")}
    assert used == {getattr(papers, name) for name in papers.__all__}
