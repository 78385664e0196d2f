"""The pages of the papers: written from their sources, and every part of the program that a paper gave is on its page."""

import importlib.util
import re
from pathlib import Path

import pytest

from incrowd import registry

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "understand" / "papers"


@pytest.fixture(scope="module")
def papers():
    spec = importlib.util.spec_from_file_location("make_papers", ROOT / "scripts" / "make_papers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_are_what_the_statements_say(papers):
    written = {path.name: path.read_text() for path in FOLDER.glob("*.md")}
    assert written == papers.pages(), "run `make docs`"


def test_every_part_that_a_paper_gave_is_named_on_its_page(papers):
    for name, said in papers.papers().items():
        named = {part for one in said["statement"] for part in one.get("parts", ())}
        assert papers.parts_of(said) <= named, name


def test_what_is_named_is_registered(papers):
    for name, said in papers.papers().items():
        for one in said["statement"]:
            for part in one.get("parts", ()):
                kind, _, own = part.partition(":")
                assert own in registry.names(kind), f"{name}: {part}"


def test_constructions_stand_at_their_own_theorem(papers):
    theorems = {one["name"]: one["theorem"] for one in papers.listed("instances")}
    for said in papers.papers().values():
        for one in said["statement"]:
            for part in one.get("parts", ()):
                kind, _, own = part.partition(":")
                if kind == "instances" and part in papers.parts_of(said):
                    numbers = re.findall(r"\d+(?:\.\d+)?", theorems[own])
                    assert any(re.search(rf"\b{re.escape(number)}\b", one["item"]) for number in numbers), own


def test_a_statement_says_its_state_and_what_deviates(papers):
    for name, said in papers.papers().items():
        items = [one["item"] for one in said["statement"]]
        assert len(set(items)) == len(items), name
        for one in said["statement"]:
            assert one["state"] in papers.STATES, one["item"]
            assert one.get("found"), one["item"]
            if one["state"] in ("in part", "corrected"):
                assert {"otherwise", "found"} <= set(one) or " not " in one["found"], one["item"]


NUMBERED = {
    "pattern-guided": {"Definition": "1 to 5", "Theorem": "1 to 4", "Table": "1 to 8", "Algorithm": "1", "Figure": "1"},
    "privacy-measures": {
        "Problem": "1 to 3",
        "Theorem": "1(a), 1(b), 2(a), 2(b), 2(c), 3(a), 3(b), 3(c)",
        "Proposition": "1 to 5",
        "Corollary": "4",
        "Lemma": "5 to 9",
        "Algorithm": "I, II, III, IV, V",
    },
    "t-closeness": {
        "Problem": "1, 2",
        "Theorem": "1 to 11",
        "Lemma": "1, 2",
        "Fact": "1",
        "Corollary": "1",
        "Table": "1 to 5",
    },
    "data-privacy-problems": {
        "Definition": "1 to 13",
        "Theorem": "1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 3.1",
        "Lemma": "1 to 7",
        "Corollary": "1, 2",
        "Algorithm": "1",
        "Example": "1, 2",
    },
}
NUMBER = r"(?:\d+(?:\.\d+)?(?:\([a-c]\))?|[IV]+)"


def numbers(text):
    """The numbers that a list of them names: "1, 3 to 5" are 1, 3, 4, 5."""
    found = []
    for part in re.split(r", | and ", text):
        first, _, last = part.partition(" to ")
        found += [str(number) for number in range(int(first), int(last) + 1)] if last else [first]
    return set(found)


@pytest.mark.parametrize("name", NUMBERED)
def test_every_numbered_statement_of_the_paper_is_on_its_page(papers, name):
    for kind, expected in NUMBERED[name].items():
        named = set()
        plural = {"Corollary": "Corollar(?:y|ies)"}.get(kind, f"{kind}s?")
        for one in papers.papers()[name]["statement"]:
            for listed in re.findall(rf"\b{plural} ({NUMBER}(?:(?:, | and | to ){NUMBER}(?![\w.]))*)", one["item"]):
                named |= numbers(listed)
        assert named == numbers(expected), kind
