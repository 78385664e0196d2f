import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from incrowd.errors import PolicyError
from incrowd.tables.costs import MOST, Leaves, scaled_levels
from seeds import how_many

FLAT = np.array([[0, 1, 2], [0, 0, 0]], np.int32)
TALL = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)


class Given:
    name = "given"
    summary = "costs given as they are"

    def __init__(self, *lines):
        self.lines = lines

    def node_costs(self, column, up):
        return [[Fraction(c) for c in line] for line in self.lines]


def test_costs_by_node_are_kept_apart():
    levels, scale = scaled_levels(Given([0, 0, 0, 0], ["1/3", "1/3", "1/2", "1/2"], [1] * 4), ["a"], [TALL], rows=5)
    assert scale == 6
    assert levels[0].cost.tolist() == [[0] * 4, [2, 2, 3, 3], [6] * 4]
    assert not levels[0].uniform


def test_a_cost_of_a_whole_release_that_64_bits_cannot_hold_is_refused():
    most = (MOST - 1) // 20
    levels, _ = scaled_levels(Leaves(), ["a", "b"], [FLAT] * 2, rows=10, weights={"a": Fraction(most)})
    assert int(levels[0].cost[1, 0]) == most
    with pytest.raises(PolicyError, match=r"too many digits.*10 rows; round them"):
        scaled_levels(Leaves(), ["a", "b"], [FLAT] * 2, rows=10, weights={"a": Fraction(most + 1)})


def test_small_weights_with_many_digits_are_refused_too():
    weights = {"a": Fraction(1, 10**10 + 19), "b": Fraction(1, 10**10 + 33)}
    with pytest.raises(PolicyError, match="too many digits"):
        scaled_levels(Leaves(), ["a", "b"], [FLAT] * 2, rows=10, weights=weights)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([[0, 0, 1, 0], [1] * 4, [1] * 4], "a value shown as it is must cost 0"),
        ([[0] * 4, [2] * 4, [1] * 4], "costs must not fall with the level"),
        ([[0] * 4, [-1] * 4, [1] * 4], "costs must not fall with the level"),
        ([[0] * 4, [1, 2, 3, 3], [3] * 4], "equal nodes must have equal costs"),
        ([[0] * 4, [1, 1, 2, 2], [2, 2, 3, 3]], "equal nodes must have equal costs"),
    ],
)
def test_costs_that_solvers_cannot_rely_on_are_refused(lines, why):
    with pytest.raises(PolicyError, match=f"cost 'given' cannot be used in column 'a': {why}"):
        scaled_levels(Given(*lines), ["a"], [TALL], rows=5)


@settings(max_examples=how_many(300, 30), derandomize=True, deadline=None)
@given(weights=st.lists(st.fractions(0, 50, max_denominator=60), min_size=1, max_size=5))
def test_scaled_costs_are_the_exact_costs_times_the_scale(weights):
    columns = [f"c{j}" for j in range(len(weights))]
    levels, scale = scaled_levels(
        Leaves(), columns, [FLAT] * len(columns), rows=9, weights=dict(zip(columns, weights, strict=True))
    )
    assert [Fraction(int(level.cost[1, 2]), scale) for level in levels] == weights
    assert math.gcd(scale, *(int(w * scale) for w in weights)) == 1  # no smaller scale would do
