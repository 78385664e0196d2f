import re
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy import Hierarchy

LINES = [("a", "low", "all-low"), ("b", "low", "all-low"), ("c", "mid", "all-low"), ("d", "top", "high")]


def test_a_last_column_of_stars_is_implied():
    assert Hierarchy(lines=[(*line, "*") for line in LINES]) == Hierarchy(lines=LINES)
    assert Hierarchy(lines=LINES).height == 3


def test_one_column_of_stars_alone_is_a_value():
    assert Hierarchy(lines=[("a",), ("b",)]).height == 1


def test_nodes_and_leaves():
    hierarchy = Hierarchy(lines=LINES)
    assert hierarchy.nodes.tolist() == [[0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 0]]
    assert hierarchy.leaves_below.tolist() == [[1, 1, 1, 1], [2, 2, 1, 1], [3, 3, 3, 1], [4, 4, 4, 4]]


def test_default_costs_are_the_share_of_leaves_lumped_together():
    costs = Hierarchy(lines=LINES).costs(np.array([3, 0]))
    assert costs == [[0, 0], [0, Fraction(1, 3)], [0, Fraction(2, 3)], [1, 1]]


def test_the_star_of_a_single_leaf_costs_1():
    assert Hierarchy(lines=[("a", "x")]).costs(np.array([0])) == [[0], [0], [1]]


def test_level_costs_and_node_costs():
    per_level = Hierarchy(lines=LINES, level_costs=[0.1, "1/2", 2]).costs(np.array([0]))
    assert per_level == [[0], [Fraction(1, 10)], [Fraction(1, 2)], [2]]
    per_node = Hierarchy(lines=LINES, node_costs={"low": 0.5, "*": 3}).costs(np.array([0, 2]))
    assert per_node == [[0, 0], [Fraction(1, 2), 0], [Fraction(2, 3), Fraction(2, 3)], [3, 3]]


def test_ups_number_only_what_occurs():
    up = Hierarchy(lines=LINES).ups(np.array([3, 1]))
    assert up[0].tolist() == [0, 1]
    assert sorted(up[1].tolist()) == [0, 1]
    assert up[3].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "no lines"),
        ([("a", "x"), ("b",), ("c", "x")], "1 line is not as long"),
        ([("secret", "x"), ("secret", "x"), ("c", "x")], "1 value is given in more than one line"),
        ([("a", "x", "p"), ("b", "x", "q")], "1 label is equal at level 1 but different at level 2"),
        ([("a", "x"), ("x", "y")], "1 label names two different sets of values"),
        ([("a", "x", "y"), ("b", "z", "x")], "1 label names two different sets of values"),
        ([("a", "*", "y"), ("b", "x", "y")], "the star * stands below the top"),
        ([("a", "*"), ("b", "x")], "the star * stands below the top"),
        ([tuple(str(i) for i in range(200))], "levels, more than"),
    ],
)
def test_faults_are_counted_and_no_value_is_quoted(lines, said):
    with pytest.raises(PolicyError, match=re.escape(said)) as caught:
        Hierarchy(lines=lines)
    assert "secret" not in str(caught.value)


def test_all_faults_come_in_one_sentence():
    with pytest.raises(PolicyError) as caught:
        Hierarchy(lines=[("a", "x", "p"), ("a", "x", "q"), ("b", "a", "p")])
    assert str(caught.value).count(";") == 2


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        ({"level_costs": [1, 0.5, 2]}, "costs fall"),
        ({"level_costs": [-1, 0, 1]}, "costs fall"),
        ({"level_costs": [1, 2]}, "has 2 numbers, but the hierarchy has 3 levels"),
        ({"level_costs": "123"}, "must be a list of numbers"),
        ({"level_costs": [0, 1, "much"]}, "must be a number"),
        ({"node_costs": {"low": 0.9}}, "costs fall"),
        ({"node_costs": {"nowhere": 1}}, "names 1 labels"),
        ({"node_costs": {"low": 1}, "level_costs": [1, 1, 1]}, "not both"),
    ],
)
def test_bad_costs_are_refused(costs, said):
    with pytest.raises(PolicyError, match=said):
        Hierarchy(lines=LINES, **costs)


def test_completed_values_hang_under_the_root():
    hierarchy = Hierarchy(lines=LINES).completed(["e"])
    assert hierarchy.lines[-1] == ("e", "e", "e")
    assert hierarchy.leaves_below[:, -1].tolist() == [1, 1, 1, 5]


def test_a_value_that_is_a_label_cannot_be_completed():
    with pytest.raises(PolicyError, match="two different sets"):
        Hierarchy(lines=LINES).completed(["low"])


def test_trees_of_uneven_depth_show_their_leaf_longer():
    hierarchy = Hierarchy.from_tree({"Europe": ["AT", "DE"], "Asia": {"East": ["JP"]}})
    assert hierarchy.lines == (("AT", "AT", "Europe"), ("DE", "DE", "Europe"), ("JP", "East", "Asia"))
    assert Hierarchy.from_tree({"*": {"x": ["a"], "y": ["b"]}}).lines == (("a", "x"), ("b", "y"))
    assert Hierarchy.from_tree(["a", "b"]).lines == (("a",), ("b",))


@pytest.mark.parametrize("tree", [{}, {"x": []}, {"x": {1, 2}}, 3])
def test_bad_trees_are_refused(tree):
    with pytest.raises(PolicyError):
        Hierarchy.from_tree(tree)


def test_parents_lead_to_lines():
    hierarchy = Hierarchy.from_parents({"AT": "Europe", "DE": "Europe", "JP": "East", "East": "Asia", "Asia": "*"})
    assert set(hierarchy.lines) == {("AT", "AT", "Europe"), ("DE", "DE", "Europe"), ("JP", "East", "Asia")}


@pytest.mark.parametrize(
    "parents", [{"a": "b", "b": "c", "c": "b"}, {"a": "b", "b": "a"}, {"x": "*", "a": "b", "b": "a"}]
)
def test_circles_are_refused(parents):
    with pytest.raises(PolicyError, match="circle"):
        Hierarchy.from_parents(parents)


def test_an_empty_mapping_of_parents_is_refused():
    with pytest.raises(PolicyError, match="empty"):
        Hierarchy.from_parents({})


@pytest.mark.parametrize("costs", [5, [1, 2], [("a",)], "ab"])
def test_costs_of_nodes_that_are_no_mapping_are_refused(costs):
    with pytest.raises(PolicyError, match="node_costs"):
        Hierarchy(lines=[("a", "x"), ("b", "x")], node_costs=costs)
