"""Blossoms of blossoms, opened again and matched through."""

import numpy as np
import pytest
from tests.seeds import seeds

from incrowd.kernels.matching.blossom import FORBIDDEN, least_perfect


@pytest.mark.parametrize("triangles", [2, 4, 8])
def test_triangles_far_from_each_other_are_joined_by_one_edge_each_two(triangles):
    n = 3 * triangles
    cost = np.full((n, n), FORBIDDEN)
    for t in range(triangles):
        for u in range(3):
            for v in range(3):
                cost[3 * t + u, 3 * t + v] = 1
                for w in range(triangles):
                    if w != t:
                        cost[3 * t + u, 3 * w + v] = 50
    mate = np.full(n, -1)
    assert least_perfect(cost, mate, FORBIDDEN)
    assert cost[np.arange(n), mate].sum() == 2 * (triangles + 50 * triangles // 2)


@seeds(300, 20)
def test_points_on_a_line_in_odd_clusters_are_matched_in_order(seed):
    """Nested blossoms: on a line the sorted neighbours are a least perfect matching."""
    rng = np.random.default_rng([79, seed])
    n = 2 * int(rng.integers(2, 25))
    at = np.sort(rng.integers(0, 40, n) + 1000 * rng.integers(0, 4, n))
    order = rng.permutation(n)
    cost = np.abs(at[order][:, None] - at[order][None, :])
    mate = np.full(n, -1)
    assert least_perfect(cost, mate, FORBIDDEN)
    assert cost[np.arange(n), mate].sum() == 2 * (at[1::2] - at[::2]).sum()
