"""Invariants of a loop whose breach costs time, or is seen at the door on the largest networks alone."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks.chain import OVER, SIZE, exits, flood, settle, split, uniform
from incrowd.kernels.networks.scan import scan_buffers
from oracles.graphs_drawn import begun, closure, distances, drawn


def test_when_nothing_splits_any_more_the_set_is_the_closure():
    confirmed = separated = 0
    for rng, graph, indptr, indices in drawn(200, most=12, connected=True):
        matrix, n = distances(graph), len(graph)
        level = int(rng.integers(1, 4))
        seed = int(rng.integers(n))
        state, best = begun(graph, indptr, indices, [seed], level)
        buffers, wanted = scan_buffers(n), closure(matrix, {seed}, level)
        while settle(state, best, level) != OVER:
            edge = state.members[: state.number[SIZE]]
            edge = np.sort(edge[state.free[edge] > 0])
            told = exits(state, 10**6)
            matter = {int(m) for m in edge}
            flood(state, told < 0)
            if told == 1:
                confirmed += 1
                assert uniform(state, edge, buffers)
                assert set(np.flatnonzero(state.inside).tolist()) == wanted
                break
            assert {m for m in matter if state.relevant[m]}
            fresh = np.array([m for m in edge if state.relevant[m] and not state.searched[m]], np.int32)
            if not fresh.size:
                assert uniform(state, edge[state.relevant[edge]], buffers)
                assert set(np.flatnonzero(state.inside).tolist()) == wanted
                break
            split(state, fresh, buffers)
            separated += 1
        else:
            assert wanted == set(range(n))
        assert not any(words.any() for words in buffers[:3])
    assert confirmed > 20 and separated > 5


def test_with_no_work_left_the_exits_are_not_decided():
    for _, graph, indptr, indices in drawn(30, connected=True, seed=1):
        state, best = begun(graph, indptr, indices, [0], 1)
        if settle(state, best, 1) != OVER:
            assert exits(state, 0) == -1
            edge = {v for v in np.flatnonzero(state.inside).tolist() if state.free[v] > 0}
            assert flood(state, True) == len(edge) and set(np.flatnonzero(state.relevant).tolist()) == edge
