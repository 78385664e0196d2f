"""The program for trees against the sweep, all subsets, and trees worked by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from incrowd.networks.solve.families.hubs import Hub
from incrowd.networks.solve.families.trees import centre_of, curve_of_entries, tree_curve
from incrowd.progress import Watch
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, same_as_the_sweep, sets_hold, tree
from seeds import seeds


@seeds(10_000, 400)
def test_random_trees_have_the_curve_of_the_sweep(seed):
    same_as_the_sweep(*tree(random.Random(seed)), "trees")


@seeds(300)
def test_larger_trees_have_the_curve_of_the_sweep(seed):
    same_as_the_sweep(*tree(random.Random(seed), 400), "trees")


@seeds(1_000)
def test_random_trees_of_up_to_nine_nodes_have_the_curve_of_all_subsets(seed):
    n, edges = tree(random.Random(seed), 9)
    indptr, indices = csr(n, edges)
    curve = tree_curve(indptr, indices, 1, int(np.diff(indptr).max()), Watch())
    truth, _ = plain.curves(adjacency(indptr, indices))
    assert {k: int(curve.upper[k]) for k in range(1, curve.last + 1) if curve.upper[k] < n} == truth


@seeds(1_000)
def test_sets_shown_have_the_measure_claimed(seed):
    sets_hold(*tree(random.Random(seed)))


@pytest.mark.parametrize(("nodes", "most"), [(2, 1), (3, 2), (4, 1), (7, 2), (8, 1), (101, 2)])
def test_a_path_hides_two_where_it_has_a_middle_node(nodes, most):
    indptr, indices = csr(nodes, [(v, v + 1) for v in range(nodes - 1)])
    curve = tree_curve(indptr, indices, 1, int(np.diff(indptr).max()), Watch())
    assert [k for k in range(1, curve.last + 1) if curve.upper[k] < nodes] == list(range(1, most + 1))


def test_a_spider_keeps_its_longest_legs_only():
    """Legs of 1, 1, 1, 2, 2 nodes: the hub alone leaves 5 and 2; with the longer legs, the three leaves."""
    edges = [(0, 1), (0, 2), (0, 3), (0, 4), (4, 5), (0, 6), (6, 7)]
    indptr, indices = csr(8, edges)
    curve = tree_curve(indptr, indices, 1, 5, Watch())
    assert curve.upper[1:6].tolist() == [1, 1, 5, 8, 8]
    assert curve.sets[5].members.tolist() == [0, 4, 5, 6, 7]


def test_the_middle_of_a_path_is_its_centre():
    indptr, indices = csr(7, [(v, v + 1) for v in range(6)])
    assert centre_of(indptr, indices) == 3


class _Stopped(Watch):
    stopped = True  # type: ignore[assignment]


def test_a_stopped_run_is_an_interval_that_holds_the_answer():
    for seed in range(40):
        indptr, indices = csr(*tree(random.Random(seed)))
        last = int(np.diff(indptr).max())
        exact, stopped = (tree_curve(indptr, indices, 1, last, w) for w in (Watch(), _Stopped()))
        assert (stopped.lower[1:] <= exact.upper[1:]).all()
        assert (stopped.upper[1:] >= exact.upper[1:]).all()


def test_a_curve_joins_the_best_node_and_the_chain():
    entry, order = np.array([0, 2, 2, 5], np.int32), np.array([3, 2, 1, 0], np.int32)
    curve = curve_of_entries(entry, order, Hub(1, 2, 2, 7), 1, 5)
    assert curve.upper[1:6].tolist() == [1, 1, 3, 3, 4]
    assert curve.sets[1].members.tolist() == [2]
    assert curve.sets[3].members.tolist() == [1, 2, 3]
    assert curve.searches == 7
