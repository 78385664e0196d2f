"""Invariants of a loop whose breach costs time, or is seen at the door on the largest networks alone."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import scan
from oracles.graphs_drawn import distances, drawn


def test_whoever_is_resolved_has_a_layer_of_at_most_the_floor_around_the_far_node():
    resolved = 0
    for rng, graph, indptr, indices in drawn(150, connected=True):
        matrix, n = distances(graph), len(graph)
        c, far = (int(x) for x in rng.permutation(n)[:2])
        floor = int(rng.integers(1, 4))
        tail = np.array([int((matrix[c] >= j).sum()) for j in range(matrix[c].max() + 2)])
        opened, pointer = rng.random(n) < 0.8, np.full(n, -1, np.int32)
        before = opened.copy()
        told = scan.certify(matrix[c].astype(np.int32), matrix[far].astype(np.int32), tail, floor, far, opened, pointer)
        assert told == int((before & ~opened).sum())
        resolved += told
        for v in np.flatnonzero(before & ~opened):
            assert pointer[v] == far and (matrix[v] == matrix[v, far]).sum() <= floor
        starts = np.array([v for v in range(n) if (matrix[v] >= matrix[v, far]).sum() <= floor and v != far], np.int32)
        opened, pointer = np.ones(n, bool), np.full(n, -1, np.int32)
        scan.descend(
            indptr, indices, matrix[far].astype(np.int32), starts, np.zeros(n, bool), np.empty(n, np.int32), far,
            opened, pointer,
        )  # fmt: skip
        assert not opened[starts].any()
        for v in np.flatnonzero(~opened):
            assert pointer[v] == far and (matrix[v] == matrix[v, far]).sum() <= floor
    assert resolved > 20
