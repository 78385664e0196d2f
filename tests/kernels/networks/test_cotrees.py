"""Cographs taken apart: the tree is that of the graph, and a wrong one is noticed."""

from __future__ import annotations

import random

import numpy as np

from incrowd.kernels.networks.cotrees import beside_path, branch_sums, canonical, cotree, implied_edges
from oracles.graph_classes import adjacency, cograph, csr


def below(parent, n):
    """Nodes of the graph below every node of the cotree."""
    out = [{x} if x < n else set() for x in range(parent.size)]
    for x in range(parent.size - 1):
        out[parent[x]] |= out[x]
    return out


def test_two_nodes_are_joined_where_the_cotree_says_so():
    for seed in range(100):
        n, edges = cograph(random.Random(seed), 20)
        indptr, indices = csr(n, edges)
        merges, parent, joined = cotree(indptr, indices, seed)
        assert merges == n - 1
        sets, near = below(parent, n), adjacency(indptr, indices)
        for x in range(n):
            for y in range(x):
                first = min(z for z in range(n, parent.size) if {x, y} <= sets[z])
                assert joined[first] == (y in near[x])
        assert implied_edges(indptr, indices, parent, joined) == indices.size // 2


def test_a_wrong_cotree_has_another_number_of_edges():
    indptr, indices = csr(*cograph(random.Random(5), 20))
    _, parent, joined = cotree(indptr, indices, 0)
    for x in range(indptr.size - 1, parent.size):
        wrong = joined.copy()
        wrong[x] = not wrong[x]
        assert implied_edges(indptr, indices, parent, wrong) != indices.size // 2


def test_a_path_of_four_nodes_has_no_twins():
    assert cotree(*csr(4, [(0, 1), (1, 2), (2, 3)]), 0)[0] == 0


def test_after_contraction_joined_and_not_joined_take_turns():
    for seed in range(60):
        n, edges = cograph(random.Random(seed), 20)
        _, parent, joined = cotree(*csr(n, edges), 0)
        sets = below(parent, n)
        above, beside = canonical(parent, joined, n)
        for x in range(parent.size - 1):
            if above[x] >= 0:
                assert x < n or joined[above[x]] != joined[x]
                assert beside[x] == len(sets[above[x]]) - len(sets[x])
            else:
                assert above[x] == -2


def test_sums_are_of_the_portions_beside_the_path():
    for seed in range(60):
        n, edges = cograph(random.Random(seed), 20)
        _, parent, joined = cotree(*csr(n, edges), 0)
        sets = below(parent, n)
        above, beside = canonical(parent, joined, n)
        for level in (1, 2, 4):
            sums = branch_sums(above, beside, joined, level)
            for v in range(n):
                for kind in (False, True):
                    portions, x = set(), v
                    while above[x] >= 0:
                        if joined[above[x]] == kind and beside[x] >= level:
                            portions |= sets[above[x]] - sets[x]
                        x = above[x]
                    out = beside_path(above, beside, joined, v, kind, level)
                    assert set(np.flatnonzero(out[:n]).tolist()) == portions
                    assert sums[int(kind), v] == len(portions)
