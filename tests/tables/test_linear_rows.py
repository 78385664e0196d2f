"""Linear rows as data: from anything that numpy takes, with no further variables unless they are given."""

import numpy as np

from incrowd.tables.linear_rows import LinearRows


def holds(rows, counts, extra):
    """The definition, for one open group, row by row."""
    return all(
        sum(c * a for c, a in zip(counts, rows.counts[r], strict=True))
        + sum(counts) * rows.size[r]
        + sum(z * a for z, a in zip(extra, rows.extra[r], strict=True))
        + rows.opened[r]
        <= 0
        for r in range(len(rows.size))
    )


def test_no_value_in_more_than_half_of_a_group_is_two_rows():
    rows = LinearRows.of([0, 1], [[2, 0], [0, 2]], [-1, -1])
    assert rows.extra.shape == (2, 0)
    assert rows.opened.tolist() == [0, 0]
    for a in range(5):
        for b in range(5):
            assert holds(rows, (a, b), ()) == (max(a, b) * 2 <= a + b)


def test_distinct_values_are_counted_by_variables_that_are_0_or_1():
    """z_v <= c_v, and 2 u <= z_0 + z_1: two values in an open group."""
    rows = LinearRows.of(
        [0, 1], [[-1, 0], [0, -1], [0, 0]], [0, 0, 0], [[1, 0], [0, 1], [-1, -1]], opened=[0, 0, 2], binary=True
    )
    assert rows.binary
    for a in range(3):
        for b in range(3):
            met = any(holds(rows, (a, b), (y, z)) for y in (0, 1) for z in (0, 1))
            assert met == (a > 0 and b > 0)


def test_whatever_comes_in_solvers_get_one_kind_of_numbers():
    rows = LinearRows.of((0, 1), np.ones((1, 2), np.int8), (3,), [[1, 2, 3]])
    assert rows.code.dtype == np.int64
    assert {part.dtype for part in (rows.counts, rows.size, rows.extra, rows.opened)} == {np.dtype(np.float64)}
    assert rows.extra.shape == (1, 3)
