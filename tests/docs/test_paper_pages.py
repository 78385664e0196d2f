"""The pages of the papers: every statement has its state, and every part of the program that a paper gave is named."""

import re
from pathlib import Path

import pytest

from incrowd import registry
from incrowd.cli.commands.list import listed

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "papers"
STATES = "As written|Further|Corrected|In part|Not built"
KINDS = {
    "Model": "models", "Solver": "solvers", "Cost": "costs", "Measure": "measures", "Instance": "instances",
    "Method": "methods",
}  # fmt: skip
PAPERS = {  # by page: key of its reference, first author as a construction names it
    "pattern-guided": ("BredereckNichterleinNiedermeier2013", "Bredereck"),
    "data-privacy-problems": ("BlockiWilliams2010", "Blocki"),
    "t-closeness": ("LiangYuan", "Liang"),
    "privacy-measures": ("ChatterjeeDasGuptaMobasheriSrinivasanYero", "Chatterjee"),
}
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


def statements(name):
    """The statements of a page: what each is called, and what is said of it."""
    page = (FOLDER / f"{name}.md").read_text()
    return re.findall(rf"^## ([^\n]+)\n\n(\*(?:{STATES})\.\*.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)


def named(text):
    """The registered parts that a statement names, as kind:name."""
    return {
        f"{KINDS[kind]}:{part}"
        for kind, parts in re.findall(rf"\b({'|'.join(KINDS)})s?: (`[^.]*`)\.", text)
        for part in re.findall(r"`([^`]+)`", parts)
    }


def parts_of(name):
    """The registered parts that come from a paper."""
    key, author = PAPERS[name]
    found = {
        f"{kind}:{part}"
        for kind in ("models", "solvers", "costs", "measures")
        for part in registry.names(kind)
        if key in getattr(registry.load(kind, part), "cites", ())
    }
    found |= {f"instances:{one['name']}" for one in listed("instances") if one["paper"].startswith(author)}
    if name == "privacy-measures":
        found |= {f"methods:{part}" for part in registry.names("methods")}
    return found


@pytest.mark.parametrize("name", PAPERS)
def test_every_part_that_a_paper_gave_is_named_on_its_page(name):
    found = {part for _, text in statements(name) for part in named(text)}
    assert parts_of(name) <= found
    for part in found:
        kind, _, own = part.partition(":")
        assert own in registry.names(kind), part


@pytest.mark.parametrize("name", PAPERS)
def test_constructions_stand_at_their_own_theorem(name):
    theorems = {one["name"]: one["theorem"] for one in listed("instances")}
    for item, text in statements(name):
        for part in named(text) & parts_of(name):
            kind, _, own = part.partition(":")
            if kind == "instances":
                numbers = re.findall(r"\d+(?:\.\d+)?", theorems[own])
                assert any(re.search(rf"\b{re.escape(number)}\b", item) for number in numbers), own


@pytest.mark.parametrize("name", PAPERS)
def test_every_statement_stands_once_and_says_what_we_found(name):
    found = statements(name)
    assert len(found) > 10
    assert len({item for item, _ in found}) == len(found)
    for item, text in found:
        assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).strip().split("\n\n")) >= 2, item


@pytest.mark.parametrize("name", NUMBERED)
def test_every_numbered_statement_of_the_paper_is_on_its_page(name):
    for kind, expected in NUMBERED[name].items():
        there = set()
        plural = {"Corollary": "Corollar(?:y|ies)"}.get(kind, f"{kind}s?")
        for item, _ in statements(name):
            for listed_numbers in re.findall(rf"\b{plural} ({NUMBER}(?:(?:, | and | to ){NUMBER}(?![\w.]))*)", item):
                there |= numbers(listed_numbers)
        assert there == numbers(expected), kind


def numbers(text):
    """The numbers that a list of them names: "1, 3 to 5" are 1, 3, 4, 5."""
    found = []
    for part in re.split(r", | and ", text):
        first, _, last = part.partition(" to ")
        found += [str(number) for number in range(int(first), int(last) + 1)] if last else [first]
    return set(found)
