"""The best single attacker, against the definition."""

import networkx as nx

from incrowd import networks
from incrowd.networks.solve.singles import single_nodes
from oracles import networks as plain


def test_the_largest_measure_of_a_single_node_is_found_and_held_by_the_node_named():
    for whole in (nx.karate_club_graph(), nx.star_graph(6), nx.cycle_graph(7), nx.barbell_graph(5, 2)):
        graph = networks.read(whole)
        near = plain.adjacency(graph.nodes, whole.edges())
        dist = plain.distances(near)
        found = single_nodes(graph.indptr, graph.indices, floor=0, stopped=lambda: False, tell=lambda *_, **__: None)
        assert found.measure == max(plain.mu(dist, [v]) for v in range(graph.nodes))
        assert found.node < 0 or plain.mu(dist, [found.node]) == found.measure
        assert not found.open.any()
