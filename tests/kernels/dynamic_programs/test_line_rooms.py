import itertools

import numpy as np

from incrowd.kernels import dynamic_programs


def least(rows, cost, k):
    """Return the least of sum (cost - price) over at least k of some rows, from all their numbers."""
    paid = sorted(cost - price for price in rows)
    return min(sum(paid[:n]) for n in range(k, len(paid) + 1))


def test_the_room_of_a_type_is_the_least_that_a_run_leaves_for_each_of_k_rows():
    for seed in range(25):
        rng = np.random.default_rng(seed)
        t, k = int(rng.integers(3, 8)), int(rng.integers(2, 4))
        cell = np.sort(rng.integers(0, 5, t)).astype(np.int64)
        cell = np.unique(cell, return_inverse=True)[1].reshape(-1).astype(np.int64)
        counts, low = rng.integers(1, 4, t).astype(np.int64), np.cumsum(rng.integers(1, 3, cell[-1] + 1))
        prices = np.round(3 * rng.random(t), 2)
        room = np.full(t, dynamic_programs.LINE_ROOMS_NONE)
        for begin, end in itertools.pairwise([0, t // 2, t]):
            dynamic_programs.rooms(cell, low, low, counts, k, prices, begin, end, room)
        expected = np.full(t, np.inf)
        for a, b in itertools.combinations_with_replacement(range(cell[-1] + 1), 2):
            held = np.flatnonzero((cell >= a) & (cell <= b))
            rows = np.repeat(prices[held], counts[held])
            if len(rows) >= k:
                expected[held] = np.minimum(expected[held], least(rows, float(low[b] - low[a]), k) / k)
        close = expected < 0.2 * prices.max()  # longer runs that are left out leave more than a fifth of a price
        assert np.allclose(room[close], expected[close])
        assert (room[~close] >= expected[~close] - 1e-9).all()
