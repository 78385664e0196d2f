from __future__ import annotations

import numpy as np

from incrowd.milp.program import Outcome, matrix_of, rows_of, unanswered


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
