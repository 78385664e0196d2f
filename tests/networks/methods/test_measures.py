"""Algorithms I to IV by name: their answers against all subsets, their bounds never beyond the truth."""

import math
import random

import pytest

from incrowd.networks.methods.measures import AlgorithmFour, AlgorithmOne, AlgorithmThree, AlgorithmTwo, papers_starts
from incrowd.networks.methods.outcome import Asked
from incrowd.progress import Watch
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def small(count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        n, edges = draw(rng, 2, 8)
        near = plain.adjacency(n, edges)
        yield graph_of(n, edges), plain.distances(near), plain.curves(near)[0]


def stopped():
    watch = Watch()
    watch.interrupt()
    return watch


def asked(graph, k=0, starts=None, watch=None):
    return Asked(graph, k, starts, 0, watch or Watch())


def test_the_least_set_and_the_largest_measure_are_proven():
    for graph, dist, at_least in small(60, seed=11):
        for k in range(1, graph.nodes):
            found = AlgorithmOne().run(asked(graph, k))
            assert found.proven and found.lower == found.upper == at_least.get(k)
        found = AlgorithmTwo().run(asked(graph))
        assert found.proven and found.lower == found.upper == max(at_least) == plain.mu(dist, found.members)


def test_drawn_starts_prove_no_more_than_they_may():
    for graph, dist, at_least in small(60, seed=12):
        largest = max(at_least)
        for k in range(1, graph.nodes):
            found = AlgorithmThree().run(asked(graph, k, starts=2))
            if found.upper is not None:
                assert plain.mu(dist, found.members) >= k and found.lower <= at_least[k] <= found.upper
            assert found.proven == (found.upper == 1)
        found = AlgorithmFour().run(asked(graph, starts=2))
        assert found.lower == plain.mu(dist, found.members) <= largest <= found.upper


def test_the_papers_number_of_starts_is_the_default_and_the_remarks_tell_the_chance():
    graph = graph_of(6, [(0, v) for v in range(1, 6)])
    assert papers_starts(6, 3) == math.ceil(6 * math.log(6) / 3) and papers_starts(2, 100) == 1
    third, fourth = AlgorithmThree().run(asked(graph, 3)), AlgorithmFour().run(asked(graph))
    assert third.remarks[0].startswith(f"{papers_starts(6, 3)} of 6 nodes")
    assert fourth.remarks[0].startswith(f"{papers_starts(6, 1)} of 6 nodes")
    assert all("does not hold" in found.remarks[1] for found in (third, fourth))


@pytest.mark.parametrize("method", [AlgorithmOne(), AlgorithmTwo(), AlgorithmThree(), AlgorithmFour()])
def test_stopped_at_once_nothing_is_known(method):
    graph = graph_of(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    found = method.run(asked(graph, 2, watch=stopped()))
    assert not found.proven and found.members is None
    assert method.declines(graph, 2) is None
