from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds import cuts
from oracles.instances_drawn import cheapest, drawn


def terms_of(rng, listed):
    """Random prices and cut terms over drawn instances."""
    pairs = listed.members.size
    return rng.normal(2, 2, listed.counts.size), rng.normal(0, 1, pairs), rng.normal(0, 1, listed.costs.size)


def test_reduced_costs_with_cuts_are_those_of_counting_rows():
    for rng, listed in drawn(200):
        prices, extra, fixed = terms_of(rng, listed)
        chosen = np.flatnonzero(rng.random(listed.costs.size) < 0.7)
        rc = np.full(listed.costs.size, np.nan)
        costs = listed.costs.astype(float)
        total = cuts.cut_reduced_costs(
            listed.begins, listed.members, listed.counts, costs, listed.needs, prices, extra, fixed, chosen, rc
        )
        wanted = 0.0
        for g in chosen:
            places = range(listed.begins[g], listed.begins[g + 1])
            terms = [
                (costs[g] - prices[listed.members[y]] + extra[y], int(listed.counts[listed.members[y]])) for y in places
            ]
            value = fixed[g] + cheapest(terms, int(listed.needs[g]))
            assert np.isclose(rc[g], value)
            wanted += min(value, 0.0)
        assert np.isclose(total, wanted)
        assert np.isnan(rc[np.setdiff1d(np.arange(rc.size), chosen)]).all()


def test_of_types_outside_a_block_enough_pairs_are_kept_for_any_best_choice_at_the_prices():
    for rng, listed in drawn(200):
        prices, extra, _ = terms_of(rng, listed)
        inside = rng.random(listed.counts.size) < 0.4
        chosen = np.arange(listed.costs.size)
        costs = listed.costs.astype(float)
        lengths, pairs = cuts.block_pairs(
            listed.begins, listed.members, listed.counts, costs, listed.needs, prices, extra, inside, chosen
        )
        owners = np.repeat(chosen, lengths)
        assert (np.diff(pairs) > 0).all()
        for g in chosen:
            kept = set(pairs[owners == g].tolist())
            every = range(listed.begins[g], listed.begins[g + 1])
            assert kept <= set(every)
            term = {y: costs[g] - prices[listed.members[y]] + extra[y] for y in every}
            outside = [y for y in every if not inside[listed.members[y]]]
            assert all(y in kept for y in every if inside[listed.members[y]] or term[y] < 0)
            left = [y for y in outside if y not in kept]
            rows = sum(int(listed.counts[listed.members[y]]) for y in outside if y in kept)
            assert not left or rows >= listed.needs[g]
            assert all(term[y] >= max((term[z] for z in outside if z in kept), default=-np.inf) for y in left)
