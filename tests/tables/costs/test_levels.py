from fractions import Fraction

import numpy as np

from incrowd.tables.costs.levels import LevelShares
from incrowd.tables.protocols import Cost

TALL = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)


def test_level_shares_meet_the_protocol_of_costs():
    assert isinstance(LevelShares(), Cost)


def test_a_level_costs_its_share_of_the_height():
    assert LevelShares().node_costs("age", TALL) == [[0] * 4, [Fraction(1, 2)] * 4, [1] * 4]


def test_a_star_without_a_hierarchy_costs_one():
    assert LevelShares().node_costs("age", TALL[[0, 2]]) == [[0] * 4, [1] * 4]
