"""The best single node among bounds."""

from __future__ import annotations

import random

import numpy as np

from incrowd.networks.solve.families.hubs import best_hub
from incrowd.progress import Watch
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, tree


class _Stopped(Watch):
    stopped = True  # type: ignore[assignment]


def test_the_best_node_is_that_of_all_nodes_whatever_valid_bounds_are_given():
    for seed in range(60):
        rng = random.Random(seed)
        indptr, indices = csr(*tree(rng, 50))
        dist = plain.distances(adjacency(indptr, indices))
        measures = [plain.mu(dist, {v}) for v in range(len(dist))]
        bound = np.array([m + rng.randrange(4) for m in measures], np.int64)
        found = best_hub(indptr, indices, bound, Watch())
        assert found.measure == found.possible == max(measures) == measures[found.node]


def test_nothing_above_the_floor_is_no_node():
    indptr, indices = csr(4, [(0, 1), (1, 2), (2, 3)])
    found = best_hub(indptr, indices, np.diff(indptr), Watch(), 1)
    assert (found.node, found.measure, found.possible) == (-1, 1, 1)


def test_a_stopped_search_says_what_is_still_possible():
    indptr, indices = csr(4, [(0, 1), (0, 2), (0, 3)])
    found = best_hub(indptr, indices, np.diff(indptr), _Stopped())
    assert (found.measure, found.possible) == (0, 3)
