from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np

from incrowd.kernels.networks import build
from oracles.graphs_drawn import csr, drawn


def test_arcs_become_the_simple_graph_and_what_is_dropped_is_counted():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, e = int(rng.integers(1, 8)), int(rng.integers(0, 25))
        u, v = (rng.integers(0, n, e).astype(np.int32) for _ in range(2))
        indptr, indices, counts = build.simple_csr(u, v, n)
        graph = nx.empty_graph(n)
        arcs = Counter((a, b) for a, b in zip(u.tolist(), v.tolist(), strict=True) if a != b)
        graph.add_edges_from(arcs)
        wanted = csr(graph)
        assert indptr.tolist() == wanted[0].tolist() and indices.tolist() == wanted[1].tolist()
        assert counts[0] == int((u == v).sum())
        assert e == graph.number_of_edges() + counts.sum()
        both = sum((b, a) in arcs for a, b in arcs) // 2
        assert counts[2] == both


def test_components_are_numbered_by_their_first_node():
    for _, graph, indptr, indices in drawn(60, seed=1):
        label, sizes = build.components(indptr, indices)
        parts = sorted(nx.connected_components(graph), key=min)
        assert sizes.tolist() == [len(part) for part in parts]
        assert all(set(np.flatnonzero(label == c).tolist()) == part for c, part in enumerate(parts))


def test_an_order_begins_at_its_root_and_renaming_by_it_keeps_the_graph():
    for rng, graph, indptr, indices in drawn(60, connected=True, seed=2):
        root = int(rng.integers(len(graph)))
        order = build.bfs_order(indptr, indices, root)
        length = nx.single_source_shortest_path_length(graph, root)
        assert order[0] == root and [length[v] for v in order.tolist()] == sorted(length.values())
        renamed = nx.relabel_nodes(graph, {int(v): i for i, v in enumerate(order)})
        wanted = csr(renamed)
        found = build.relabel(indptr, indices, order)
        assert all((a == b).all() for a, b in zip(found, wanted, strict=True))


def test_a_subgraph_is_the_induced_one():
    for rng, graph, indptr, indices in drawn(60, seed=3):
        nodes = np.flatnonzero(rng.random(len(graph)) < 0.6).astype(np.int32)
        part = nx.convert_node_labels_to_integers(graph.subgraph(nodes.tolist()), ordering="sorted")
        found, wanted = build.subgraph(indptr, indices, nodes), csr(part)
        assert found[0].tolist() == wanted[0].tolist() and found[1].tolist() == wanted[1].tolist()
