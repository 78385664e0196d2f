"""The rows assigned, against a maximum flow by NetworkX."""

from __future__ import annotations

import networkx as nx
import numpy as np

from incrowd.kernels.crowds import augment, begin
from oracles.crowd_graphs import drawn_graph
from seeds import seeds


@seeds(500)
def test_as_many_rows_are_assigned_as_can_be(seed):
    graph, supply, demand = drawn_graph(seed)
    key_a, a_class, key_b, b_class, _, _, a_keys, _, _, b_keys = graph
    left, wanted = supply.copy(), demand.copy()
    sent, got = np.zeros(a_class.size, np.int64), np.zeros(b_class.size, np.int64)
    if seed % 2:  # the flow is found without a start, too
        begin(key_a, a_class, key_b, b_class, left, wanted, sent, got)
    while augment(*graph, left, wanted, sent, got):
        pass
    net = nx.DiGraph()
    net.add_nodes_from(["s", "t"])
    for i, rows in enumerate(supply.tolist()):
        net.add_edge("s", ("a", i), capacity=rows)
    for j, rows in enumerate(demand.tolist()):
        net.add_edge(("b", j), "t", capacity=rows)
    for i, x in zip(a_class.tolist(), a_keys.tolist(), strict=True):
        net.add_edge(("a", i), ("x", x))
    for j, x in zip(b_class.tolist(), b_keys.tolist(), strict=True):
        net.add_edge(("x", x), ("b", j))
    assert supply.sum() - left.sum() == nx.maximum_flow_value(net, "s", "t") == demand.sum() - wanted.sum()
    assert (sent >= 0).all() and (got >= 0).all() and (left >= 0).all() and (wanted >= 0).all()
    keys = key_a.size - 1
    assert (np.bincount(a_keys, sent, keys) == np.bincount(b_keys, got, keys)).all()
    assert (np.bincount(a_class, sent, supply.size) == supply - left).all()
    assert (np.bincount(b_class, got, demand.size) == demand - wanted).all()
