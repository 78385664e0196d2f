"""The layers around a set of nodes."""

import networkx as nx
import numpy as np

from incrowd import networks
from incrowd.networks.models.layers import layers_around


def test_nodes_are_counted_by_their_distance_to_the_nearest_of_the_set():
    graph = networks.read(nx.path_graph(7))
    assert layers_around(graph, np.array([0], np.int32)) == ([1] * 7, 0)
    assert layers_around(graph, np.array([0, 5], np.int32)) == ([2, 3, 2], 0)


def test_nodes_without_a_path_are_counted_apart():
    graph = networks.read([("a", "b"), ("x", "y"), ("y", "z")])
    assert layers_around(graph, graph.index_of(["a"])) == ([1, 1], 3)
