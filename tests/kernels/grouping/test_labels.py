from __future__ import annotations

import numpy as np

from incrowd.kernels.grouping import instances


def test_crowds_are_numbered_in_the_order_of_their_first_row():
    for seed in range(150):
        rng = np.random.default_rng(seed)
        size, least = int(rng.integers(1, 30)), int(rng.integers(1, 6))
        hashes = rng.integers(0, 8, size).astype(np.uint64) << np.uint64(rng.choice([0, 40]))
        weights = rng.integers(1, 4, size)
        label, crowds = instances.number_classes(hashes, weights, least)
        rows = {h: int(weights[hashes == h].sum()) for h in hashes.tolist()}
        names = [h for h in dict.fromkeys(hashes.tolist()) if rows[h] >= least]
        assert crowds == len(names)
        assert label.tolist() == [names.index(h) if h in names else -1 for h in hashes.tolist()]
