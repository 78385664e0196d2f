"""The papers' examples: every sentence holds, and the least costs are those of trying everything."""

import json

import pytest

from incrowd.errors import PolicyError
from incrowd.progress import Watch
from incrowd.reproduce import examples
from incrowd.reproduce.examples import example, known_examples, stars_of, text_of


@pytest.fixture(scope="module")
def patients():
    return example("liang-yuan", Watch())


@pytest.mark.proofs
def test_of_liang_and_yuan_every_sentence_holds(patients):
    assert [(verdict.claim, verdict.word) for verdict in patients.verdicts if verdict.word != "holds"] == []
    assert len(patients.verdicts) == 7


def test_the_papers_releases_cost_what_they_cost_and_the_least_is_proven(patients):
    assert [row[2:] for row in patients.rows] == [("54", "54"), ("60", "50"), ("67", "64"), ("-", "70"), ("-", "50")]


def test_the_text_and_the_json_say_the_same(patients):
    text, told = text_of(patients), json.loads(json.dumps(patients.to_json()))
    assert text.startswith(patients.title) and "7 holds" in text
    assert told["rows"][1] == {
        "requirement": "2-diversity (frequency)", "example": "Table 3", "its stars": "60", "least": "50",
    }  # fmt: skip
    assert {claim["verdict"] for claim in told["claims"]} == {"holds"}


def test_of_blocki_and_williams_every_sentence_holds(monkeypatch):
    monkeypatch.setattr(examples, "_least", lambda table, *_, **__: "225" if len(table.rows) == 75 else "252")
    found = example("blocki-williams", Watch())
    assert [verdict.word for verdict in found.verdicts] == ["holds"] * 5
    assert [row[1:6] for row in found.rows] == [("2", "52", "75", "2", "225"), ("0", "36", "51", "0", "153")]


@pytest.mark.proofs
def test_the_least_stars_of_blocki_and_williams_tables():
    assert [row[6] for row in example("blocki-williams", Watch()).rows] == ["225", "252"]


def test_stars_are_counted_as_by_hand():
    assert stars_of([(0, 1), (0, 2), (0, 3)]) == 1
    assert stars_of([(0, 1), (1, 2), (0, 2)]) == 0
    # two centres with three edges each, and three leaves in common: one way by the centres; each leaf has but two
    both = [(c, leaf) for c in (0, 1) for leaf in (2, 3, 4)]
    assert stars_of(both) == 1
    # three by three: the centres of one side, or of the other
    assert stars_of([(a, b) for a in (0, 1, 2) for b in (3, 4, 5)]) == 2
    assert stars_of([(a, b) for a in (0, 1, 2) for b in (3, 4, 5)], most=1) == 1


def test_unknown_examples_are_refused_with_the_names_there_are():
    with pytest.raises(PolicyError, match="liang-yuan, blocki-williams"):
        example("liang", Watch())
    assert [one["name"] for one in known_examples()] == ["liang-yuan", "blocki-williams"]
