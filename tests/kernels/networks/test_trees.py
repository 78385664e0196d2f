"""Rooted trees by array against plain recursion."""

from __future__ import annotations

import random

import numpy as np

from incrowd.kernels.networks.trees import entry_levels, far_bounds, height_of_path, heights, rooted
from incrowd.networks.solve.families.trees import centre_of
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, tree


def closure(near, root, k):
    """The least connected set with the root whose branches outside have k or more nodes a layer, by definition."""
    dist = plain.distances(near)
    members = {root}
    while len(members) < len(near):
        small = [x for group in plain.classes(dist, members) if len(group) < k for x in group]
        if not small:
            return members
        members.update(small)
    return members


def test_entries_are_the_closures_of_the_root_at_every_level():
    for seed in range(80):
        indptr, indices = csr(*tree(random.Random(seed), 25))
        near = adjacency(indptr, indices)
        centre = centre_of(indptr, indices)
        order, parent = rooted(indptr, indices, centre)
        entry = entry_levels(parent, heights(parent))
        for k in range(2, max(len(x) for x in near) + 2):
            assert set(order[entry <= k].tolist()) == closure(near, centre, k)


def test_bounds_hold_for_every_node():
    for seed in range(80):
        indptr, indices = csr(*tree(random.Random(seed), 40))
        dist = plain.distances(adjacency(indptr, indices))
        order, parent = rooted(indptr, indices, centre_of(indptr, indices))
        bound = far_bounds(parent, heights(parent), np.diff(indptr)[order])
        assert all(plain.mu(dist, {int(v)}) <= b for v, b in zip(order, bound, strict=True))


def test_parents_come_before_their_children_and_heights_count_layers():
    indptr, indices = csr(6, [(2, 0), (2, 1), (1, 3), (3, 4), (0, 5)])
    order, parent = rooted(indptr, indices, 2)
    assert order.tolist() == [2, 0, 1, 5, 3, 4]
    assert parent.tolist() == [-1, 0, 0, 1, 2, 4]
    assert heights(parent).tolist() == [4, 2, 3, 1, 2, 1]


def test_a_long_path_goes_up_while_it_is_the_tallest():
    parent = np.array([-1, 0, 0, 2], np.int32)
    start, child = np.array([0, 2, 2, 3, 3], np.int32), np.array([1, 2, 3], np.int32)
    height = heights(parent)
    assert height_of_path(parent, height, 3, start, child) == 3
    assert height_of_path(parent, height, 1, start, child) == 1
