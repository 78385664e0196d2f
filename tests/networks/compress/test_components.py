"""Components and twins, and their way back."""

from __future__ import annotations

import random
from collections import Counter

import networkx as nx
import numpy as np

from incrowd import networks
from incrowd.networks.compress.components import largest_component, split_components
from incrowd.networks.compress.twins import twin_classes
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw, union


def test_components_are_those_of_networkx_and_lead_back():
    rng = random.Random(1)
    for _ in range(80):
        n, edges = draw(rng, 2, 30)
        whole = nx.Graph()
        whole.add_nodes_from(range(n))
        whole.add_edges_from(edges)
        graph = networks.read(whole)
        parts = list(split_components(graph))
        assert sorted(sorted(p.nodes.tolist()) for p in parts) == sorted(map(sorted, nx.connected_components(whole)))
        assert graph.components == len(parts)
        assert [p.nodes.size for p in parts] == sorted((p.nodes.size for p in parts), reverse=True)
        for part in parts:
            inner = part.graph
            for v in range(inner.nodes):
                near = inner.indices[inner.indptr[v] : inner.indptr[v + 1]]
                assert set(part.back(near).tolist()) == set(whole[int(part.nodes[v])])
                assert near.tolist() == sorted(near.tolist())


def test_curves_of_unions_agree_with_all_subsets():
    rng = random.Random(2)
    for _ in range(80):
        n = rng.randint(4, 9)
        edges = union(n, rng)
        found = networks.profile(graph_of(n, edges))
        assert {p["k"]: p["attackers"] for p in found.profile} == plain.curves(plain.adjacency(n, edges))[0]


def test_the_largest_component_keeps_its_labels():
    graph = largest_component(networks.read([("x", "y"), ("a", "b"), ("b", "c")]))
    assert graph.labels == ["a", "b", "c"] and "2 nodes in 1 other component were left out" in graph.notes[0]
    assert largest_component(graph) is graph


def test_twins_are_those_by_definition():
    rng = random.Random(3)
    for _ in range(120):
        n, edges = draw(rng, 2, 14)
        found = twin_classes(graph_of(n, edges))
        sizes = Counter(np.bincount(found).tolist())
        assert sizes == plain.twin_sizes(plain.adjacency(n, edges))
