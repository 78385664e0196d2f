"""Distances of row types are what a row pays in a group of the two, and a metric."""

import itertools

import numpy as np
from tests.seeds import seeds

from incrowd.tables.solve.textbook.row_distances import distances
from oracles.approximations_drawn import draw
from oracles.plans import node


@seeds(300)
def test_a_distance_is_the_cheapest_pattern_that_makes_two_rows_alike(seed):
    problem = draw(66, seed)
    found = distances(problem, np.arange(problem.types.t))
    codes = problem.types.codes.tolist()
    for u, v in itertools.product(range(problem.types.t), repeat=2):
        alike = [
            p
            for p in problem.patterns.vectors
            if all(node(problem, j, x, codes[u][j]) == node(problem, j, x, codes[v][j]) for j, x in enumerate(p))
        ]
        assert found[u, v] == min(problem.row_costs(p)[u] for p in alike) == found[v, u]
    assert (found[:, :, None] <= found[:, None, :] + found.T[None, :, :]).all()
