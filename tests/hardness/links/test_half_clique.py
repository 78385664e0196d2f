"""Clique -> half-clique against trying every set of nodes."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.links.half_clique import backward, forward
from incrowd.hardness.sources.graphs import Graph, drawn
from oracles.hard import has_clique
from seeds import seeds


@seeds(500)
def test_a_clique_is_there_before_if_and_only_if_one_of_half_the_nodes_is_there_after(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    source = drawn(rng, n, int(rng.integers(0, n * (n - 1) // 2 + 1)))
    for size in range(2, n + 1):
        after = forward(source, size)
        half = after.nodes // 2
        there = set(after.edges)
        assert after.nodes == 2 * half
        found = [
            some
            for some in itertools.combinations(range(after.nodes), half)
            if all(pair in there for pair in itertools.combinations(some, 2))
        ]
        assert bool(found) == has_clique(n, source.edges, size)
        for some in found:
            clique = backward(source, size, some)
            assert len(clique) == size
            assert source.inside(clique) == size * (size - 1) // 2


def test_sizes_out_of_range_and_sets_that_are_none_are_refused():
    path = Graph(3, ((0, 1), (1, 2)))
    for size in (0, 1, 4):
        with pytest.raises(PolicyError, match="from 2 to the graph's 3 nodes"):
            forward(path, size)
    with pytest.raises(ValueError, match="too few nodes"):
        backward(path, 2, (0, 3))
