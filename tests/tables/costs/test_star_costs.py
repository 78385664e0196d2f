"""suppressed_cells and weighted: what a star costs."""

from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.costs.suppressed_cells import SuppressedCells
from incrowd.tables.costs.weighted import Weighted
from incrowd.tables.protocols import Cost

FLAT = np.array([[0, 1, 2], [0, 0, 0]], np.int32)
TALL = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)


def test_a_star_costs_one_and_a_shown_value_nothing():
    assert SuppressedCells().node_costs("age", FLAT) == [[0, 0, 0], [1, 1, 1]]


def test_only_the_top_of_a_hierarchy_is_a_star():
    assert SuppressedCells().node_costs("age", TALL) == [[0] * 4, [0] * 4, [1] * 4]


def test_a_column_without_levels_costs_nothing():
    assert SuppressedCells().node_costs("age", np.array([[0, 1]], np.int32)) == [[0, 0]]


def test_a_star_costs_the_weight_of_its_column_and_one_where_none_is_given():
    cost = Weighted({"age": "1/3", "sex": 0.1, "race": 2})
    third = Fraction(1, 3)
    assert cost.node_costs("age", FLAT) == [[0] * 3, [third] * 3]
    assert cost.node_costs("sex", FLAT)[1] == [Fraction(1, 10)] * 3
    assert cost.node_costs("race", FLAT)[1] == [2] * 3
    assert cost.node_costs("zip", FLAT)[1] == [1] * 3


def test_a_weight_of_zero_makes_stars_free():
    assert Weighted({"age": 0}).node_costs("age", FLAT) == [[0] * 3, [0] * 3]


def test_weights_are_held_as_exact_pairs_and_compare_by_value():
    assert Weighted({"age": 0.1}).weights == (("age", Fraction(1, 10)),)
    assert Weighted({"age": 0.1}) == Weighted([("age", "1/10")])
    assert hash(Weighted({"age": 2})) == hash(Weighted({"age": Fraction(2)}))


@pytest.mark.parametrize("bad", [-1, "x", None, float("nan"), float("inf"), True, "1/0"])
def test_a_bad_weight_is_refused_at_birth_with_its_column(bad):
    with pytest.raises(PolicyError, match="weight of 'age' must be a number"):
        Weighted({"age": bad})


def test_a_weight_given_twice_is_refused():
    with pytest.raises(PolicyError, match="weight of 'age' is given twice"):
        Weighted([("age", 1), ("age", 2)])


@pytest.mark.parametrize("cost", [SuppressedCells(), Weighted()])
def test_costs_meet_their_protocol(cost):
    assert isinstance(cost, Cost)
