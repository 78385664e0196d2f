from __future__ import annotations

import networkx as nx
import numpy as np

from incrowd.kernels.networks import bfs
from oracles.graphs_drawn import distances, drawn


def test_one_search_and_64_at_once_have_the_distances_of_networkx():
    for _, graph, indptr, indices in drawn(60, most=90):
        wanted, n = distances(graph), len(graph)
        rows = np.full((n, n), -1, np.int16)
        for base in range(0, n, bfs.SOURCES):
            bfs.distance_rows(indptr, indices, base, rows)
        assert (rows == wanted).all()
        dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
        reached = bfs.bfs(indptr, indices, n - 1, dist, queue)
        assert (dist == wanted[n - 1]).all()
        assert sorted(queue[:reached]) == sorted(nx.node_connected_component(graph, n - 1))
        assert (np.diff(dist[queue[:reached]]) >= 0).all()


def test_tails_count_the_nodes_from_each_distance_on():
    for _, graph, indptr, indices in drawn(40, connected=True, seed=1):
        n = len(graph)
        dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
        reached = bfs.bfs(indptr, indices, 0, dist, queue)
        tail = bfs.tail_counts(dist, queue, reached)
        assert tail.tolist() == [int((dist >= j).sum()) for j in range(dist.max() + 2)]


def test_a_walk_back_is_a_shortest_path():
    for rng, graph, indptr, indices in drawn(40, connected=True, seed=2):
        n = len(graph)
        dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
        bfs.bfs(indptr, indices, 0, dist, queue)
        path = bfs.walk_back(indptr, indices, dist, int(rng.integers(n)), int(rng.integers(100)))
        assert path[0] == 0 and nx.is_path(graph, path.tolist())
        assert dist[path].tolist() == list(range(len(path)))


def test_parents_lead_to_the_nearest_root():
    for rng, graph, indptr, indices in drawn(40, connected=True, seed=3):
        n = len(graph)
        roots = rng.random(n) < 0.3
        roots[rng.integers(n)] = True
        parent = np.full(n, -1, np.int32)
        bfs.forest_parents(indptr, indices, roots, parent)
        nearest = distances(graph)[:, roots].min(axis=1)
        for v in range(n):
            assert (parent[v] < 0) == roots[v]
            if not roots[v]:
                assert graph.has_edge(v, int(parent[v])) and nearest[parent[v]] == nearest[v] - 1
