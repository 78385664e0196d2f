from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import scan
from oracles.graphs_drawn import distances, drawn


def test_every_source_has_its_smallest_layer_and_buffers_are_left_clean():
    for rng, graph, indptr, indices in drawn(60, most=80):
        matrix, n = distances(graph), len(graph)
        sources = rng.permutation(n)[:64].astype(np.int32)
        buffers = scan.scan_buffers(n)
        mu, pointer, singles = (np.empty(64, np.int64) for _ in range(3))
        layers = np.empty((64, 5), np.int32)
        scan.scan(indptr, indices, sources, -1, buffers, mu, pointer, singles, layers)
        for i, v in enumerate(sources):
            sizes = {d: int((matrix[v] == d).sum()) for d in set(matrix[v].tolist()) if d}
            assert mu[i] == min(sizes.values())
            assert sizes[int(matrix[v, pointer[i]])] == mu[i]
            assert singles[i] == sum(size == 1 for size in sizes.values())
            assert layers[i].tolist() == [sizes.get(d, 0) for d in range(1, 6)]
        assert not any(words.any() for words in buffers[:3])


def test_a_ball_takes_the_nearest_open_nodes_and_closes_them():
    for rng, graph, indptr, indices in drawn(60, seed=1):
        matrix, n = distances(graph), len(graph)
        start, wanted = int(rng.integers(n)), int(rng.integers(1, 6))
        opened = rng.random(n) < 0.6
        before = opened.copy()
        found = scan.ball(indptr, indices, start, wanted, opened, np.zeros(n, np.int32), 1, np.empty(n, np.int32))
        near = [d for v, d in enumerate(matrix[start].tolist()) if before[v] and d >= 0]
        assert sorted(matrix[start, found].tolist()) == sorted(near)[:wanted]
        assert set(np.flatnonzero(before & ~opened)) == set(found.tolist())
