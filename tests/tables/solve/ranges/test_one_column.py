import numpy as np

from incrowd.tables.solve.ranges.one_column import least_steps, line_parts


def test_parts_hold_every_row_once_at_the_least_cost():
    counts = np.array([2, 9, 3])
    cell, below = np.arange(3), np.arange(4)
    assert least_steps(cell, below, counts, 5, False) == 10
    value, group, rows = line_parts(cell, below, counts, 5, False)
    assert np.bincount(value, weights=rows).tolist() == counts.tolist()
    assert (np.bincount(group, weights=rows) >= 5).all()


def test_rows_without_a_crowd_are_suppressed_where_that_is_allowed_and_cheaper():
    cell, below, counts = np.arange(2), np.arange(3), np.array([1, 50])
    assert least_steps(cell, below, counts, 5, False) == 5
    assert least_steps(cell, below, counts, 5, True) == 1
