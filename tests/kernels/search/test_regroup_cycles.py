from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.metric import FAR, SUM, Flat
from incrowd.kernels.search import regroup


def flat_of(codes, steps):
    n, lines = codes.shape
    return Flat(
        codes.astype(np.int32), steps.astype(np.int32), np.zeros((n, 0), np.int32), SUM,
        np.zeros((n, 1), np.int64), np.zeros((n, 1, lines), np.int64),
        np.zeros((0, 1), np.int64), np.zeros(0, np.int64), np.zeros(2, np.int64),
    )  # fmt: skip


def blocks(rng, n):
    """Blocks of 1 to 4 rows over three columns of three values, a price each."""
    codes = rng.integers(0, 3, (n, 3))
    steps = np.tile(rng.integers(1, 5, 3), (n, 1))
    sizes = rng.integers(1, 5, n)
    k = int(rng.integers(2, 6))
    may = (sizes >= k) | (rng.random(n) < 0.1)
    return flat_of(codes, steps), codes, steps, sizes, rng.integers(0, 20, n), may, k


def worth(codes, steps, sizes, alone, may, k, group):
    """What some blocks cost as one group; FAR if they may not be one."""
    if len(group) == 1:
        return int(alone[group[0]]) if may[group[0]] else FAR
    if sum(sizes[b] for b in group) < k:
        return FAR
    apart = sum(int(steps[0, j]) for j in range(codes.shape[1]) if len({int(codes[b, j]) for b in group}) > 1)
    return int(sum(sizes[b] for b in group)) * apart


def best_cut(ring, price):
    """The cheapest way to cut a cycle into neighbours by twos, with one group of one or three if it is odd."""
    n = len(ring)
    if n == 1:
        return price(ring)
    ways = []
    for start in range(n):
        turned = ring[start:] + ring[:start]
        if n % 2 == 0:
            ways.append([turned[i : i + 2] for i in range(0, n, 2)])
        else:
            ways.append([turned[:1]] + [turned[i : i + 2] for i in range(1, n, 2)])
            if n >= 3:
                ways.append([turned[:3]] + [turned[i : i + 2] for i in range(3, n, 2)])
    return min(min(sum(price(g) for g in way), FAR) for way in ways)


def classes_of(name):
    return [np.flatnonzero(name == b).tolist() for b in np.unique(name[name >= 0])]


def test_cycles_are_cut_as_cheaply_as_neighbours_allow():
    cut = impossible = triples = 0
    for seed in range(400):
        rng = np.random.default_rng([72, seed])
        n = int(rng.integers(1, 10))
        flat, codes, steps, sizes, alone, may, k = blocks(rng, n)
        column = rng.permutation(n).astype(np.int32)
        name = regroup.rounded(flat, sizes, alone, may, k, column)

        def price(group, args=(codes, steps, sizes, alone, may, k)):
            return worth(*args, group)

        seen = set()
        for start in range(n):
            if start in seen:
                continue
            ring, at = [], start
            while at not in seen:
                seen.add(at)
                ring.append(at)
                at = int(column[at])
            best = best_cut(ring, price)
            if best >= FAR:
                assert (name[ring] == -1).all()
                impossible += 1
                continue
            parts = [g for g in classes_of(name) if g[0] in ring]
            assert sorted(b for g in parts for b in g) == sorted(ring)
            assert all(name[b] == min(g) for g in parts for b in g)
            assert sum(price(g) for g in parts) == best
            triples += any(len(g) == 3 for g in parts)
            cut += 1
    assert cut > 300
    assert impossible > 50
    assert triples > 10


def test_new_groups_are_taken_where_they_are_no_dearer_and_the_rest_stays():
    taken = kept = 0
    for seed in range(400):
        rng = np.random.default_rng([73, seed])
        n = int(rng.integers(2, 12))
        flat, codes, steps, sizes, alone, may, k = blocks(rng, n)
        group = np.zeros(n, np.int32)
        for b in range(1, n):
            alone_before = b < 2 or group[b - 1] != group[b - 2]
            group[b] = group[b - 1] + (0 if alone_before and rng.random() < 0.7 else 1)
        # The old groups are a release: those of one block may be alone, those of two have the rows.
        single = np.bincount(group)[group] == 1
        may = may | single
        name = regroup.rounded(flat, sizes, alone, may, k, rng.permutation(n).astype(np.int32))
        out, saved = regroup.joined(flat, sizes, alone, group, name)
        old = np.array([np.flatnonzero(group == g)[0] for g in group])

        def price(groups, args=(codes, steps, sizes, alone, may, 1)):
            return sum(worth(*args, g) for g in groups)

        assert price(classes_of(old)) - price(classes_of(out)) == saved >= 0
        for g in classes_of(out):
            assert g in classes_of(old) or g in classes_of(name)
        taken += not np.array_equal(out, old)
        kept += np.array_equal(out, old)
    assert taken > 100
    assert kept > 10
