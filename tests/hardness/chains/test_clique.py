"""Clique, the whole of Theorem 5, against trying every clique and every partition of the rows."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.sources.graphs import Graph, drawn
from oracles.hard import has_clique, partition
from seeds import seeds


@seeds(300)
def test_the_answer_is_the_sources_and_the_least_release_maps_back(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 6))
    source = drawn(rng, n, int(rng.integers(1, n * (n - 1) // 2 + 1)))
    size = int(rng.integers(2, n + 1))
    made = instance("clique", source, goal=size)
    right = has_clique(n, source.edges, size)
    assert made.yes == right
    k = made.policy["k"]
    stars, blocks = partition(made.table.rows, lambda block: len(block) >= k)
    assert stars == made.optimum
    assert (stars <= made.threshold) == right
    release = made.table.released(blocks)
    if right:
        clique = made.backward(release)
        assert len(clique) == size
        assert made.asks.solves(source, clique)
    else:
        with pytest.raises(ValueError, match="too dear"):
            made.backward(release)


@seeds(60)
def test_the_usual_goal_is_a_largest_clique(seed):
    rng = np.random.default_rng(seed)
    source = drawn(rng, 6, int(rng.integers(1, 16)))
    largest = len(source.clique())
    assert has_clique(6, source.edges, largest)
    assert not has_clique(6, source.edges, largest + 1)


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="the graph needs an edge"):
        instance("clique", Graph(4, ()), goal=2)
    with pytest.raises(PolicyError, match="must have from 2 to the graph's 3 nodes, not 5"):
        instance("clique", Graph(3, ((0, 1),)), goal=5)
    with pytest.raises(PolicyError, match="so no clique is missed"):
        instance("clique", size=3, edges=3, no=True)
    with pytest.raises(PolicyError, match="1 to 1 new rows, not 2"):
        instance("clique", Graph(4, ((0, 1),)), goal=2, rows=2)
    with pytest.raises(PolicyError, match="take a smaller source problem"):
        instance("clique", Graph(2000, ((0, 1),)), goal=2, solve=False)
