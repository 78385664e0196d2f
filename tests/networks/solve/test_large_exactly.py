"""Sets of measure exactly k by closures and descent, against all subsets; the answer as an interval."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from incrowd import networks
from incrowd.networks import measure
from incrowd.networks.solve import large_exactly
from incrowd.networks.solve.large_exactly import approach_exactly
from incrowd.progress import Watch
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr
from oracles.network_families import draw
from seeds import seeds


def drawn(seed, least=4, most=9):
    n, edges = draw(random.Random(seed), least, most)
    indptr, indices = csr(n, edges or [(0, 1)])
    return networks.Graph(indptr, indices), adjacency(indptr, indices)


def hub(graph):
    return graph.degrees.argmax(keepdims=True).astype(np.int32)


@seeds(1_000, 60)
def test_sets_found_have_the_measure_and_are_never_below_the_least(seed):
    graph, near = drawn(seed)
    dist = plain.distances(near)
    _, truth = plain.curves(near)
    for k in range(1, graph.nodes):
        found = approach_exactly(graph, k, hub(graph), Watch(), seed)
        if found.members is not None:
            assert plain.mu(dist, found.members.tolist()) == k
            assert found.members.size >= truth[k]


def test_nearly_all_sets_found_in_small_graphs_are_least_ones():
    least = met = 0
    for seed in range(60):
        graph, near = drawn(seed)
        _, truth = plain.curves(near)
        for k in truth:
            found = approach_exactly(graph, k, hub(graph), Watch(), seed)
            met += found.members is not None
            least += found.members is not None and found.members.size == truth[k]
    assert least >= 0.95 * met
    assert met > 150


@seeds(500, 40)
def test_sealed_nodes_change_no_other_class(seed):
    """Lemma E1: a node outside with all its neighbours in the set tells nothing new."""
    rng = random.Random(seed)
    graph, near = drawn(seed, 5, 12)
    dist = plain.distances(near)
    members = set(rng.sample(range(graph.nodes), rng.randint(1, graph.nodes - 2)))
    for x in set(range(graph.nodes)) - members:
        if near[x] and set(near[x]) <= members:
            before = [set(group) - {x} for group in plain.classes(dist, members)]
            after = [set(group) for group in plain.classes(dist, members | {x})]
            assert sorted(map(sorted, filter(None, before))) == sorted(map(sorted, after))


def test_leaves_of_a_hub_are_taken_at_once():
    """A hub with 30 leaves and two long legs: exactly 20 takes the legs and ten leaves."""
    graph = nx.star_graph(30)
    for leg in (31, 36):
        nx.add_path(graph, [0, *range(leg, leg + 5)])
    found = networks.read(graph)
    set_of = networks.antidimension(found, at_least=20).members
    reached = approach_exactly(found, 20, set_of, Watch(), 0)
    assert reached.members.size == 11 + 10
    assert networks.classes(found, reached.members.tolist()).measure == 20


@pytest.fixture
def no_matrix(monkeypatch):
    monkeypatch.setattr(measure, "NODE_LIMIT", 0)


@seeds(300, 12)
def test_the_answer_without_a_matrix_is_an_interval_that_holds_the_least_size(no_matrix, seed):
    graph, near = drawn(seed)
    dist = plain.distances(near)
    _, truth = plain.curves(near)
    for k in range(1, graph.nodes):
        found = networks.antidimension(graph, exactly=k)
        if found.attackers is None:
            assert k not in truth or not found.optimal
            assert k not in truth or found.lower_bound <= truth[k]
        else:
            assert found.lower_bound <= truth[k] <= found.upper_bound == found.attackers
            assert plain.mu(dist, found.members.tolist()) == k
            assert not found.optimal or found.attackers == truth[k]
            assert found.status == ("optimal" if found.optimal else "heuristic")


def test_the_certificate_of_an_interval_holds(no_matrix):
    graph = networks.read(nx.random_labeled_tree(60, seed=3))
    found = networks.antidimension(graph, exactly=3)
    assert networks.check(graph, found.certificate()).ok


class _Late(Watch):
    stopped = True  # type: ignore[assignment]


def test_a_stopped_run_makes_no_search():
    graph, _ = drawn(3, 8, 9)
    assert approach_exactly(graph, 2, hub(graph), _Late(deadline=0.0), 0).searches == 0


def test_without_a_time_limit_the_effort_is_bounded(monkeypatch):
    monkeypatch.setattr(large_exactly, "EFFORT", 0)
    monkeypatch.setattr(large_exactly, "LEAST_SEARCHES", 7)
    graph = networks.read(nx.random_regular_graph(3, 200, seed=1))
    assert approach_exactly(graph, 2, hub(graph), Watch(), 0).searches <= 7


def test_seeds_give_the_same_set_again():
    graph = networks.read(nx.random_regular_graph(3, 60, seed=1))
    one, two = (approach_exactly(graph, 2, hub(graph), Watch(), 5).members for _ in range(2))
    assert (one is None) == (two is None)
    assert one is None or one.tolist() == two.tolist()
