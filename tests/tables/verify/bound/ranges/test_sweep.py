import numpy as np

from incrowd.tables.verify.bound.ranges.sweep import below_zero


def test_one_group_of_two_cells_is_worth_its_value_and_its_run():
    lines = np.zeros((0, 3), np.int64)
    cell = np.array([[0, 1, 2]])
    counts, prices = np.array([3, 1, 1]), np.array([2, 9, 0])
    # k = 3: the first value alone adds 3 x (0 - 2); the run of the first two (cost 1) adds 3 x (1 - 2) + (1 - 9)
    given = lines, np.zeros(3, np.int64), cell, cell, cell, cell, np.array([2]), counts, 3, prices, True, np.arange(3)
    assert below_zero(*given, np.ones(3, np.bool_)) == -6 - 11
    for left, rest in (([True, False, True], -6), ([False, True, False], -11), ([False, False, True], 0)):
        assert below_zero(*given, np.array(left)) == rest
