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
    assert again.summary() == words_of(value) == star.summary()
    assert again.certificate() == certificate(value) == star.certificate()
    assert repr(again) == repr(star)
    assert repr(star).startswith("Measurement(question='adim', k=4, ")


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
