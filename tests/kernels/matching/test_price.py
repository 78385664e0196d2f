"""The prices of pairs against their plain twins."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from incrowd.kernels.matching import columns
from incrowd.kernels.matching import columns as matching_price
from oracles.matching_pairs import cases
from oracles.matching_plain import FAR, flat_sets, random_sets, reduced


def test_nearest_rows_are_the_cheapest_in_order():
    for _, _, me, h in cases(160):
        near, far = me.settled(lambda flat, wide: matching_price.knn(wide, flat, 3, 0, wide.codes.shape[1]))
        wanted = np.sort(h, axis=1)
        wanted = np.concatenate((wanted, np.full((len(h), 3), FAR)), axis=1)[:, :3]
        assert (far == wanted).all()
        for i, (partners, costs) in enumerate(zip(near, far, strict=True)):
            for j, cost in zip(partners, costs, strict=True):
                assert (j < 0) == (cost == FAR)
                assert j < 0 or h[i, j] == cost


def test_priced_pairs_are_those_above_the_floor():
    hits = 0
    for rng, _, me, h in cases(160):
        n = len(h)
        y = rng.integers(-2, 6, n).astype(float)
        sets, z = random_sets(rng, n, int(rng.integers(0, 4))) if n >= 3 else ([], np.zeros(0))
        mptr, mids = columns.members(n, *flat_sets(sets))
        lifted = y.copy()
        for s, price in zip(sets, z, strict=True):
            lifted[s] += price
        floor = float(rng.choice([-1.5, 0.0, 0.5]))

        rows = np.arange(n)

        def look(flat, wide, a=(lifted, floor, 0, 0, mptr, mids, z, rows, True, 1000)):
            return matching_price.price(wide, flat, *a)

        left, right, costs, count = me.settled(look)
        found = {(int(i), int(j)): int(c) for i, j, c in zip(left, right, costs, strict=True)}
        wanted = {
            (i, j): int(h[i, j])
            for i, j in combinations(range(n), 2)
            if h[i, j] < FAR and -reduced((i, j), 2 * h[i, j], y, sets, z) > floor
        }
        assert found == wanted
        assert count == len(found)
        hits += count

        def best(flat, wide, a=(lifted, floor, 0, 2, mptr, mids, z, rows, True, 1000)):
            return matching_price.price(wide, flat, *a)

        left, right, _, count = me.settled(best)
        slack = {pair: -reduced(pair, 2 * h[pair], y, sets, z) for pair in wanted}
        for i in range(n):
            mine = sorted((value for pair, value in slack.items() if pair[0] == i), reverse=True)
            assert (
                sorted((slack[int(a), int(b)] for a, b in zip(left, right, strict=True) if a == i), reverse=True)
                == (mine[:2])
            )
        assert count == len(left)
    assert hits > 200


def test_nearest_row_elsewhere_has_the_least_cost_less_its_price():
    for rng, _, me, h in cases(120):
        n = len(h)
        rows = np.flatnonzero(rng.random(n) < 0.5)
        skip = np.zeros(n, bool)
        skip[rows] = True
        y = rng.integers(0, 5, n).astype(float)
        mine = me.take(rows)

        def look(flat, wide, mine=mine, rows=rows, y=y, skip=skip, n=n):
            return matching_price.nearest(wide, flat, mine.wide, rows, np.arange(n), y, skip, True, 0, rows.size)

        value, who = me.settled(look)
        for r, i in enumerate(rows):
            wanted = min((2 * h[i, u] - y[u] for u in range(n) if not skip[u] and h[i, u] < FAR), default=np.inf)
            assert value[r] == wanted
            assert (who[r] < 0) == np.isinf(wanted)
