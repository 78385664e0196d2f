from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.models import distances


def test_a_metric_keeps_its_fractions_and_may_be_rescaled():
    assert distances.metric([[0, "1/3"], ["1/3", 0]], rescale=True) == ((0, 1), (1, 0))
    assert distances.metric([[0, 1], [1, 0]], rescale=False)[0][1] == Fraction(1)


def test_places_and_steps_on_the_line():
    places, steps = distances.numbers(("0.5", "2", "1"), "x")
    assert (places.tolist(), steps) == ([0, 2, 1], [1, 2])
    places, steps = distances.ranks(("10", "2", "30"), (), "x")
    assert (places.tolist(), steps) == ([1, 0, 2], [1, 1])


def test_a_tree_has_one_line_a_value_and_one_root():
    assert [level.tolist() for level in distances.tree(("a", "b"), [("a", "p", "*"), ("b", "p", "*")], "x")] == [
        [0, 1], [0, 0],
    ]  # fmt: skip
    with pytest.raises(PolicyError, match="one root"):
        distances.tree_lines([["a", "x"], ["b", "y"]])


def test_only_numbers_are_numbers():
    assert distances.are_numbers(("1", "-2.5", "1e3"))
    assert not distances.are_numbers(("1", None))
    assert not distances.are_numbers(("1", "one"))
