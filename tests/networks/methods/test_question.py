"""Which question a method takes, and what its answer says."""

import math
import random

import networkx as nx
import pytest

from incrowd import networks, registry
from incrowd.errors import InputError, PolicyError
from oracles.network_families import draw

STAR = nx.star_graph(9)
ASKED = {
    "algorithm-1": {"at_least": 2},
    "algorithm-2": {},
    "algorithm-3": {"at_least": 2},
    "algorithm-4": {},
    "algorithm-5": {"exactly": 1},
    "theorem-2c": {"exactly": 9},
    "theorem-3b": {"exactly": 1},
    "theorem-3c": {"exactly": 1},
}


def test_every_method_answers_its_question_and_says_what_it_guarantees():
    assert list(ASKED) == registry.names("methods")
    for name, level in ASKED.items():
        found = networks.antidimension(STAR, method=name, **level)
        assert registry.load("methods", name).guarantee in found.remarks[0]
        assert found.to_json()["notes"] == list(found.remarks)
        assert found.remarks[0][1:] in " ".join(found.summary().split())
        assert networks.check(STAR, found.certificate()).ok


def test_answers_agree_with_the_search_without_a_name():
    rng = random.Random(31)
    for _ in range(25):
        n, edges = draw(rng, 4, 14)
        n = len({v for edge in edges for v in edge})
        if n < 4:
            continue
        plain = networks.antidimension(edges)
        for name, level in ASKED.items():
            level = {"exactly": n - 1} if name == "theorem-2c" else level
            try:
                found = networks.antidimension(edges, method=name, **level)
            except InputError as reason:
                assert "takes" in str(reason)
                continue
            truth = plain if not level else networks.antidimension(edges, **level)
            if found.optimal:
                assert (found.lower_bound, found.upper_bound) == (truth.lower_bound, truth.upper_bound)
            else:
                assert found.status == "heuristic"
                assert found.upper_bound is None or found.lower_bound <= truth.lower_bound <= found.upper_bound


MISTAKES = {
    "no level": ("algorithm-1", {}, "takes a level K"),
    "a level too many": ("algorithm-2", {"at_least": 2}, "takes no level; for at least K take algorithm-1"),
    "another level": ("theorem-3b", {"exactly": 2}, "takes the level 1 exactly"),
    "another question": ("theorem-2c", {"at_least": 9}, "takes --exactly K"),
    "starts": ("algorithm-1", {"at_least": 2, "starts": 4}, "draws no starting nodes"),
    "no starts": ("algorithm-3", {"at_least": 2, "starts": 0}, "starts must be from 1"),
    "too low": ("theorem-2c", {"exactly": 2}, "above half of the 10 nodes"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_names_the_question_that_is_taken(case):
    name, asked, said = MISTAKES[case]
    with pytest.raises(InputError, match=said):
        networks.antidimension(STAR, method=name, **asked)


def test_an_unknown_method_and_starts_alone_are_refused():
    with pytest.raises(PolicyError, match="did you mean 'algorithm-2'"):
        networks.antidimension(STAR, method="algorithm2")
    with pytest.raises(InputError, match="starts goes with"):
        networks.antidimension(STAR, starts=3)


def test_a_network_beyond_the_methods_size_is_declined_with_the_size(monkeypatch):
    monkeypatch.setattr(registry.load("methods", "algorithm-2"), "most_nodes", 9)
    with pytest.raises(InputError, match="up to 9 nodes, and this one has 10"):
        networks.antidimension(STAR, method="algorithm-2")


def test_the_star_shows_that_theorem_1b_does_not_hold_as_printed():
    """k = n - 1: the paper's number of starts finds the centre once in about n / ln n runs."""
    star = nx.star_graph(199)
    runs = [networks.antidimension(star, method="algorithm-3", at_least=199, seed=s).attackers for s in range(10)]
    assert runs.count(None) >= 7
    chance = 1 - (1 - 1 / 200) ** math.ceil(math.log(200) * 200 / 199)
    assert chance < 0.04
