"""Risks of single nodes and of groups, counted by hand."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.networks.solve import re_identify as module
from incrowd.networks.solve.re_identify import (
    alone,
    greedy_group,
    mean_interval,
    random_groups,
    wilson_interval,
)
from incrowd.progress import Watch
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def cases(count, seed, most=40):
    rng = random.Random(seed)
    for _ in range(count):
        n, edges = draw(rng, 3, most)
        yield graph_of(n, edges), plain.distances(plain.adjacency(n, edges))


def test_every_node_alone_is_counted_exactly():
    for graph, dist in cases(60, seed=1, most=150):
        found = alone(graph, 1000, Watch(), 0)
        assert found.examined.tolist() == list(range(graph.nodes))
        for v in range(graph.nodes):
            assert found.measure[v] == plain.mu(dist, [v])
            assert found.singles[v] == plain.singled_out(dist, [v])


def test_a_sample_examines_as_many_distinct_nodes_as_asked():
    for graph, dist in cases(20, seed=2):
        found = alone(graph, 2, Watch(), 3)
        assert len(set(found.examined.tolist())) == 2
        assert [plain.mu(dist, [v]) for v in found.examined.tolist()] == found.measure.tolist()


def test_shares_of_groups_are_those_of_their_classes():
    for graph, dist in cases(40, seed=3):
        size = max(1, graph.nodes // 3)
        found = random_groups(graph, size, 5, Watch(), 1)
        assert found.shares.size == 5 and found.members.size == size
        assert found.shares.max() == plain.singled_out(dist, found.members.tolist()) / (graph.nodes - size)


def test_the_mean_over_all_groups_lies_in_the_interval():
    """All pairs of a small graph, exactly, against 400 drawn."""
    graph = networks.read(nx.karate_club_graph())
    dist = plain.distances([graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist() for v in range(34)])
    truth = np.mean([plain.singled_out(dist, [u, v]) / 32 for u in range(34) for v in range(u)])
    found = networks.risks(graph, attackers=2, groups=400, seed=5)
    assert found.interval[0] <= truth <= found.interval[1]


def test_a_greedy_group_reports_what_it_really_singles_out():
    for graph, dist in cases(40, seed=4):
        size = max(1, graph.nodes // 4)
        found = greedy_group(graph, size, alone(graph, 1000, Watch(), 0), Watch(), 0)
        assert found.members.size == size == len(set(found.members.tolist()))
        assert found.shares[0] == pytest.approx(plain.singled_out(dist, found.members.tolist()) / (graph.nodes - size))
        if size == 1:
            assert found.shares[0] * (graph.nodes - 1) == max(plain.singled_out(dist, [v]) for v in range(graph.nodes))


def test_greedy_attackers_beat_random_ones_on_a_real_network(data_dir):
    graph = networks.read(data_dir / "networks" / "jazz.edges.gz")
    greedy = networks.risks(graph, attackers=5, strategy="greedy")
    drawn = networks.risks(graph, attackers=5, groups=100)
    assert greedy.re_identified > drawn.re_identified


def test_the_same_seed_draws_the_same_groups():
    club = nx.karate_club_graph()
    first, second, third = (networks.risks(club, attackers=3, groups=20, seed=s).re_identified for s in (1, 1, 2))
    assert first == second != third


def test_intervals_cover_known_cases():
    assert mean_interval(np.array([0.5])) == (0.0, 1.0)
    half = 4.302652729911275 * 0.02 / 3**0.5
    assert mean_interval(np.array([0.48, 0.5, 0.52])) == pytest.approx((0.5 - half, 0.5 + half))
    assert wilson_interval(0, 10)[0] == 0.0 and wilson_interval(10, 10)[1] == 1.0
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)


def test_a_first_group_that_is_cut_short_counts_with_whom_it_is_known_to_single_out():
    watch = Watch()
    watch.interrupt()
    for graph, dist in cases(20, seed=11):
        size = max(1, graph.nodes // 2)
        found = random_groups(graph, size, 50, watch, 3)
        assert found.shares.size == 1 and found.members.size == size
        wanted = plain.singled_out(dist, found.members.tolist()) / (graph.nodes - size)
        assert 0 <= found.shares[0] <= wanted


def test_a_greedy_group_is_the_same_where_distances_are_too_many_for_a_table(monkeypatch):
    chosen = []
    for graph, _ in cases(25, seed=12):
        single = alone(graph, 1000, Watch(), 0)
        size = min(3, graph.nodes - 1)
        plainly = greedy_group(graph, size, single, Watch(), 5)
        monkeypatch.setattr(module, "TABLE", 0)
        monkeypatch.setattr(module, "FEW", 0)
        sorted_ = greedy_group(graph, size, single, Watch(), 5)
        monkeypatch.undo()
        assert plainly.shares.tolist() == sorted_.shares.tolist()
        chosen.append(plainly.members.tolist() == sorted_.members.tolist())
    assert all(chosen)
