"""Classes by distances, on random sets of random graphs."""

from __future__ import annotations

import random

import networkx as nx

from incrowd import networks
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def test_classes_are_those_by_definition():
    rng = random.Random(1)
    for _ in range(200):
        n, edges = draw(rng, 2, 25)
        graph = graph_of(n, edges)
        members = rng.sample(range(n), rng.randint(1, n - 1))
        found = networks.classes(graph, members)
        dist = plain.distances(plain.adjacency(n, edges))
        assert sorted(found.groups()) == sorted(plain.classes(dist, members))
        assert found.measure == plain.mu(dist, members) == int(found.sizes.min())
        assert found.singled_out == plain.singled_out(dist, members)


def test_classes_are_numbered_by_their_first_node():
    found = networks.classes(nx.path_graph(5), [2])
    assert found.class_of.tolist() == [0, 1, -1, 1, 0]


def test_infinity_is_a_distance():
    whole = nx.path_graph(3)
    whole.add_nodes_from([3, 4])
    assert sorted(networks.classes(whole, [0]).groups()) == [[1], [2], [3, 4]]
