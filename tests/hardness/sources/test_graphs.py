"""Graphs: parts, halves and dense sets by integer programs and by trying everything."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.edge_partition import GRAPHS, TRIPARTITE, balanced, planted_parts, planted_triangles
from incrowd.hardness.sources.graphs import Graph, drawn
from oracles.hard import has_clique, least_cut, threes
from seeds import scaled


def random_graph(rng, most=6):
    nodes = int(rng.integers(2, most + 1))
    return drawn(rng, nodes, int(rng.integers(0, nodes * (nodes - 1) // 2 + 1)))


def test_the_least_cut_is_what_trying_every_half_finds():
    rng = np.random.default_rng(1)
    for _ in range(scaled(60)):
        nodes = int(rng.choice([2, 4, 6, 8]))
        graph = drawn(rng, nodes, int(rng.integers(0, nodes * (nodes - 1) // 2 + 1)))
        half = graph.bisection()
        assert len(half) == nodes // 2
        assert graph.cut(half) == least_cut(nodes, graph.edges)


def test_the_densest_nodes_are_what_trying_every_choice_finds():
    rng = np.random.default_rng(2)
    for _ in range(60):
        graph = random_graph(rng)
        count = int(rng.integers(1, graph.nodes + 1))
        found = graph.densest(count)
        assert len(found) == count
        assert graph.inside(found) == max(map(graph.inside, itertools.combinations(range(graph.nodes), count)))
        assert (graph.inside(found) == count * (count - 1) // 2) == has_clique(graph.nodes, graph.edges, count)


@pytest.mark.parametrize(("star", "triangle"), [(True, True), (True, False), (False, True)])
def test_an_edge_partition_exists_where_trying_all_finds_one(star, triangle):
    rng = np.random.default_rng(3)
    yes = 0
    for _ in range(120):
        graph = drawn(rng, 6, int(rng.choice([3, 6, 9])))
        parts = (graph.triangles() if triangle else []) + (graph.stars() if star else [])
        found = graph.edge_partition(parts)
        there = next(threes(graph.edges, star=star, triangle=triangle), None)
        assert (found is None) == (there is None)
        if found is not None:
            yes += 1
            assert sorted(e for part in found for e in part) == list(range(len(graph.edges)))
            assert set(found) <= set(parts)
    assert 0 < yes < 120


def test_the_named_graphs_answer_as_they_are_known_to():
    partition = {name: next(threes(g.edges, star=True, triangle=True), None) is not None for name, g in GRAPHS.items()}
    assert partition == {"k4": True, "k33": True, "octahedron": True, "hexagon": False, "petersen": False}
    for name, graph in GRAPHS.items():
        assert (graph.edge_partition(graph.triangles() + graph.stars()) is not None) == partition[name]
    assert {name: made.partition() is not None for name, made in TRIPARTITE.items()} == {
        "octahedron": True,
        "hexagon": False,
        "bow-tie": True,
    }


@pytest.mark.parametrize("size", [1, 2, 3, 5, 9, 12])
def test_planted_parts_are_a_partition_of_as_many(size):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        graph = planted_parts(rng, size)
        assert len(graph.edges) == 3 * size
        assert len(graph.edge_partition(graph.triangles() + graph.stars())) == size
        made = planted_triangles(rng, size)
        assert len(made.graph.edges) == 3 * size
        assert len(made.partition()) == size
        assert sorted(made.kinds()) == sorted(balanced(rng, size).kinds()) == [0] * size + [1] * size + [2] * size


def test_what_is_no_simple_graph_is_refused():
    for edges in [((1, 0),), ((0, 0),), ((0, 1), (0, 1)), ((0, 3),)]:
        with pytest.raises(PolicyError, match="pairs u < v of the nodes 0 to 2"):
            Graph(3, edges)
    with pytest.raises(PolicyError, match="at most 3 edges, not 4"):
        drawn(np.random.default_rng(0), 3, 4)


def test_too_many_parts_are_refused_before_they_are_listed():
    star = Graph(5000, tuple((0, v) for v in range(1, 5000)))
    with pytest.raises(PolicyError, match="triangles and 4-stars to choose from, more than 200,000"):
        star.stars()
    with pytest.raises(PolicyError, match="leave it unsolved"):
        star.edge_partition([(0, 1, 2)] * 200_001)


def test_a_largest_clique_is_as_large_as_any():
    rng = np.random.default_rng(8)
    for _ in range(scaled(100)):
        graph = random_graph(rng)
        largest = graph.clique()
        assert graph.inside(largest) == len(largest) * (len(largest) - 1) // 2
        assert not has_clique(graph.nodes, graph.edges, len(largest) + 1)
