import random
import types
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.verify.release.costs import READINGS, read_costs, read_levels
from oracle.costs import PLAIN


def drawn(rng):
    size = rng.randint(1, 8)
    cut = rng.randint(1, 4)
    return [(f"v{i}", f"x{i // cut}", f"y{i // (2 * cut)}") for i in range(size)]


@pytest.mark.parametrize("cost", READINGS)
def test_every_reading_is_what_plain_python_says(cost):
    rng = random.Random(11)
    for _ in range(40):
        lines, weight = drawn(rng), Fraction(rng.randint(0, 4), rng.randint(1, 3))
        told = read_costs(cost, Hierarchy(lines=lines), weight)
        assert told == [[weight * PLAIN[cost](lines, line[0], level) for level in range(4)] for line in lines]


def test_costs_that_the_hierarchy_gives_are_read():
    lines = [("a", "x"), ("b", "x"), ("c", "y")]
    assert read_costs("leaves", Hierarchy(lines=lines, node_costs={"x": "1/4", "*": 3})) == [
        [0, Fraction(1, 4), 3], [0, Fraction(1, 4), 3], [0, 0, 3]
    ]  # fmt: skip
    assert read_costs("leaves", Hierarchy(lines=lines, level_costs=[0.5, 2]))[2] == [0, Fraction(1, 2), 2]


def test_weights_that_64_bits_cannot_hold_over_all_rows_are_refused():
    with pytest.raises(PolicyError, match="too many digits"):
        read_levels("leaves", ["a"], [2], {}, {"a": Fraction(2**61)}, rows=2)


def test_the_scale_holds_every_cost_exactly():
    fitted = types.SimpleNamespace(hierarchy=Hierarchy(lines=[("a", "x"), ("b", "x"), ("c", "y"), ("d", "y")]))
    weights = {"b": Fraction(1, 2)}
    levels, scale = read_levels("leaves", ["a", "b"], [2, 2], {"a": (fitted, np.array([0, 3]))}, weights, rows=5)
    assert scale == 6
    assert levels[0].cost.tolist() == [[0, 0], [2, 2], [6, 6]]
    assert levels[0].up.tolist() == [[0, 1], [0, 1], [0, 0]]
    assert levels[1].cost.tolist() == [[0, 0], [3, 3]]
