"""Trees given in Python, as lines."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy.trees import lines_of_parents, lines_of_tree


def test_a_tree_and_its_parents_give_the_same_lines():
    tree = {"Europe": ["AT", "DE"], "Asia": {"East": ["JP"]}}
    parents = {"AT": "Europe", "DE": "Europe", "JP": "East", "East": "Asia", "Europe": "*", "Asia": "*"}
    lines = [("AT", "AT", "Europe"), ("DE", "DE", "Europe"), ("JP", "East", "Asia")]
    assert lines_of_tree(tree) == lines_of_tree({"*": tree}) == lines_of_parents(parents) == lines


@pytest.mark.parametrize("tree", [3, {"a": []}, {"a": {3.5, 2}}])
def test_what_is_no_tree_is_refused(tree):
    with pytest.raises(PolicyError, match="tree"):
        lines_of_tree(tree)


def test_parents_in_a_circle_are_refused():
    with pytest.raises(PolicyError, match="circle"):
        lines_of_parents({"a": "b", "b": "c", "c": "b"})
    with pytest.raises(PolicyError, match="parents of 2 values run in a circle"):
        lines_of_parents({"a": "*", "b": "c", "c": "b"})
