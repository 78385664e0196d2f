from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.chain import OVER, READY, raise_level, settle
from incrowd.kernels.networks.chain_state import LEVEL, SIZE
from oracles.graphs_drawn import begun, closure, distances, drawn


def test_nothing_is_absorbed_that_is_not_in_the_closure():
    ready = 0
    for rng, graph, indptr, indices in drawn(150, most=12, connected=True):
        matrix, n = distances(graph), len(graph)
        level = int(rng.integers(1, 4))
        seed = int(rng.integers(n))
        state, _ = begun(graph, indptr, indices, [seed], level)
        for higher in range(level, 5):
            ended = settle(state, np.full(higher + 1, n + 1), higher)
            wanted = closure(matrix, {seed}, higher)
            inside = set(np.flatnonzero(state.inside).tolist())
            assert inside <= wanted and len(inside) == state.number[SIZE]
            assert ended in (OVER, READY) and (ended == READY or inside == wanted == set(range(n)))
            if ended == OVER:
                break
            ready += 1
            raise_level(state, higher + 1)
            assert state.number[LEVEL] == higher + 1
    assert ready > 30


def test_a_set_that_can_win_at_no_level_is_over_at_once():
    for _, graph, indptr, indices in drawn(20, connected=True, seed=1):
        state, best = begun(graph, indptr, indices, [0], 1)
        assert settle(state, np.ones_like(best), 1) == OVER
