"""Methods for exactly k: right against all subsets, within their factor, and declined where the paper has no method."""

import math
import random

from incrowd.networks.methods import levels
from incrowd.networks.methods.levels import MOST_SETS, AlgorithmFive, TheoremThreeB, TheoremThreeC, TheoremTwoC
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
        yield graph_of(n, edges), plain.distances(near), plain.curves(near)[1]


def asked(graph, k, watch=None):
    return Asked(graph, k, None, 0, watch or Watch())


def stopped():
    watch = Watch()
    watch.interrupt()
    return watch


def test_algorithm_five_is_within_its_factor_and_its_lower_bound_below_the_truth():
    for graph, dist, exactly in small(100, seed=21):
        found = AlgorithmFive().run(asked(graph, 1))
        assert plain.mu(dist, found.members) == 1
        assert found.lower <= exactly[1] <= found.upper == len(found.members)
        assert found.proven == (found.lower == found.upper)


def test_theorem_2c_answers_every_level_above_half_and_declines_the_others():
    for graph, dist, exactly in small(80, seed=22):
        for k in range(1, graph.nodes):
            if 2 * k <= graph.nodes:
                assert "above half" in TheoremTwoC().declines(graph, k)
                continue
            assert TheoremTwoC().declines(graph, k) is None
            found = TheoremTwoC().run(asked(graph, k))
            assert found.proven and found.upper == exactly.get(k)
            assert found.members is None or plain.mu(dist, found.members) == k


def test_too_many_sets_are_declined_with_their_number():
    n = 200
    graph = graph_of(n, [(v, v + 1) for v in range(n - 1)])
    assert math.comb(n, 5) > MOST_SETS
    assert "2.5e+09" in TheoremTwoC().declines(graph, n - 5)


def test_leaves_and_lone_neighbours_are_exact_where_they_are_taken():
    taken = 0
    for graph, dist, exactly in small(100, seed=23):
        for method in (TheoremThreeB(), TheoremThreeC()):
            if method.declines(graph, 1) is None:
                found = method.run(asked(graph, 1))
                assert found.proven and found.lower == found.upper == exactly[1]
                assert plain.mu(dist, found.members) == 1
                taken += 1
    assert taken > 60


def test_a_network_without_what_a_theorem_asks_for_is_declined(monkeypatch):
    cycle = graph_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    assert "degree 1" in TheoremThreeB().declines(cycle, 1)
    assert "no such pair" in TheoremThreeC().declines(cycle, 1)
    monkeypatch.setattr(levels, "MOST_WALKS", 10)
    assert "at most" in TheoremThreeC().declines(cycle, 1)


def test_stopped_runs_prove_nothing():
    graph = graph_of(7, [(v, (v + 1) % 7) for v in range(7)])
    assert AlgorithmFive().run(asked(graph, 1, stopped())).members is None
    found = TheoremTwoC().run(asked(graph, 6, stopped()))
    assert found.members is None and not found.proven
