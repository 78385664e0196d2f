from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import pairs
from oracles.graphs_drawn import classes, distances, drawn


def least(matrix, chosen):
    """The smallest class that the chosen nodes tell apart."""
    others = [x for x in range(len(matrix)) if x not in chosen]
    found = classes(matrix[np.ix_(others, chosen)])
    return min((found.count(c) for c in found), default=len(matrix))


def test_pairs_and_triples_have_the_least_class_of_plain_counting():
    for _, graph, _, _ in drawn(40, most=9, connected=True):
        matrix, n = distances(graph), len(graph)
        if n < 4:
            continue
        layers = int(matrix.max())
        small = matrix.astype(np.int16)
        bits, sizes = pairs.layer_bits(small, layers)
        assert sizes.tolist() == [[int((line == j + 1).sum()) for j in range(layers)] for line in matrix]
        for u in range(n - 1):
            wanted = [least(matrix, [u, v]) for v in range(u + 1, n)]
            found, at = pairs.pairs_from(small, bits, sizes, u, u + 1, 0)
            assert (found, at) == (min(wanted), u + 1 + wanted.index(min(wanted)))
            if u + 2 < n:
                wanted = [least(matrix, [u, u + 1, w]) for w in range(u + 2, n)]
                found, at = pairs.triples_from(small, layers, u, u + 1, 0)
                assert found == min(wanted) and least(matrix, [u, u + 1, at]) == found
