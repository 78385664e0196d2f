from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from incrowd.tables.verify.release.released_cost import claimed_cost, recounted_cost


@pytest.mark.parametrize(
    ("claimed", "cost"), [(6, 7), (7, 7), (9, 9), (11, 11), (12, 7), (True, 7), (None, 7), ("9", 7), (9.0, 7)]
)
def test_a_claim_between_the_least_and_the_most_is_the_cost(claimed, cost):
    """At a scale of 2, and of rows that cost 3 as they are: between 7 and 11; else the least."""
    assert claimed_cost({"cost": claimed}, (Fraction(2), Fraction(4)), 2, 3) == cost


def test_where_nothing_is_known_of_the_cost_nothing_is_said():
    assert claimed_cost({"cost": 9}, None, 2, 3) is None


def test_a_release_without_a_quasi_identifier_has_no_cost():
    rules = SimpleNamespace(names=("a", "b"))
    assert recounted_cost(None, None, SimpleNamespace(names=["a"]), rules, None, text=(), star="*") is None
