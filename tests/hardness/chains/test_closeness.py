"""Corollary 1: Theorems 3, 4 and 5, then Lemma 1, against every partition under the definition of t-closeness."""

from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.hardness import instance
from oracles.hard import by_definition
from seeds import seeds

SETTINGS = {
    "bisection-closeness": {"size": 6, "edges": 6},
    "bisection-padded-closeness": {"size": 4, "edges": 2, "c": "1/3"},
    "half-clique-closeness": {"size": 6, "edges": 6},
}


@pytest.mark.parametrize("name", SETTINGS)
@seeds(100, 4)
def test_the_answer_is_the_sources_under_t_closeness_and_maps_back(name, seed):
    for no in (False, True):
        try:
            made = instance(name, seed=seed, no=no, **SETTINGS[name])
        except PolicyError:  # nothing is cut
            continue
        stars, blocks = by_definition(made)
        assert made.optimum == stars
        assert made.yes == (stars <= made.threshold) == (not no)
        if made.yes:
            solution = made.backward(made.table.released(blocks))
            assert made.asks.solves(made.source, solution)
            assert made.asks.meets(made.source, solution, made.goal)


@pytest.mark.parametrize("name", SETTINGS)
def test_it_is_the_inner_construction_then_lemma_1(name):
    inner = instance(name.removesuffix("-closeness"), **SETTINGS[name])
    made, by_hand = instance(name, **SETTINGS[name]), instance("closeness-from-anonymity", inner)
    assert (made.table, made.threshold, made.optimum) == (by_hand.table, by_hand.threshold, by_hand.optimum)
    assert made.policy == by_hand.policy
    n = len(made.table.rows)
    assert Fraction(made.more["t"]) == 1 - Fraction(inner.policy["k"], n)
    assert made.theorem == "Corollary 1"
    assert made.policy["k"] == 1
    assert made.policy.get("mask") == inner.policy.get("mask")
