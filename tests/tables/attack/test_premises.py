"""What is proven by what was published, and what is assumed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.attack.premises import KNOWN, premises_of, published_in, words_known
from oracles.small_attacks import held

ROWS = [(0, 0), (0, 0), (0, None), (0, None), (0, None)]


def stands(facts, knows=KNOWN, valid=True):
    found = premises_of(held(ROWS, (1, 2)), published_in(facts), knows, valid=valid)
    return found.valid, found.bound, found.settled, found.slack


def test_without_facts_what_is_known_is_assumed():
    assert stands(None) == ("proven", "assumed", "assumed", 0)
    assert stands(None, ("policy", "settled")) == ("proven", "no", "assumed", 0)
    assert stands(None, ("bound",)) == ("proven", "no", "no", 0)
    assert stands(None, valid=False) == ("no", "no", "no", 0)


def test_the_least_cost_proves_that_a_release_is_settled():
    assert stands({"cost": 3, "lower_bound": 3, "optimal": True}) == ("proven", "proven", "proven", 0)
    assert stands({"cost": 3, "lower_bound": 3}, ("policy", "bound")) == ("proven", "proven", "proven", 0)
    assert stands({"cost": 3, "lower_bound": 1}) == ("proven", "proven", "assumed", 2)
    assert stands({"cost": 3, "lower_bound": 1, "settled": True}) == ("proven", "proven", "proven", 2)
    assert stands({"cost": 3, "lower_bound": 1, "settled": True}, ("policy", "bound"))[2] == "no"
    assert stands({"settled": True}) == ("proven", "no", "proven", 0)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"cost": 4}, "another release"),
        ({"cost": 3, "lower_bound": 4}, "another release"),
        ({"cost": "many"}, "no number as 'cost'"),
        ({"cost": True}, "no number"),
        ({"lower_bound": -1}, "no cost"),
        ({"cost": float(2**70)}, "no cost"),
    ],
)
def test_facts_of_another_release_are_refused(facts, said):
    with pytest.raises(InputError, match=said):
        stands(facts)


def test_exact_numbers_come_before_rounded_ones():
    assert published_in({"cost": 0.3333, "cost_exact": "1/3"}).cost == Fraction(1, 3)


def test_what_an_attacker_knows_is_named():
    assert words_known(()) == KNOWN
    assert words_known(["settled", "policy"]) == ("policy", "settled")
    with pytest.raises(PolicyError, match="'settle' is none of"):
        words_known(["settle"])


def test_a_cost_that_looks_at_the_original_gives_nothing_away():
    import dataclasses

    released = dataclasses.replace(held(ROWS, (1, 2)), costs_known=False)
    found = premises_of(released, published_in({"cost": 99, "optimal": True}), KNOWN, valid=True)
    assert (found.bound, found.settled) == ("no", "no")
