"""Perfect matchings of least cost against every perfect matching."""

from __future__ import annotations

import numpy as np
from tests.seeds import seeds

from incrowd.kernels.matching.blossom import FORBIDDEN, least_perfect


def least(cost):
    """The least cost of a perfect matching, over all sets of nodes that the first so many make."""
    n = len(cost)
    best = {0: 0}
    for _ in range(n // 2):
        then = {}
        for done, paid in best.items():
            u = next(v for v in range(n) if not done >> v & 1)
            for v in range(u + 1, n):
                if not done >> v & 1 and cost[u, v] < FORBIDDEN:
                    key = done | 1 << u | 1 << v
                    then[key] = min(then.get(key, FORBIDDEN), paid + int(cost[u, v]))
        best = then
    return best.get((1 << n) - 1)


def drawn(rng, n):
    cost = rng.integers(0, rng.choice([2, 4, 30, 1000]), (n, n))
    cost = np.triu(cost, 1) + np.triu(cost, 1).T
    missing = np.triu(rng.random((n, n)) < rng.choice([0, 0.3, 0.6]), 1)
    cost[missing | missing.T] = FORBIDDEN
    return cost


def of_cost_0(rng, cost):
    mate = np.full(len(cost), -1)
    for u, v in rng.permutation(np.argwhere(cost == 0)):
        if u != v and mate[u] < 0 and mate[v] < 0 and rng.integers(2):
            mate[u], mate[v] = v, u
    return mate


@seeds(20_000, 1000)
def test_it_is_the_least_of_all_perfect_matchings(seed):
    rng = np.random.default_rng([71, seed])
    n = 2 * int(rng.integers(1, 7))
    cost = drawn(rng, n)
    best = least(cost)
    mate = of_cost_0(rng, cost)
    before = mate.copy()
    if best is None:
        assert not least_perfect(cost, mate, FORBIDDEN)
        return
    assert best == 0 or not least_perfect(cost, before.copy(), best - 1)
    assert least_perfect(cost, mate, best)
    assert (mate[mate] == np.arange(n)).all() and (mate != np.arange(n)).all()
    assert cost[np.arange(n), mate].sum() == 2 * best


@seeds(40, 6)
def test_larger_graphs_agree_with_themselves_under_other_names(seed):
    rng = np.random.default_rng([72, seed])
    n = 2 * int(rng.integers(10, 60))
    cost = drawn(rng, n)
    found = []
    for _ in range(2):
        order = rng.permutation(n)
        mate = np.full(n, -1)
        there = least_perfect(np.ascontiguousarray(cost[np.ix_(order, order)]), mate, FORBIDDEN)
        found.append(int(cost[order, order[mate]].sum()) if there else None)
    assert found[0] == found[1]
