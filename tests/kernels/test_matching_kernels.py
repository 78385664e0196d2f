"""The kernels of the matching against their plain twins."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from incrowd import kernels
from incrowd.kernels.matching import assign, columns, repair
from incrowd.kernels.matching import metric as matching_metric
from incrowd.kernels.matching import price as matching_price
from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.solve.matching.metric import metric
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR, all_odd_sets, flat_sets, group_cost, odd_value, random_sets, reduced

NO_SETS = (np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0))


def pairs_of(drawn):
    """h of every pair, FAR on the diagonal."""
    t = drawn.types.t
    h = np.full((t, t), FAR, np.int64)
    for i, j in combinations(range(t), 2):
        h[i, j] = h[j, i] = group_cost(drawn, [i, j])
    return h


def cases(count, rows=(4, 8)):
    for seed in range(count):
        drawn = draw(FAMILIES[seed % len(FAMILIES)], 2000 + seed, rows)
        me = metric(drawn.types.codes, drawn.levels, drawn.patterns, drawn.sens, dense=seed % 3 > 0)
        h = pairs_of(drawn)
        yield np.random.default_rng(seed), drawn, me, np.where(h == FAR, FAR, h // me.divisor)


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


def test_a_repair_in_pieces_is_the_repair_in_one_go():
    pieces = 0
    for rng, _, me, h in cases(160, rows=(6, 12)):
        n = len(h)
        y = np.where(h < FAR, h, FAR).min(axis=1)
        y[y >= FAR] = 0
        i, j = np.array(
            [e for e in combinations(range(n), 2) if h[e] < FAR and 2 * h[e] == y[e[0]] + y[e[1]]] or [(0, 0)]
        ).T
        ptr, adj, _ = assign.symmetric(n, i.astype(np.int32), j.astype(np.int32), h[i, j])
        exits, real = y + rng.integers(0, 3, n), rng.random(n) < 0.2
        kinds, mates = np.zeros(n, np.int8), np.full((n, 2), -1, np.int32)

        def once(flat, _, a=(y, exits, real, ptr, adj), kinds=kinds, mates=mates):
            kind, mate = kinds.copy(), mates.copy()
            tree, home, _ = repair.repair(flat, *a, kind, mate, 99)
            return kind, mate, tree, home

        def parts(flat, _, a=(y, exits, real, ptr, adj), kinds=kinds, mates=mates, n=n):
            nonlocal pieces
            kind, mate, tree, home = kinds.copy(), mates.copy(), np.zeros(n, np.int32), np.arange(n).astype(np.int32)
            state = np.zeros(3, np.int64)
            while not repair.repair_some(flat, *a, kind, mate, 99, tree, home, state, 0):
                pieces += 1
            return kind, mate, tree, home

        for one, other in zip(me.settled(once), me.settled(parts), strict=True):
            assert (one == other).all()
    assert pieces > 100


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
    inside_sets = 0
    for rng, drawn, me, h in cases(400, (6, 8)):
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
    assert inside_sets > 10, inside_sets


def test_warm_compiles_all_that_the_solver_calls():
    modules = [assign, columns, matching_metric, matching_price, repair]
    assert {m.__name__.removeprefix("incrowd.kernels.") for m in modules} <= set(kernels.warm())

    def signatures():
        # The others are only called by kernels.
        inner = ("cost3", "row_block", "both_sets")
        names = [(m, n) for m in modules for n in m.__all__ if hasattr(getattr(m, n), "signatures") and n not in inner]
        return {(m.__name__, n): len(getattr(m, n).signatures) for m, n in names}

    before = signatures()
    assert all(before.values())
    for family in FAMILIES:
        for seed in range(12):
            drawn = draw(family, seed, (6, 9))
            optimal_groups(
                drawn.types.codes, drawn.types.counts, drawn.levels, drawn.patterns,
                outliers=drawn.outliers, sens=drawn.sens, dense=seed % 2 == 0,
            )  # fmt: skip
    assert signatures() == before


def fractional(rng, n):
    groups = [g for size in (1, 2, 3) for g in combinations(range(n), size)]
    chosen = rng.choice(len(groups), min(len(groups), int(rng.integers(3, 2 * n))), replace=False)
    lines = np.array([[*groups[c], *[-1] * (3 - len(groups[c]))] for c in chosen], np.int64)
    return lines, rng.integers(1, 4, len(lines)) / 8


def test_the_least_odd_set_of_small_components_is_found():
    rng = np.random.default_rng(6)
    for _ in range(150):
        n = int(rng.integers(3, 9))
        groups, x = fractional(rng, n)
        found = columns.every_odd_set(n, groups, x, 4, 1.0)
        values = sorted(odd_value(groups, x, s) for s in all_odd_sets(n))
        wanted = [v for v in values if v < 1.0 - 1e-9][:4]
        got = [odd_value(groups, x, {v for v in range(n) if int(b) >> v & 1}) for b in found]
        assert np.allclose(got, wanted)


def test_bettered_sets_stay_odd_and_their_value_is_told():
    rng = np.random.default_rng(7)
    for _ in range(150):
        n = int(rng.integers(4, 10))
        groups, x = fractional(rng, n)
        mark = np.zeros(n, bool)
        mark[:3] = True
        before = odd_value(groups, x, {0, 1, 2})
        value = columns.better_odd_set(n, groups, x, mark)
        chosen = set(map(int, np.flatnonzero(mark)))
        assert len(chosen) % 2 == 1
        assert len(chosen) >= 3
        assert abs(value - odd_value(groups, x, chosen)) < 1e-9
        assert value <= before + 1e-9


def test_cut_sets_are_odd_without_the_sink_and_cut_less_than_one():
    rng = np.random.default_rng(8)
    met = 0
    for _ in range(200):
        n = int(rng.integers(4, 10))
        edges = np.array([e for e in combinations(range(n), 2) if rng.random() < 0.4], np.int64).reshape(-1, 2)
        weight = rng.integers(1, 6, len(edges)) / 8
        for mark in columns.odd_cuts(n, edges[:, 0], edges[:, 1], weight):
            met += 1
            assert not mark[n - 1]
            assert mark.sum() % 2 == 1
            assert weight[mark[edges[:, 0]] != mark[edges[:, 1]]].sum() < 1.0
    assert met > 50
