import numpy as np

from incrowd.tables.range_columns import RangedColumn


def test_a_run_costs_its_distinct_values_but_the_first():
    column = RangedColumn(np.array([0, 0, 1, 2]), np.array([0, 2, 3, 4]), 5)
    assert column.cost(np.array([0, 1, 0]), np.array([0, 1, 2])).tolist() == [5, 0, 15]
