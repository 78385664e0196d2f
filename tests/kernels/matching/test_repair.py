"""Repairs against their plain twins."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from incrowd.kernels.matching import assign, repair
from oracles.matching_pairs import cases
from oracles.matching_plain import FAR


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

        def once(flat, _, a=(y, exits, real, ptr, adj), kinds=kinds, mates=mates, n=n):
            kind, mate, tree, home = kinds.copy(), mates.copy(), np.zeros(n, np.int32), np.arange(n).astype(np.int32)
            assert repair.repair_some(flat, *a, kind, mate, 99, tree, home, np.zeros(3, np.int64), 1 << 62)
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
