"""Crowds in lists: another order of the groups, and what lies before an entry, as plain loops say."""

import numpy as np

from incrowd.kernels.grouping import instances as crowds


def test_groups_come_in_the_order_that_is_asked_for():
    begins, members = np.array([0, 2, 3, 6]), np.array([4, 5, 1, 7, 8, 9], np.int32)
    starts, chosen = crowds.in_order(begins, members, np.array([2, 0]))
    assert starts.tolist() == [0, 3, 5]
    assert chosen.tolist() == [7, 8, 9, 4, 5]
    assert crowds.in_order(begins, members, np.zeros(0, np.int64))[0].tolist() == [0]


def test_rows_before_an_entry_are_those_of_its_key(monkeypatch):
    rng = np.random.default_rng(0)
    for seed in range(40):
        key, rows = rng.integers(0, 6, seed), rng.integers(0, 9, seed)
        plain = [int(sum(rows[y] for y in range(x) if key[y] == key[x])) for x in range(seed)]
        assert crowds.rows_before(key, rows, 6).tolist() == plain
        with monkeypatch.context() as few:
            few.setattr(crowds, "DENSE", 1)
            assert crowds.rows_before(key, rows, 6).tolist() == plain
