"""Few attackers who single somebody out, against all subsets."""

import math
import random

import networkx as nx
import numpy as np

from incrowd import networks
from incrowd.networks.solve.one import algorithm_v, theorem_3b, theorem_3c
from oracles import networks as plain


def test_algorithm_v_singles_somebody_out_within_its_ratio_of_the_least():
    for seed in range(25):
        rng = random.Random(seed)
        n = rng.randint(3, 7)
        near = plain.adjacency(n, [(rng.randrange(i), i) for i in range(1, n)] + [(rng.randrange(n), rng.randrange(n))])
        dist = plain.distances(near)
        _, exactly = plain.curves(near)
        found = algorithm_v(np.array(dist).astype(np.int64))
        assert plain.mu(dist, found) == 1
        assert len(found) <= (1 + math.log(n - 1)) * exactly[1]


def test_a_leaf_and_a_common_neighbour_are_found_where_there_is_one():
    assert theorem_3b(networks.read(nx.path_graph(4))) == [0]
    assert theorem_3b(networks.read(nx.cycle_graph(4))) is None
    assert theorem_3c(networks.read(nx.cycle_graph(5))) is not None
    assert theorem_3c(networks.read(nx.complete_bipartite_graph(3, 3))) is None
