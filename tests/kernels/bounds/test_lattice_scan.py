from __future__ import annotations

from itertools import product

import numpy as np

from incrowd.kernels.bounds import prices
from oracles.instances_drawn import cheapest


def test_a_scan_finds_every_instance_up_to_the_threshold_with_its_reduced_cost():
    found_some = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        t, m, k, tau = (
            int(rng.integers(1, 9)),
            int(rng.integers(1, 4)),
            int(rng.integers(1, 4)),
            int(rng.integers(0, 4)),
        )
        values, counts = rng.integers(0, 3, (t, m)), rng.integers(1, 4, t)
        table = np.zeros((2 * m, t), np.uint64)
        table[::2] = rng.integers(1, 2**63, (m, 3)).astype(np.uint64)[np.arange(m)[:, None], values.T]
        uniform = bool(rng.random() < 0.5)
        paid = np.zeros((2 * m, t), np.int64)
        paid[1::2] = rng.integers(1, 4, (m, 1)) if uniform else rng.integers(1, 4, (m, t))
        vectors = np.array(list(product([0, 1], repeat=m)), np.int8)
        pi = rng.integers(0, 8, t)
        which, begins, members, rc = prices.scan_block(
            table, 2 * np.arange(m), np.ones(m, np.int64), vectors, paid, uniform, counts, k, 1, pi, tau, 10**6
        )
        found = {(int(p), tuple(members[begins[x] : begins[x + 1]].tolist())): int(rc[x]) for x, p in enumerate(which)}
        wanted = {}
        for p, vector in enumerate(vectors):
            shown = [tuple(values[i, vector == 0].tolist()) for i in range(t)]
            cost = [int(sum(paid[2 * j + 1, i] for j in range(m) if vector[j])) for i in range(t)]
            for name in set(shown):
                types = [i for i in range(t) if shown[i] == name]
                if counts[types].sum() >= k:
                    value = cheapest([(cost[i] - int(pi[i]), int(counts[i])) for i in types], k)
                    if value <= tau:
                        wanted[p, tuple(types)] = value
        assert found == wanted
        found_some += len(found)
        none = prices.scan_block(
            table, 2 * np.arange(m), np.ones(m, np.int64), vectors, paid, uniform, counts, k, 1, pi, tau, 0
        )
        assert sorted(none[3].tolist()) == sorted(value for value in wanted.values() if value < 0)
    assert found_some > 100


def test_groups_that_were_taken_for_one_are_told_from_those_that_look_alike():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        nodes, m = rng.integers(0, 2, (6, 4)).astype(np.int32), 2
        vectors = rng.integers(0, 2, (3, m)).astype(np.int8)
        members = np.concatenate([rng.choice(6, 2, replace=False) for _ in range(3)]).astype(np.int32)
        start = np.array([0, 2])
        same = prices.same_nodes(nodes, start, np.ones(m, np.int64), vectors, np.array([0, 2, 4, 6]), members)
        for g in range(3):
            a, b = nodes[members[2 * g : 2 * g + 2]][:, start + vectors[g]]
            assert same[g] == (a == b).all()
