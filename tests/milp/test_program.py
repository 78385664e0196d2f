from __future__ import annotations

import numpy as np

from incrowd.milp.program import Outcome, matrix_of, rows_of, stacked, unanswered


def test_blocks_are_stacked_as_the_dense_matrices_are():
    for seed in range(50):
        rng = np.random.default_rng(seed)
        entries, bounds, dense = [], [], []
        for _ in range(int(rng.integers(1, 4))):
            lines = int(rng.integers(1, 5))
            matrix = rng.integers(0, 3, (lines, 6))
            row, column = np.nonzero(matrix)
            order = rng.permutation(row.size)
            entries.append((row[order], column[order], matrix[row, column][order]))
            bounds.append((rng.random(lines), rng.random(lines)))
            dense.append(matrix)
        rows = rows_of(entries, bounds)
        found = np.zeros((rows.lower.size, 6))
        for r in range(rows.lower.size):
            own = slice(rows.begins[r], rows.begins[r + 1])
            found[r, rows.columns[own]] = rows.values[own]
        assert (found == np.concatenate(dense)).all()
        assert (matrix_of(rows, 6).toarray() == found).all()
        assert (rows.lower == np.concatenate([lower for lower, _ in bounds])).all()
        assert (rows.upper == np.concatenate([upper for _, upper in bounds])).all()


def test_of_a_run_that_was_left_behind_nothing_is_known_but_why():
    for interrupted, outcome in ((True, Outcome.INTERRUPTED), (False, Outcome.TIME_LIMIT)):
        answer = unanswered(interrupted)
        assert answer.outcome is outcome and answer.x is None
        assert answer.bound == -np.inf and answer.objective == np.inf


def test_stacked_rows_are_those_of_all_parts_one_below_the_other():
    first = rows_of([(np.array([0, 1]), np.array([2, 0]), np.array([1.0, 3.0]))], [(np.zeros(2), np.ones(2))])
    entries = (np.array([0, 0]), np.array([0, 1]), np.array([5.0, 7.0]))
    second = rows_of([entries], [(np.full(1, -1.0), np.full(1, 9.0))])
    both = stacked((first, second))
    assert both.begins.tolist() == [0, 1, 2, 4]
    assert both.columns.tolist() == [2, 0, 0, 1]
    assert both.values.tolist() == [1, 3, 5, 7]
    assert both.lower.tolist() == [0, 0, -1]
    assert both.upper.tolist() == [1, 1, 9]
