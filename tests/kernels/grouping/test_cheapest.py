from __future__ import annotations

from itertools import product

import numpy as np

from incrowd.kernels.grouping.frequent import cheapest_classes


def test_every_row_has_the_least_cost_of_a_pattern_that_shows_it_in_a_crowd():
    for seed in range(120):
        rng = np.random.default_rng(seed)
        t, m, k = int(rng.integers(1, 12)), int(rng.integers(1, 4)), int(rng.integers(1, 6))
        values, weights = rng.integers(0, 3, (t, m)), rng.integers(1, 4, t)
        table = np.zeros((2 * m, t), np.uint64)
        table[::2] = rng.integers(1, 2**63, (m, 3)).astype(np.uint64)[np.arange(m)[:, None], values.T]
        uniform = bool(seed % 2)
        costs = np.zeros((2 * m, t), np.int64)
        costs[1::2] = rng.integers(1, 4, (m, 1)) if uniform else rng.integers(1, 4, (m, t))
        vectors = np.array(list(product([0, 1], repeat=m)), np.int8)
        each = np.array([[costs[2 * np.arange(m) + v, i].sum() for i in range(t)] for v in vectors])
        best = rng.integers(0, 9, t)
        found = cheapest_classes(
            table, 2 * np.arange(m), np.ones(m, np.int64), vectors, each.min(axis=1), costs, uniform, weights, k, best
        )
        wanted = best.copy()
        for p, vector in enumerate(vectors):
            shown = [tuple(values[i, vector == 0].tolist()) for i in range(t)]
            for i in range(t):
                if sum(weights[j] for j in range(t) if shown[j] == shown[i]) >= k:
                    wanted[i] = min(wanted[i], each[p, i])
        assert found.tolist() == wanted.tolist()
