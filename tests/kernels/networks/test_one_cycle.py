"""Graphs with one cycle by array against plain searches."""

from __future__ import annotations

import random

import numpy as np

from incrowd.kernels.networks.one_cycle import far_side, farthest, hung_trees
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, unicyclic


def apart(seed):
    indptr, indices = csr(*unicyclic(random.Random(seed), 30))
    length, order, parent = hung_trees(indptr, indices)
    own = list(range(length))
    for i in range(length, order.size):
        own.append(own[parent[i]])
    return adjacency(indptr, indices), length, order.tolist(), parent.tolist(), own


def test_the_cycle_comes_first_and_every_other_node_after_its_parent():
    for seed in range(80):
        near, length, order, parent, _ = apart(seed)
        assert sorted(order) == list(range(len(near)))
        assert all(order[(i + 1) % length] in near[order[i]] for i in range(length))
        assert parent[:length] == [-1] * length
        assert all(parent[i] < i and order[parent[i]] in near[order[i]] for i in range(length, len(near)))


def test_distances_and_thin_layers_beyond_a_tree_are_those_of_a_search():
    for seed in range(80):
        near, length, order, _, own = apart(seed)
        dist = plain.distances(near)
        depth = [int(dist[order[own[i]]][order[i]]) for i in range(len(near))]
        depths = np.array([max(depth[i] for i in range(len(near)) if own[i] == j) for j in range(length)])
        beyond = [[int(dist[order[j]][order[i]]) for i in range(len(near)) if own[i] != j] for j in range(length)]
        reach = farthest(depths)
        assert reach.tolist() == [max(x) for x in beyond]
        starts = np.concatenate([[0], np.cumsum(depths + 1)])
        layers = np.zeros(starts[-1], np.int64)
        for i in range(len(near)):
            layers[starts[own[i]] + depth[i]] += 1
        thin = [
            min([beyond[j].count(t) for t in range(max(depths[j], reach[j] - 8) + 1, reach[j] + 1)], default=len(near))
            for j in range(length)
        ]
        assert far_side(starts, layers, reach).tolist() == thin
