"""Closed forms of complete multipartite graphs against the sweep and all subsets."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.networks.solve.families.multipartite import multipartite_curve, multipartite_exactly, parts_of
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, multipartite, same_as_the_sweep, sets_hold
from seeds import seeds


@seeds(10_000, 300)
def test_random_complete_multipartite_graphs_have_the_curve_of_the_sweep(seed):
    same_as_the_sweep(*multipartite(random.Random(seed)), "")


@seeds(1_000)
def test_sets_shown_have_the_measure_claimed(seed):
    sets_hold(*multipartite(random.Random(seed)))


@seeds(2_000, 60)
def test_every_level_exactly_is_that_of_all_subsets(seed):
    indptr, indices = csr(*multipartite(random.Random(seed), 6))
    near = adjacency(indptr, indices)
    parts, dist = parts_of(indptr, indices), plain.distances(near)
    _, truth = plain.curves(near)
    for k in range(1, len(near)):
        found = multipartite_exactly(parts, k)
        assert (None if found is None else found.size) == truth.get(k)
        assert found is None or plain.mu(dist, found.tolist()) == k


def test_parts_are_found_and_other_graphs_have_none():
    parts = parts_of(*csr(6, [(0, 2), (0, 3), (0, 5), (1, 2), (1, 3), (1, 5), (4, 2), (4, 3), (4, 5), (2, 5), (3, 5)]))
    assert parts.sizes.tolist() == [1, 2, 3]
    assert parts.members.tolist() == [5, 2, 3, 0, 1, 4]
    assert parts.some(1, 2).tolist() == [2, 3]
    for graph in (nx.path_graph(4), nx.petersen_graph(), nx.cycle_graph(6), nx.empty_graph(3)):
        found = csr(len(graph), list(graph.edges)) if graph.edges else (np.zeros(4, np.int64), np.zeros(0, np.int32))
        assert parts_of(*found) is None


def test_degrees_of_a_complete_bipartite_graph_are_not_enough():
    """The prism has the degrees of K_{3,3}."""
    graph = nx.circular_ladder_graph(3)
    assert parts_of(*csr(6, list(graph.edges))) is None


@pytest.mark.parametrize(("sizes", "curve"), [((1, 1, 1), [1, 1]), ((3, 4), [1, 1, 1, 3]), ((2, 2), [1, 2])])
def test_the_curve_is_one_then_the_smallest_part(sizes, curve):
    graph = nx.complete_multipartite_graph(*sizes)
    parts = parts_of(*csr(len(graph), list(graph.edges)))
    assert multipartite_curve(parts, 1, len(curve)).upper[1 : len(curve) + 1].tolist() == curve


def test_a_level_beyond_the_network_has_no_set():
    parts = parts_of(*csr(3, [(0, 1), (0, 2), (1, 2)]))
    assert multipartite_exactly(parts, 3) is None


def test_large_levels_are_answered_at_once():
    """K_{2,3,5,...}: which sums of parts there are decides, not a search."""
    graph = nx.complete_multipartite_graph(40, 40, 41, 42, 43)
    found = networks.antidimension(graph, exactly=80)
    assert (found.attackers, found.optimal) == (126, True)
    assert networks.classes(graph, found.members.tolist()).measure == 80
    assert "multipartite" in found.method
