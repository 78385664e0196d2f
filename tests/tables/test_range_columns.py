import numpy as np

from incrowd.tables.range_columns import RangedColumn


def test_a_run_costs_its_distinct_values_but_the_first():
    column = RangedColumn.by_values(np.array([0, 0, 1, 2]), 5)
    assert column.cost(np.array([0, 1, 0]), np.array([0, 1, 2])).tolist() == [5, 0, 15]
