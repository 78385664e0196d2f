"""Columns of the matching program against their plain twins."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from tests.seeds import how_many

from incrowd.kernels.matching import columns
from oracles.matching_pairs import cases
from oracles.matching_plain import FAR, flat_sets, group_cost, random_sets, reduced


def test_reduced_costs_and_entries_count_odd_sets():
    rng = np.random.default_rng(5)
    for _ in range(200):
        n = int(rng.integers(5, 9))
        sets, z = random_sets(rng, n, int(rng.integers(0, 5)))
        mptr, mids = columns.members(n, *flat_sets(sets))
        y = rng.integers(0, 5, n).astype(float)
        lifted = y.copy()
        for s, price in zip(sets, z, strict=True):
            lifted[s] += price
        groups = np.array(
            [[*g, *[-1] * (3 - len(g))] for size in (1, 2, 3) for g in combinations(range(n), size)], np.int64
        )
        costs = rng.integers(0, 9, len(groups))
        found = columns.reduced(groups, costs, lifted, mptr, mids, z)
        wanted = [reduced(g, c, y, sets, z) for g, c in zip(groups, costs, strict=True)]
        assert np.allclose(found, wanted, atol=0)
        line = rng.permutation(n).astype(np.int32)
        cut_line = (100 + np.arange(len(sets))).astype(np.int32)
        starts, lines = columns.entries(groups, line, mptr, mids, cut_line)
        for g, group in enumerate(groups):
            rows = [v for v in group if v >= 0]
            have = sorted(lines[starts[g] : starts[g + 1]])
            cuts = [100 + k for k, s in enumerate(sets) if sum(v in s for v in rows) % 2]
            assert have == sorted([int(line[v]) for v in rows] + cuts)


def test_triples_are_listed_by_reduced_cost_and_none_outside_sets_can_fail():
    inside_sets, tables = 0, how_many(400, 60)
    for rng, drawn, me, h in cases(tables, (6, 8)):
        n = len(h)
        if n < 3:
            continue
        sets, z = random_sets(rng, n, int(rng.integers(1, 4)))
        mptr, mids = columns.members(n, *flat_sets(sets))
        # Prices near half of what most pairs cost together: then many pairs and triples are tight.
        y = np.full(n, float(np.median(h[h < FAR]) if (h < FAR).any() else 0.0)) - rng.integers(0, 2, n)
        # Lower prices until all pairs hold, as the solver does.
        for i, j in combinations(range(n), 2):
            if h[i, j] < FAR:
                y[i] += min(reduced((i, j), 2 * h[i, j], y, sets, z), 0)
        lifted = y.copy()
        for s, price in zip(sets, z, strict=True):
            lifted[s] += price
        failing = set()
        wanted = {}
        for t in combinations(range(n), 3):
            cost = group_cost(drawn, list(t))
            if cost < FAR:
                wanted[t] = reduced(t, 3 * cost // me.divisor, y, sets, z)
                if wanted[t] < 0:
                    failing.add(t)
        assert all(any(set(t) <= set(s) for s in sets) for t in failing)
        inside_sets += len(failing)
        starts, rows = flat_sets(sets)
        found, _ = me.settled(
            lambda flat, _, a=(starts, rows, lifted, mptr, mids, z): columns.set_triples(
                flat, *a, -1e-9, 10_000, 0, a[1].size
            )
        )
        assert {tuple(sorted(map(int, t))) for t in found} == failing
        name = [i * n + j for i, j in combinations(range(n), 2) if h[i, j] < FAR]
        ptr = np.searchsorted(np.array(name, np.int64) // n, np.arange(n + 1))
        adj = (np.array(name, np.int64) % n).astype(np.int32)
        everyone = np.arange(n)
        found, count = me.settled(
            lambda flat, _, a=(everyone, ptr, adj, lifted, mptr, mids, z): columns.triangles(
                flat, *a, 1.0, 10_000, 0, a[0].size
            )
        )
        assert {tuple(map(int, t)) for t in found} == {t for t, rc in wanted.items() if rc <= 1.0}
        assert count == len(found)
    assert inside_sets > tables / 40, inside_sets
