from fractions import Fraction

import numpy as np

from incrowd.tables.column_counts import ColumnCounts
from incrowd.tables.costs.workload import WorkloadCost
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.protocols import Cost

TALL = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
TREE = {"a": (Hierarchy(lines=[("p", "x"), ("q", "x"), ("r", "y"), ("s", "y")]), np.arange(4))}


def costs(**told):
    return WorkloadCost(TREE, {"a": ColumnCounts(rows=(1, 1, 1, 1), **told)}).node_costs("a", TALL)


def test_a_workload_meets_the_protocol_of_costs():
    assert isinstance(WorkloadCost(), Cost)


def test_a_count_loses_the_chance_that_a_value_drawn_from_the_label_is_another():
    assert costs(counting=Fraction(3)) == [[0] * 4, [Fraction(3, 2)] * 4, [Fraction(9, 4)] * 4]


def test_a_target_loses_the_bits_that_the_values_tell_of_it_and_the_label_does_not():
    apart = ({0: 1}, {1: 1}, {0: 1}, {0: 1})
    assert costs(telling=((Fraction(2), apart),)) == [
        [0] * 4, [2, 2, 0, 0], [2] * 4
    ]  # fmt: skip


def test_a_column_that_no_query_names_costs_nothing():
    assert costs() == [[0] * 4] * 3
