"""Odd sets against their plain twins."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np

from incrowd.kernels.matching import odd_sets
from oracles.matching_pairs import fractional
from oracles.matching_plain import odd_value


def test_bettered_sets_stay_odd_and_their_value_is_told():
    rng = np.random.default_rng(7)
    for _ in range(150):
        n = int(rng.integers(4, 10))
        groups, x = fractional(rng, n)
        mark = np.zeros(n, bool)
        mark[:3] = True
        before = odd_value(groups, x, {0, 1, 2})
        value = odd_sets.better_odd_set(n, groups, x, mark)
        chosen = set(map(int, np.flatnonzero(mark)))
        assert len(chosen) % 2 == 1
        assert len(chosen) >= 3
        assert abs(value - odd_value(groups, x, chosen)) < 1e-9
        assert value <= before + 1e-9


def test_cut_sets_are_odd_without_the_sink_and_cut_less_than_one():
    rng = np.random.default_rng(8)
    met = 0
    for _ in range(200):
        n = int(rng.integers(4, 10))
        edges = np.array([e for e in combinations(range(n), 2) if rng.random() < 0.4], np.int64).reshape(-1, 2)
        weight = rng.integers(1, 6, len(edges)) / 8
        for mark in odd_sets.odd_cuts(n, edges[:, 0], edges[:, 1], weight):
            met += 1
            assert not mark[n - 1]
            assert mark.sum() % 2 == 1
            assert weight[mark[edges[:, 0]] != mark[edges[:, 1]]].sum() < 1.0
    assert met > 50


def test_components_go_by_their_smallest_node():
    rng = np.random.default_rng(9)
    for _ in range(100):
        n = int(rng.integers(1, 15))
        left, right = rng.integers(0, n, (2, int(rng.integers(0, 12))))
        graph = nx.empty_graph(n)
        graph.add_edges_from(zip(left.tolist(), right.tolist(), strict=True))
        label = odd_sets.components(n, left, right)
        assert all(set(label[list(part)]) == {min(part)} for part in nx.connected_components(graph))
