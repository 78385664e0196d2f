import re
from pathlib import Path

import pytest

from incrowd import registry
from incrowd.report.cite import BACKSTROM, METRIC, PAPERS, for_network, for_release

REFS = Path(__file__).parents[2] / "papers" / "refs.bib"
CITING = [(kind, name) for kind in ("models", "solvers", "costs", "measures") for name in registry.names(kind)]


def test_every_paper_that_a_part_cites_is_among_the_references_and_has_its_words():
    known = set(re.findall(r"^@\w+\{(.*),$", REFS.read_text(encoding="utf-8"), re.MULTILINE))
    assert set(PAPERS) <= known
    for kind, name in CITING:
        assert set(getattr(registry.load(kind, name), "cites", ())) <= set(PAPERS), name


@pytest.mark.parametrize("kind", ["models", "solvers"])
def test_every_model_and_every_solver_cites_a_paper(kind):
    assert [name for name in registry.names(kind) if not getattr(registry.load(kind, name), "cites", ())] == []


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("greedy", ["k-Anonymity: a", "Pattern-Guided", "the risks"]),
        ("matching", ["k-Anonymity: a", "ICALP", "Pattern-Guided", "the risks"]),
        ("matching_local", ["k-Anonymity: a", "ICALP", "SIAM", "Pattern-Guided", "the risks"]),
        ("mondrian", ["k-Anonymity: a", "Mondrian", "Pattern-Guided", "the risks"]),
    ],
)
def test_a_release_cites_its_solver(solver, words):
    told = for_release({"solver": solver, "k": 3, "requirements": []})
    assert len(told) == len(words) + 1
    assert all(word in line for word, line in zip(words, told[1:], strict=True))


def test_a_bound_by_matching_is_cited_where_it_proves():
    assert any("ICALP" in line for line in for_release({"solver": "exact", "k": 2, "bound_method": "matching"}))
    assert not any("ICALP" in line for line in for_release({"solver": "exact", "k": 3, "bound_method": "matching"}))


def test_a_cost_that_is_named_is_cited():
    assert any("by levels" in line for line in for_release({"solver": "exact", "k": 2, "cost_name": "levels"}))


@pytest.mark.parametrize("model", [name for name in registry.names("models") if name != "k-anonymity"])
def test_every_model_that_was_asked_for_is_cited(model):
    facts = {"solver": "greedy", "k": 2, "models": [{"name": model, "asked": 2}]}
    said = PAPERS[registry.load("models", model).cites[0]]
    assert said in for_release(facts)
    assert said not in for_release({**facts, "models": []})


def test_a_network_cites_the_attack_that_was_tried_or_the_measure():
    assert for_network({"question": "simulation"})[1:] == [BACKSTROM]
    assert for_network({"question": "adim"})[1] == METRIC


def test_an_audit_cites_no_solver():
    assert len(for_release({"models": []})) == 3 and for_release({})[0].endswith("(the software)")
