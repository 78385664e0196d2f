"""Least measures of one, two and three nodes."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.networks.solve import attackers as module
from incrowd.networks.solve.attackers import least_measure, one_common_neighbour
from incrowd.progress import Watch
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import gnp, multipartite


def dense(count, seed):
    """Graphs in which few nodes single nobody out: dense and multipartite ones, some disconnected."""
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randint(4, 12)
        edges = multipartite(n, rng) if rng.random() < 0.6 else gnp(n, 0.75, rng)
        yield graph_of(n, edges), plain.adjacency(n, edges)


def test_pairs_and_triples_agree_with_all_subsets():
    interesting = 0
    for graph, near in dense(80, seed=1):
        for size in (1, 2, 3):
            if size < len(near):
                found = least_measure(graph, size, None, Watch())
                least = plain.least_measure(near, size)
                assert found.lower == found.upper == least
                assert plain.mu(plain.distances(near), found.members.tolist()) == least
                interesting += least > 1
    assert interesting > 20


def test_twins_bound_what_any_attackers_can_reach():
    """K_{5,5,5}: no four attackers leave a crowd of one, whoever they are."""
    graph = nx.complete_multipartite_graph(5, 5, 5)
    found = networks.anonymity(graph, attackers=4)
    assert (found.lower_bound, found.k, found.optimal) == (1, 1, True)
    found = networks.anonymity(graph, attackers=3)
    assert (found.k, found.optimal) == (2, True)


def test_many_attackers_give_an_interval_that_holds():
    for graph, near in dense(25, seed=2):
        size = min(5, len(near) - 1)
        found = networks.anonymity(graph, attackers=size)
        assert found.lower_bound <= plain.least_measure(near, size) <= found.upper_bound


def test_a_stopped_search_keeps_a_true_interval():
    watch = Watch()
    watch.interrupt()
    for graph, near in dense(20, seed=3):
        found = least_measure(graph, 3, None, watch)
        assert found.lower <= plain.least_measure(near, 3) <= found.upper


@pytest.mark.parametrize("limit", ["PAIR_LIMIT", "BITS"])
def test_too_large_for_pairs_means_an_interval(monkeypatch, limit):
    monkeypatch.setattr(module, limit, 3)
    for graph, near in dense(20, seed=4):
        found = least_measure(graph, 2, None, Watch())
        assert found.lower <= plain.least_measure(near, 2) <= found.upper


@pytest.mark.parametrize("n", [60, 200])
def test_pairs_of_dense_random_graphs_agree_with_a_plain_count(n):
    """Words of 64 bits and beyond: the joint layers of all pairs, counted by hand."""
    graph = networks.read(nx.gnp_random_graph(n, 0.5, seed=n))
    near = [graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist() for v in range(n)]
    dist = np.array(plain.distances(near))
    least = n
    for u in range(n):
        for v in range(u + 1, n):
            joint = np.delete(dist[u] * 100 + dist[v], [u, v])
            least = min(least, int(np.unique(joint, return_counts=True)[1].min()))
    found = least_measure(graph, 2, None, Watch())
    assert found.lower == found.upper == least


def test_a_pair_with_one_common_neighbour_is_found_if_there_is_one():
    assert one_common_neighbour(networks.read(nx.path_graph(3))) is not None
    assert one_common_neighbour(networks.read(nx.complete_bipartite_graph(3, 3))) is None


def test_common_neighbours_are_counted_in_pieces_until_somebody_says_stop(monkeypatch):
    monkeypatch.setattr(module, "PIECE", 7)
    for graph, near in dense(25, seed=5):
        sets = [set(row) for row in near]
        wanted = {(u, v) for u in range(len(near)) for v in range(len(near)) if u != v and len(sets[u] & sets[v]) == 1}
        found = one_common_neighbour(graph)
        assert (found is None) == (not wanted) and (found is None or found in wanted)
        assert one_common_neighbour(graph, lambda: True) is None
