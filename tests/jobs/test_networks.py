"""The network jobs: what they refuse before any search, and memory that does not suffice."""

import networkx as nx
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.jobs import networks as jobs

PATH = nx.path_graph(4)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: networks.read(PATH, component="big"), "component must be 'all' or 'largest', not 'big'"),
        (lambda: networks.antidimension(PATH, at_least=1, exactly=1), "at_least or exactly, not both"),
        (lambda: networks.antidimension(PATH, at_least=4), "at_least must be from 1 to 3"),
        (lambda: networks.antidimension(PATH, exactly=True), "exactly must be a whole number, not bool"),
        (lambda: networks.anonymity(PATH, attackers=0), "attackers must be at least 1, not 0"),
        (lambda: networks.risks(PATH, attackers=4), "attackers must be from 1 to 3"),
        (lambda: networks.simulate_attack(PATH, targets=5, sybils=3), "targets must be at most 4 for 3 accounts"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_one_sentence(ask, said):
    with pytest.raises(InputError, match=said):
        ask()


def test_memory_that_does_not_suffice_is_told_in_one_sentence(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(jobs, "whole_curve", full)
    with pytest.raises(InputError, match="not enough memory for this network"):
        networks.antidimension(PATH, at_least=1)
