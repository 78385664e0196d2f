"""Graphs to be cut into triangles and 4-stars, against trying everything."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.edge_partition import (
    GRAPHS,
    TRIPARTITE,
    Tripartite,
    balanced,
    planted_parts,
    planted_triangles,
    sparse,
)
from incrowd.hardness.sources.graphs import Graph
from oracles.hard import threes
from seeds import seeds


def test_the_named_graphs_have_the_partitions_that_are_known():
    """By 4-stars alone, by triangles alone, by both, from trying everything."""
    found = {
        name: [
            next(threes(graph.edges, star=star, triangle=triangle), None) is not None
            for star, triangle in ((True, False), (False, True), (True, True))
        ]
        for name, graph in GRAPHS.items()
    }
    assert found == {
        "k4": [False, False, True],  # a triangle and the star of the fourth node
        "k33": [True, False, True],
        "octahedron": [True, True, True],
        "hexagon": [False, False, False],
        "petersen": [False, False, False],
    }


@seeds(100)
def test_planted_parts_are_there(seed):
    rng = np.random.default_rng(seed)
    graph = planted_parts(rng, int(rng.integers(1, 5)))
    assert len(graph.edges) % 3 == 0
    assert next(threes(graph.edges, star=True, triangle=True), None) is not None


@seeds(100)
def test_planted_triangles_are_there_and_are_found(seed):
    rng = np.random.default_rng(seed)
    triangles = int(rng.integers(1, 6))
    source = planted_triangles(rng, triangles)
    assert len(source.graph.edges) == 3 * triangles
    found = source.partition()
    assert sorted(e for part in found for e in part) == list(range(3 * triangles))
    assert all(len({v for e in part for v in source.graph.edges[e]}) == 3 for part in found)


@seeds(100)
def test_a_balanced_graph_has_equally_many_edges_of_each_kind(seed):
    rng = np.random.default_rng(seed)
    triangles = int(rng.integers(1, 6))
    source = balanced(rng, triangles)
    kinds = source.kinds()
    assert [kinds.count(kind) for kind in range(3)] == [triangles] * 3
    assert (source.partition() is None) == (next(threes(source.graph.edges, star=False, triangle=True), None) is None)
    for kind, (u, v) in zip(kinds, source.graph.edges, strict=True):
        assert kind not in (source.sides[u], source.sides[v])


def test_a_sparse_graph_has_three_edges_for_each_part():
    for parts in range(1, 9):
        assert len(sparse(np.random.default_rng(parts), parts).edges) == 3 * parts


def test_the_named_tripartite_graphs_are_balanced_and_have_triangles_as_known():
    for name, source in TRIPARTITE.items():
        there = next(threes(source.graph.edges, star=False, triangle=True), None) is not None
        assert there == (source.partition() is not None) == (name != "hexagon")


def test_an_edge_inside_a_class_is_refused():
    with pytest.raises(PolicyError, match="two nodes of different classes"):
        Tripartite(Graph(3, ((0, 1),)), (0, 0, 1))
    with pytest.raises(PolicyError, match="every node needs a class"):
        Tripartite(Graph(3, ((0, 1),)), (0, 1))
