"""Strong components, against those by NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np

from incrowd.kernels.crowds import strong_parts
from oracles.crowd_graphs import drawn_graph
from seeds import seeds


@seeds(500)
def test_the_parts_are_the_strong_components(seed):
    graph, supply, demand = drawn_graph(seed)
    key_a, a_class, _, b_class, _, _, a_keys, _, _, b_keys = graph
    rng = np.random.default_rng(seed)
    sent, got = rng.integers(0, 2, a_class.size).astype(np.int64), rng.integers(0, 2, b_class.size).astype(np.int64)
    a, keys = supply.size, key_a.size - 1
    net = nx.DiGraph()
    net.add_nodes_from(range(a + keys + demand.size))
    for i, x, rows in zip(a_class.tolist(), a_keys.tolist(), sent.tolist(), strict=True):
        net.add_edges_from([(i, a + x)] + [(a + x, i)] * bool(rows))
    for j, x, rows in zip(b_class.tolist(), b_keys.tolist(), got.tolist(), strict=True):
        net.add_edges_from([(a + x, a + keys + j)] + [(a + keys + j, a + x)] * bool(rows))
    found = strong_parts(*graph, sent, got)
    parts: dict[int, set[int]] = {}
    for node, part in enumerate(found.tolist()):
        parts.setdefault(part, set()).add(node)
    assert sorted(map(sorted, parts.values())) == sorted(map(sorted, nx.strongly_connected_components(net)))
