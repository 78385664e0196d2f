from __future__ import annotations

import numpy as np

from incrowd.tables.row_numbers import row_numbers


def test_lines_are_numbered_as_unique_lines_are():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = rng.integers(-3, int(rng.integers(-2, 40)), (int(rng.integers(1, 60)), int(rng.integers(1, 6))))
        table = table.astype(rng.choice([np.int8, np.int32, np.int64]))
        first, number = row_numbers(table.T, len(table))
        _, index, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
        assert (first == index).all() and (number == inverse.reshape(-1)).all()


def test_no_line_and_no_column_are_no_special_case():
    assert [part.tolist() for part in row_numbers(np.zeros((2, 0), np.int64), 0)] == [[], []]
    assert [part.tolist() for part in row_numbers([], 3)] == [[0], [0, 0, 0]]


def test_codes_of_any_size_do_not_wrap():
    wide = np.array([2**31 - 1, 0, 2**31 - 1])
    assert row_numbers([wide, wide, wide], 3)[1].tolist() == [1, 0, 1]
