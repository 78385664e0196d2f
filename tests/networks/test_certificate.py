"""Certificates of measurements: what they claim, and what cannot be read as one."""

import json

import networkx as nx
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.certificate import certificate, load_certificate


def test_a_curve_claims_its_steps_and_that_there_is_nothing_beyond():
    made = certificate(networks.profile(nx.star_graph(4)))
    assert made["nodes"] == 5
    assert made["claims"][-1] == {"kind": "at_least", "k": 5, "members": None, "lower": None}
    assert all(json.dumps(claim) for claim in made["claims"])


def test_against_attackers_the_crowd_is_claimed_and_how_many_they_may_be():
    claim = certificate(networks.anonymity(nx.path_graph(5), attackers=99))["claims"][0]
    assert claim["kind"] == "attackers"
    assert claim["allowed"] == 4
    assert claim["k"] == claim["lower_k"] == 1


def test_a_certificate_is_read_from_a_file_or_taken_as_it_is(tmp_path):
    made = certificate(networks.antidimension(nx.star_graph(4)))
    (tmp_path / "c.json").write_text(json.dumps(made))
    assert load_certificate(tmp_path / "c.json") == load_certificate(made) == made


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1, "a": 2}', '{"a": NaN}', "[" * 100_000])
def test_what_is_no_json_object_is_refused(tmp_path, text):
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(InputError, match=r"the certificate 'c\.json' cannot be read"):
        load_certificate(tmp_path / "c.json")
    with pytest.raises(InputError, match="there is no file"):
        load_certificate(tmp_path / "none.json")
