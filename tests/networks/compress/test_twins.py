"""Twins: nodes that nobody else can tell apart."""

import random

from incrowd.networks.compress.twins import twin_classes
from incrowd.networks.values import Graph
from oracles import networks as plain


def graph_of(near):
    import numpy as np

    return Graph(np.cumsum([0, *map(len, near)]).astype(np.int64), np.array([x for row in near for x in row], np.int32))


def test_twins_are_those_with_the_same_neighbours_but_for_themselves():
    twins = 0
    for seed in range(60):
        rng = random.Random(seed)
        n = rng.randint(2, 8)
        near = plain.adjacency(n, [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 14))])
        found = twin_classes(graph_of(near)).tolist()
        for a in range(n):
            for b in range(a):
                same = set(near[a]) - {b} == set(near[b]) - {a}
                assert (found[a] == found[b]) == same
                twins += same
    assert twins > 50
