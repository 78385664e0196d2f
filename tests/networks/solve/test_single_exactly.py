"""One node of a wanted measure, against the definition."""

import networkx as nx

from incrowd import networks
from incrowd.networks.solve.single_exactly import single_of_measure
from incrowd.progress import Watch
from oracles import networks as plain


def test_a_node_is_found_exactly_where_one_has_that_measure():
    for whole in (nx.karate_club_graph(), nx.star_graph(6), nx.cycle_graph(7), nx.gnp_random_graph(40, 0.2, seed=1)):
        near = plain.adjacency(whole.number_of_nodes(), whole.edges())
        dist = plain.distances(near)
        measures = [plain.mu(dist, [v]) for v in range(len(near))]
        for k in range(1, 9):
            found = single_of_measure(networks.read(whole), k, Watch())
            assert (found is not None) == (k in measures)
            assert found is None or measures[found] == k
