from __future__ import annotations

import numpy as np

from incrowd.kernels.grouping import median_splits


def drawn(seed, *, relaxed):
    """One part over flat columns: what the kernels take, and its rows one by one."""
    rng = np.random.default_rng(seed)
    t, m, d = int(rng.integers(2, 9)), 2, 5
    rank, rows = rng.integers(0, d, (t, m)).astype(np.int32), rng.integers(1, 4, t)
    place = np.sort(rng.integers(0, 50, (m, d)), axis=1)
    node = np.zeros((2 * m, d), np.int32)
    node[::2] = np.arange(d)
    types, begins, k = np.arange(t, dtype=np.int32), np.array([0, t]), int(rng.integers(1, 4))
    arrays = types, rows, begins, np.zeros(1, np.int64), rank, place, node, 2 * np.arange(m), np.ones(m, np.int64), k
    return arrays, median_splits.next_cuts(*arrays, False, relaxed)


def test_a_cut_has_the_most_rows_on_its_smaller_side_in_the_widest_column_that_can_be_cut():
    cut_some = 0
    for seed in range(150):
        (_, rows, _, _, rank, place, _, _, _, k), (column, cut, _) = drawn(seed, relaxed=False)
        n = int(rows.sum())
        wide = [int(place[j, rank[:, j].max()] - place[j, rank[:, j].min()]) for j in range(2)]
        spread = [rank[:, j].max() > rank[:, j].min() for j in range(2)]
        best = []
        for j in sorted((j for j in range(2) if spread[j]), key=lambda j: (-wide[j], j)):
            left = {int(r): int(rows[rank[:, j] <= r].sum()) for r in np.unique(rank[:, j])[:-1]}
            fair = {r: min(x, n - x) for r, x in left.items() if min(x, n - x) >= k}
            if fair:
                best = [j, min(r for r in fair if fair[r] == max(fair.values()))]
                break
        assert ([int(column[0]), int(cut[0])] == best) if best and n >= 2 * k else column[0] == -1
        cut_some += bool(best)
    assert cut_some > 50


def test_the_two_sides_hold_all_rows_of_a_part():
    for relaxed in (False, True):
        for seed in range(80):
            (types, rows, begins, _, rank, *_), (column, cut, _) = drawn(seed, relaxed=relaxed)
            if column[0] < 0:
                continue
            new_types, new_rows, ends = median_splits.divide(types, rows, begins, column, cut, rank, relaxed)
            each = np.bincount(new_types, weights=new_rows, minlength=types.size)
            assert (each == rows).all() and (new_rows > 0).all()
            at = rank[:, column[0]]
            left, right = new_types[: ends[1]], new_types[ends[1] :]
            assert at[left].max() <= at[right].min() if relaxed else at[left].max() <= cut[0] < at[right].min()
            assert not relaxed or new_rows[: ends[1]].sum() == rows.sum() // 2
