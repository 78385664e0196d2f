from fractions import Fraction

import numpy as np

from incrowd.tables.costs.entropy import EntropyCost
from incrowd.tables.protocols import Cost

TALL = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)


def test_entropy_meets_the_protocol_of_costs():
    assert isinstance(EntropyCost(), Cost)


def test_every_node_costs_the_logarithm_of_its_rows_and_a_value_as_it_is_too():
    found = EntropyCost({"age": np.array([1, 3, 2, 2])}).node_costs("age", TALL)
    assert found == [[0, Fraction(1584962, 10**6), 1, 1], [2] * 4, [3] * 4]
