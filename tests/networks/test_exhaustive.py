"""Every graph of up to seven nodes, up to isomorphism, against all subsets."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from incrowd import networks
from networks.test_measure import check_everything
from oracles import networks as plain
from oracles.network_families import draw


def atlas(most):
    return [g for g in nx.graph_atlas_g() if 2 <= g.number_of_nodes() <= most]


def test_all_graphs_with_up_to_five_nodes_agree_with_all_subsets():
    graphs = atlas(5)
    assert len(graphs) == 51
    for graph in graphs:
        check_everything(graph.number_of_nodes(), list(graph.edges()))


@pytest.mark.proofs
def test_all_graphs_with_up_to_seven_nodes_agree_with_all_subsets():
    graphs = atlas(7)
    assert len(graphs) == 1251
    for seed, graph in enumerate(graphs):
        whole = check_everything(graph.number_of_nodes(), list(graph.edges()), seed=seed)
        near = plain.adjacency(graph.number_of_nodes(), graph.edges())
        for attackers in range(1, graph.number_of_nodes()):
            found = networks.anonymity(whole, attackers=attackers)
            least = plain.least_measure(near, attackers)
            assert found.lower_bound <= least <= found.upper_bound
            assert attackers > 3 or found.optimal
        verdict = networks.check(whole, networks.profile(whole).certificate())
        assert verdict.ok and verdict.proven


@pytest.mark.proofs
def test_tens_of_thousands_of_random_graphs_agree_with_all_subsets():
    rng = random.Random(77)
    for seed in range(12_000):
        check_everything(*draw(rng, 2, 7), seed=seed)
    for seed in range(1_000):
        check_everything(*draw(rng, 8, 10), seed=seed)
