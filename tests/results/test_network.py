"""What a network question hands out: the answer, and words, certificate and report on top."""

import dataclasses
import pickle

import networkx as nx
import pytest

from incrowd import networks
from incrowd.networks import answers
from incrowd.networks.certificate import certificate
from incrowd.networks.words import words_of
from incrowd.results.network import handed_out


@pytest.fixture(scope="module")
def star():
    return networks.antidimension(nx.star_graph(4))


def as_value(found, kind=answers.Measurement):
    return kind(**{setting.name: getattr(found, setting.name) for setting in dataclasses.fields(kind)})


def test_what_is_handed_out_holds_the_fields_of_the_answer_and_says_the_same(star):
    value = as_value(star)
    again = handed_out(value)
    assert type(again) is networks.Measurement
    assert again.to_json() == value.to_json() == star.to_json()
    assert again.summary() == star.summary()
    assert words_of(value).split() == star.summary().partition("\n\n")[2].split()
    assert again.certificate() == certificate(value) == star.certificate()
    assert repr(again) == repr(star)


def test_a_repr_is_one_line_that_says_the_answer(star):
    path, cycle = nx.path_graph(6), nx.cycle_graph(5)
    said = [
        repr(found)
        for found in (
            star, networks.antidimension(cycle, at_least=2), networks.antidimension(cycle, exactly=3),
            networks.anonymity(cycle, attackers=1), networks.risks(path, attackers=2, strategy="greedy"),
            networks.simulate_attack(path, trials=2, sybils=3),
        )
    ]  # fmt: skip
    assert said[:4] == [
        "<Measurement of a network of 5 nodes and 4 edges: k=4 with 1 attacker>",
        "<Measurement of a network of 5 nodes and 5 edges: at least 2: 1 attacker>",
        "<Measurement of a network of 5 nodes and 5 edges: exactly 3: no such set>",
        "<Measurement of a network of 5 nodes and 5 edges: k=2 against 1 attacker>",
    ]
    assert "2 attackers (greedy) name 100% of the others" in said[4]
    assert "accounts found in" in said[5] and "of 2 trials" in said[5]
    assert all("\n" not in line and len(line) < 100 for line in said)


def test_an_answer_travels(star):
    again = pickle.loads(pickle.dumps(star))
    assert type(again) is networks.Measurement
    assert again.to_json() == star.to_json()


def test_every_answer_is_written_as_a_report_and_shown_as_a_card(star, tmp_path):
    path = nx.path_graph(6)
    for found in (star, networks.risks(path), networks.simulate_attack(path, trials=2, sybils=3)):
        found.report(tmp_path / "r.html", source="graph.txt")
        assert "<html" in (tmp_path / "r.html").read_text("utf-8")
        assert found._repr_html_().lstrip().startswith("<")
