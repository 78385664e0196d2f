from __future__ import annotations

from itertools import permutations

import networkx as nx
import numpy as np

from incrowd.kernels.networks.walk import find_pattern
from oracles.graphs_drawn import drawn


def test_matches_are_those_of_trying_every_walk():
    several = 0
    for rng, graph, indptr, indices in drawn(80, most=8):
        h = int(rng.integers(1, 4))
        paths = [p for p in permutations(range(len(graph)), h) if nx.is_path(graph, list(p))]
        if not paths:
            continue
        planted = paths[int(rng.integers(len(paths)))]

        def look(path, graph=graph, h=h):
            return [graph.degree(v) for v in path], [
                [graph.has_edge(path[i], path[j]) for j in range(h)] for i in range(h)
            ]

        degrees, inner = look(planted)
        wanted = {path for path in paths if look(path) == (degrees, inner)}
        found, matches = find_pattern(indptr, indices, np.array(degrees), np.array(inner, bool), 10_000)
        assert matches == min(len(wanted), 2)
        assert {tuple(line.tolist()) for line in found[:matches]} <= wanted
        several += len(wanted) > 1
        if h > 1:
            assert find_pattern(indptr, indices, np.array(degrees), np.array(inner, bool), 0)[1] == -1
    assert several > 20
