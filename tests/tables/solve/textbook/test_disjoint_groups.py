"""Sets that overlap become disjoint groups of k rows or more."""

import numpy as np
from tests.seeds import seeds

from incrowd.tables.solve.textbook.disjoint_groups import DisjointGroups


def test_a_larger_group_gives_rows_away_and_one_of_k_is_united():
    groups = DisjointGroups(4, 2)
    groups.add({0: 3}, [0])
    groups.add({1: 1}, [1, 0])
    assert groups.groups == [{0: 2}, {1: 1, 0: 1}]
    groups.add({2: 1}, [2, 0])
    assert groups.groups == [{0: 2, 2: 1}, {1: 1, 0: 1}]


@seeds(2000, 200)
def test_groups_stay_disjoint_and_have_k_rows_and_those_of_several_sets_fewer_than_2_k(seed):
    rng = np.random.default_rng([65, seed])
    t, k = int(rng.integers(2, 9)), int(rng.integers(1, 5))
    counts = rng.integers(1, 4, t)
    if counts.sum() < k:
        return
    left, groups = counts.copy(), DisjointGroups(t, k)
    while left.any():
        ball = rng.permutation(t)
        ball = ball[: max(1, int(np.searchsorted(np.cumsum(counts[ball]), k)) + 1)]
        fresh = {int(i): int(left[i]) for i in ball if left[i]}
        if fresh:
            groups.add(fresh, [int(i) for i in ball])
            left[ball] = 0
    held = np.zeros(t, int)
    for group in groups.groups:
        assert sum(group.values()) >= k and min(group.values()) > 0
        for i, rows in group.items():
            held[i] += rows
    assert (held == counts).all()
