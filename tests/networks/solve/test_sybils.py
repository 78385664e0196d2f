"""The simulated attack."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.kernels.networks.walk import find_pattern
from incrowd.networks.solve.sybils import attack_once, default_sybils


def test_planted_accounts_are_found_again_in_sparse_networks():
    graph = networks.read(nx.gnp_random_graph(300, 0.03, seed=1))
    found = networks.simulate_attack(graph, trials=8, seed=3)
    assert found.sybils == default_sybils(graph.nodes) and found.targets == found.sybils
    assert found.recovered >= 7
    assert found.re_identified > 0.8
    assert found.interval[0] <= found.success <= found.interval[1]


def test_moving_edges_before_publication_defeats_the_attack():
    graph = networks.read(nx.gnp_random_graph(300, 0.03, seed=1))
    plainly = networks.simulate_attack(graph, trials=6, seed=3)
    moved = networks.simulate_attack(graph, trials=6, seed=3, noise=0.2)
    assert moved.recovered < plainly.recovered
    assert moved.re_identified < plainly.re_identified


def test_few_accounts_are_confused_with_members():
    """Three accounts in a complete graph's shadow: many places fit, or none; none is claimed as recovered wrongly."""
    graph = networks.read(nx.random_regular_graph(4, 200, seed=2))
    found = networks.simulate_attack(graph, trials=10, seed=1, sybils=3, targets=1)
    assert found.recovered + found.ambiguous <= found.trials
    assert found.re_identified <= found.success


def test_a_trial_depends_on_its_seed_alone():
    graph = networks.read(nx.gnp_random_graph(100, 0.06, seed=4))
    assert attack_once(graph, 10, 10, 0.0, 5) == attack_once(graph, 10, 10, 0.0, 5)


def test_patterns_are_found_exactly_as_often_as_they_occur():
    """Against all walks, by hand, in random graphs."""
    rng = np.random.default_rng(1)
    seen = {0: 0, 1: 0, 2: 0}
    for seed in range(60):
        whole = nx.gnp_random_graph(9, 0.35, seed=seed)
        graph = networks.read(whole)
        start = int(rng.integers(9))
        walk = [start]
        while len(walk) < 3:
            onward = [y for y in whole[walk[-1]] if y not in walk]
            if not onward:
                break
            walk.append(int(rng.choice(onward)))
        if len(walk) < 3:
            continue
        inner = np.array([[whole.has_edge(a, b) for b in walk] for a in walk])
        degrees = np.array([whole.degree(x) for x in walk], np.int64)

        def fits(a, b, c, whole=whole, inner=inner, degrees=degrees):
            nodes = (a, b, c)
            return len(set(nodes)) == 3 and all(
                whole.degree(x) == degrees[i] and all(whole.has_edge(x, nodes[j]) == inner[i, j] for j in range(i))
                for i, x in enumerate(nodes)
            )

        expected = sum(fits(a, b, c) for a in range(9) for b in range(9) for c in range(9))
        found, matches = find_pattern(graph.indptr, graph.indices, degrees, inner, 10_000)
        assert matches == min(expected, 2)
        seen[matches] += 1
        for row in found[:matches]:
            assert fits(*row.tolist())
    assert seen[1] > 5 and seen[2] > 5


def test_the_search_gives_up_at_its_limit():
    graph = networks.read(nx.complete_graph(12))
    inner = np.ones((6, 6), np.bool_)
    np.fill_diagonal(inner, False)
    inner[0, 5] = inner[5, 0] = False
    assert find_pattern(graph.indptr, graph.indices, np.full(6, 11), inner, 500)[1] == -1


@pytest.mark.parametrize(("nodes", "sybils"), [(2, 4), (34, 13), (1000, 25), (10**6, 50)])
def test_as_many_accounts_as_the_attack_needs(nodes, sybils):
    assert default_sybils(nodes) == sybils
