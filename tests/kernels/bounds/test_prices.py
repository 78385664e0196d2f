from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds import prices
from oracles.instances_drawn import cheapest, drawn


def test_the_cheapest_rows_that_are_missing_are_summed():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(1, 8))
        terms, counts = rng.integers(0, 9, size), rng.integers(1, 4, size)
        missing = int(rng.integers(1, counts.sum() + 1))
        low, rows = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
        found = prices.cheapest_rest(terms, counts, size, missing, low, rows)
        assert found == sum(sorted(np.repeat(terms, counts).tolist())[:missing])


def test_reduced_costs_are_those_of_counting_rows_and_tell_which_are_used():
    for rng, listed in drawn(200):
        pi = rng.integers(-2, 7, listed.counts.size)
        rc, used = np.empty(listed.costs.size, np.int64), np.zeros(listed.counts.size, np.int64)
        total = prices.reduced_costs(
            listed.begins, listed.members, listed.counts, listed.costs, listed.needs, pi, 10**6, rc, used
        )
        wanted = []
        for g, types in enumerate(listed.lists):
            terms = [(int(listed.costs[g] - pi[i]), int(listed.counts[i])) for i in types]
            wanted.append(cheapest(terms, int(listed.needs[g])))
        assert rc.tolist() == wanted
        assert total == sum(value for value in wanted if value < 0)
        taken = 0
        for g, types in enumerate(listed.lists):
            paying = sum(int(listed.counts[i]) for i in types if listed.costs[g] < pi[i])
            taken += max(paying, int(listed.needs[g])) if wanted[g] < 0 else 0
        assert used.sum() == taken
        estimate = np.empty(listed.costs.size, np.int64)
        prices.reduced_costs(
            listed.begins, listed.members, listed.counts, listed.costs, listed.needs, pi, 0, estimate, used[:0]
        )
        assert ((estimate == rc) | ((estimate > 0) & (estimate <= rc))).all()


def test_steps_never_lose_the_best_value_and_it_is_that_of_the_best_prices():
    for rng, listed in drawn(60, seed=1):
        counts, t = listed.counts, listed.counts.size
        costs = listed.costs.astype(float)
        state = np.array([-np.inf, 1.0, 0.0])
        now, best, move = rng.random(t) * 5, np.zeros(t), np.zeros(t)
        before = -np.inf
        for _ in range(4):
            prices.subgradient_steps(
                listed.begins, listed.members, counts, costs, listed.needs, np.full(t, 6.0), 40.0, 5, state, now, best,
                move,
            )  # fmt: skip
            rc = np.empty(costs.size)
            total = prices.reduced_costs(
                listed.begins, listed.members, counts, costs, listed.needs, best, 0.0, rc, np.zeros(0, np.int64)
            )
            assert state[0] >= before and np.isclose(state[0], (counts * best).sum() + total)
            before = state[0]
