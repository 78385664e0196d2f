import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.ranges.one_column import least_steps, line_parts
from oracles.grid import drawn


def test_parts_hold_every_row_once_at_the_least_cost():
    counts = np.array([2, 9, 3])
    cell = np.arange(3)
    assert least_steps(cell, cell, cell, counts, 5, False) == 10
    value, group, rows = line_parts(cell, cell, cell, counts, 5, False)
    assert np.bincount(value, weights=rows).tolist() == counts.tolist()
    assert (np.bincount(group, weights=rows) >= 5).all()


def test_rows_without_a_crowd_are_suppressed_where_that_is_allowed_and_cheaper():
    cell, counts = np.arange(2), np.array([1, 50])
    assert least_steps(cell, cell, cell, counts, 5, False) == 5
    assert least_steps(cell, cell, cell, counts, 5, True) == 1


def test_a_stop_ends_in_a_release_all_the_same():
    stopped = Watch()
    stopped.interrupted = True
    for seed in range(40):
        problem, _ = drawn(np.random.default_rng(seed), most_rows=9, others=0)
        one = problem.ranges[0]
        asked = one.cell, one.low, one.up, problem.types.counts, problem.k, problem.outliers == "suppress"
        value, group, rows = line_parts(*asked, stopped)
        assert (np.bincount(value, weights=rows) == problem.types.counts).all()
        assert (
            np.bincount(group[group >= 0], weights=rows[group >= 0])[np.unique(group[group >= 0])] >= problem.k
        ).all()
        assert least_steps(*asked, stopped) >= least_steps(*asked)
