"""Closed forms of grids against the sweep and all subsets."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from incrowd import networks
from incrowd.networks.solve.families.grids import grid_curve, grid_exactly, grid_of
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, grid, same_as_the_sweep, sets_hold, shuffled
from seeds import seeds


def placed(a, b):
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(a, b))
    return csr(len(graph), list(graph.edges))


@seeds(10_000, 100)
def test_random_grids_have_the_curve_of_the_sweep(seed):
    same_as_the_sweep(*grid(random.Random(seed)), "closed form")


@seeds(200)
def test_sets_shown_have_the_measure_claimed(seed):
    sets_hold(*grid(random.Random(seed)))


@pytest.mark.parametrize(("a", "b"), [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (3, 3), (3, 4), (2, 7)])
def test_every_level_exactly_is_that_of_all_subsets(a, b):
    near = adjacency(*placed(a, b))
    found, dist = grid_of(*placed(a, b)), plain.distances(near)
    _, truth = plain.curves(near)
    for k in range(1, a * b):
        members = grid_exactly(found, k)
        assert (None if members is None else members.size) == truth.get(k)
        assert members is None or plain.mu(dist, members.tolist()) == k


@pytest.mark.parametrize(("a", "b", "curve"), [(3, 5, [1, 1, 1, 1]), (4, 5, [1, 1, 20, 20]), (4, 6, [1, 2, 24, 24])])
def test_both_sides_odd_hide_four_and_others_two(a, b, curve):
    assert grid_curve(grid_of(*placed(a, b)), 1, 4).upper[1:5].tolist() == curve


def test_places_are_found_whatever_the_names_of_the_nodes():
    for seed in range(30):
        rng = random.Random(seed)
        a, b = rng.randint(2, 9), rng.randint(2, 9)
        graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(a, b))
        found = grid_of(*csr(*shuffled(a * b, list(graph.edges), rng)))
        assert sorted(found.node.shape) == sorted((a, b))


def test_graphs_with_the_counts_of_a_grid_are_no_grids():
    """A grid with one edge moved, a cylinder, and a Moebius ladder opened."""
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 4))
    moved = nx.Graph(graph)
    moved.remove_edges_from([(5, 6), (9, 10)])
    moved.add_edges_from([(5, 10), (6, 9)])
    for other in (moved, nx.circular_ladder_graph(5), nx.path_graph(6), nx.cycle_graph(8), nx.grid_graph((2, 2, 2))):
        plainly = nx.convert_node_labels_to_integers(other)
        assert grid_of(*csr(len(plainly), list(plainly.edges))) is None


def test_every_question_about_a_large_grid_is_answered_without_a_search():
    graph = networks.read(nx.grid_2d_graph(200, 151))
    assert networks.antidimension(graph).k == 2
    for k, size in ((1, 1), (2, 1), (3, None), (4, None)):
        found = networks.antidimension(graph, exactly=k)
        assert (found.attackers, found.optimal) == (size, True)
