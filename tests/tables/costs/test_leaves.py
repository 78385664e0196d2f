from fractions import Fraction

import numpy as np

from incrowd.tables.costs.leaves import Leaves
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.protocols import Cost
from oracle import costs as plain

FLAT = np.array([[0, 1, 2], [0, 0, 0]], np.int32)
LINES = (("1", "low", "few"), ("2", "low", "few"), ("3", "mid", "few"), ("4", "top", "many"))


def test_leaves_meet_the_protocol_of_costs():
    assert isinstance(Leaves(), Cost)


def test_without_a_hierarchy_every_star_costs_one_and_a_shown_value_nothing():
    assert Leaves().node_costs("age", FLAT) == [[0, 0, 0], [1, 1, 1]]


def test_a_label_costs_the_share_of_the_other_leaves_below_it():
    hierarchy, lines = Hierarchy(lines=LINES), np.array([0, 2, 3])
    told = Leaves({"age": (hierarchy, lines)}).node_costs("age", hierarchy.ups(lines))
    assert told == [[plain.leaves(LINES, LINES[i][0], level) for i in lines] for level in range(4)]
    assert told[1] == [Fraction(1, 3), 0, 0]


def test_costs_that_a_hierarchy_gives_take_the_place_of_the_shares():
    lines = np.arange(4)
    hierarchy = Hierarchy(lines=LINES, level_costs=(0.25, 0.5, 2))
    told = Leaves({"age": (hierarchy, lines)}).node_costs("age", hierarchy.ups(lines))
    assert [line[0] for line in told] == [0, Fraction(1, 4), Fraction(1, 2), 2]
