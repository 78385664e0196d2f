"""The diameter by few searches is the diameter by all searches; only tables of a paper on the largest networks ask for it."""

import networkx as nx
import pytest

from incrowd.networks import read
from incrowd.networks.solve.distances import diameter
from incrowd.progress import Watch
from seeds import seeds


@seeds(150)
def test_it_equals_the_largest_distance_of_all_pairs(seed):
    n = 2 + seed % 30
    graph = nx.gnp_random_graph(n, (0.3 + seed % 7) / n, seed=seed)
    if seed % 3 == 0:
        graph = nx.random_labeled_tree(n, seed=seed)
    graph = graph.subgraph(max(nx.connected_components(graph), key=len))
    if len(graph) < 2:
        return
    found = diameter(read(graph), Watch())
    expected = nx.diameter(graph)
    assert (found.lower, found.upper) == (expected, expected)


@pytest.mark.parametrize(
    ("graph", "expected"), [(nx.path_graph(500), 499), (nx.cycle_graph(301), 150), (nx.star_graph(40), 2)]
)
def test_named_graphs(graph, expected):
    found = diameter(read(graph), Watch())
    assert found.lower == found.upper == expected


def test_a_real_network_takes_few_searches(data_dir):
    graph = read(data_dir / "networks" / "power.edges.gz")
    found = diameter(graph, Watch())
    assert found.lower == found.upper == 46
    assert found.searches < graph.nodes / 4


def test_a_stopped_search_gives_an_interval():
    watch = Watch()
    watch.interrupt()
    found = diameter(read(nx.cycle_graph(301)), watch)
    assert found.lower <= 150 <= found.upper
