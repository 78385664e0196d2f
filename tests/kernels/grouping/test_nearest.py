from __future__ import annotations

import numpy as np

from incrowd.kernels.grouping.frequent import common_levels


def test_the_levels_of_a_seed_are_shared_by_k_rows_that_were_looked_at():
    for seed in range(100):
        rng = np.random.default_rng(seed)
        t, m, k = int(rng.integers(2, 12)), 3, int(rng.integers(2, 5))
        nodes = np.zeros((t, 2 * m), np.int32)
        nodes[:, ::2] = rng.integers(0, 3, (t, m))
        costs = np.zeros((2 * m, t), np.int64)
        costs[1::2] = rng.integers(1, 4, (m, 1))
        weights, live = rng.integers(1, 3, t), np.arange(t, dtype=np.int32)
        found = common_levels(
            nodes, 2 * np.arange(m), np.ones(m, np.int64), costs, live, live.astype(np.int64), live, live, t, weights,
            k, 2,
        )  # fmt: skip
        for i, vector in enumerate(found):
            alike = (nodes[:, 2 * np.arange(m) + vector] == nodes[i, 2 * np.arange(m) + vector]).all(axis=1)
            assert weights[alike].sum() >= min(k, weights.sum())
            assert weights[i] < k or not vector.any()
