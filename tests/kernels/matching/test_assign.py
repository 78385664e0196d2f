"""Assignments against their plain twins."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from incrowd.kernels.matching import assign


@pytest.mark.parametrize("spread", [3, 40, 5000])
def test_assignment_costs_what_scipy_says_and_its_prices_prove_it(spread):
    rng = np.random.default_rng(spread)
    for _ in range(120):
        n = int(rng.integers(2, 40))
        edges = np.array([e for e in combinations(range(n), 2) if rng.random() < 0.4], np.int32).reshape(-1, 2)
        h = rng.integers(0, spread, len(edges))
        exits = rng.integers(spread, 3 * spread, n)
        ptr, adj, cost = assign.csr(n, edges[:, 0], edges[:, 1], h, exits)
        full = np.full((n, n), 10**9)
        full[np.arange(n), np.arange(n)] = exits
        full[edges[:, 0], edges[:, 1]] = full[edges[:, 1], edges[:, 0]] = h
        p, q = rng.integers(-spread, spread, n), rng.integers(-spread, spread, n)
        ml, mr = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
        for _ in range(2):
            assert assign.assign(ptr, adj, cost, p, q, ml, mr)
            assert sorted(ml) == list(range(n))
            assert (mr[ml] == np.arange(n)).all()
            wanted = full[linear_sum_assignment(full)].sum()
            assert full[np.arange(n), ml].sum() == wanted == (p + q).sum()
            assert (p[:, None] + q[None, :] <= full).all()
            # Cheaper arcs on the second round: it starts from the first one's prices.
            full = np.where(full < 10**9, full // 2, full)
            cost = cost // 2


@pytest.mark.parametrize("budget", [0, 20, 300])
def test_an_assignment_in_pieces_is_the_assignment_in_one_go(budget):
    rng = np.random.default_rng(budget)
    pieces = 0
    for _ in range(60):
        n = int(rng.integers(2, 60))
        edges = np.array([e for e in combinations(range(n), 2) if rng.random() < 0.3], np.int32).reshape(-1, 2)
        h, exits = rng.integers(0, 30, len(edges)), rng.integers(30, 90, n)
        arcs = assign.csr(n, edges[:, 0], edges[:, 1], h, exits)
        once = [rng.integers(-9, 9, n), rng.integers(-9, 9, n), np.full(n, -1, np.int32), np.full(n, -1, np.int32)]
        parts = [array.copy() for array in once]
        assert assign.assign(*arcs, *once)
        state = np.zeros(4, np.int64)
        while True:
            ended = assign.assign_some(*arcs, *parts, state, budget)
            p, q = parts[:2]
            tails = np.repeat(np.arange(n), np.diff(arcs[0]))
            assert (p[tails] + q[arcs[1]] <= arcs[2]).all()
            if ended != assign.MORE:
                break
            pieces += 1
        assert ended == assign.DONE
        for one, other in zip(once, parts, strict=True):
            assert (one == other).all()
    assert pieces > 30
