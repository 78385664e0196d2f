"""The program for cographs against the sweep and all subsets."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np

from incrowd.networks.solve.families.cographs import cograph_curve, cotree_of
from incrowd.progress import Watch
from oracles import networks as plain
from oracles.graph_classes import adjacency, cograph, csr, same_as_the_sweep, sets_hold
from seeds import seeds


@seeds(10_000, 300)
def test_random_cographs_have_the_curve_of_the_sweep(seed):
    same_as_the_sweep(*cograph(random.Random(seed)), "")


@seeds(500, 20)
def test_larger_cographs_have_the_curve_of_the_sweep(seed):
    same_as_the_sweep(*cograph(random.Random(seed), 90), "")


@seeds(1_000)
def test_sets_shown_have_the_measure_claimed(seed):
    sets_hold(*cograph(random.Random(seed)))


@seeds(1_000, 50)
def test_random_cographs_of_up_to_nine_nodes_have_the_curve_of_all_subsets(seed):
    n, edges = cograph(random.Random(seed), 9)
    indptr, indices = csr(n, edges)
    curve = cograph_curve(cotree_of(indptr, indices), np.diff(indptr), 1, int(np.diff(indptr).max()), Watch())
    truth, _ = plain.curves(adjacency(indptr, indices))
    assert {k: int(curve.upper[k]) for k in range(1, curve.last + 1) if curve.upper[k] < n} == truth


def test_graphs_with_a_path_of_four_nodes_are_no_cographs():
    seen = 0
    for seed in range(300):
        rng = random.Random(seed)
        graph = nx.gnp_random_graph(7, rng.choice([0.4, 0.6, 0.8]), seed=seed)
        if not nx.is_connected(graph):
            continue
        paths = any(
            sorted(d for _, d in graph.subgraph((a, b, c, d)).degree) == [1, 1, 2, 2]
            for a in graph for b in range(a) for c in range(b) for d in range(c)
        )  # fmt: skip
        assert (cotree_of(*csr(7, list(graph.edges))) is None) == paths
        seen += paths
    assert seen > 50


class _Stopped(Watch):
    stopped = True  # type: ignore[assignment]


def test_a_stopped_run_is_an_interval_that_holds_the_answer():
    for seed in range(60):
        indptr, indices = csr(*cograph(random.Random(seed)))
        tree, degree = cotree_of(indptr, indices), np.diff(indptr)
        exact, stopped = (cograph_curve(tree, degree, 1, int(degree.max()), w) for w in (Watch(), _Stopped()))
        assert (stopped.lower <= exact.upper).all()
        assert (stopped.upper >= exact.upper).all()
