"""The paper's algorithms by name."""

from __future__ import annotations

import math
import random

import networkx as nx
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.solve.distances import distance_matrix
from incrowd.networks.solve.one import algorithm_v, theorem_3b, theorem_3c
from incrowd.networks.solve.paper import algorithm_i, algorithm_ii, algorithm_iii, algorithm_iv, theorem_2c
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def small(count, seed, most=8):
    rng = random.Random(seed)
    for _ in range(count):
        n, edges = draw(rng, 2, most)
        near = plain.adjacency(n, edges)
        yield graph_of(n, edges), near, plain.distances(near), *plain.curves(near)


def test_algorithm_i_finds_the_smallest_set_of_measure_at_least_k():
    for graph, near, dist, at_least, _ in small(120, seed=1):
        for k in range(1, len(near)):
            found = algorithm_i(graph, k)
            assert (found and found[0]) == at_least.get(k)
            if found:
                assert plain.mu(dist, found[1]) >= k and len(found[1]) == found[0]


def test_algorithm_ii_finds_the_largest_measure():
    for graph, _, dist, at_least, _ in small(120, seed=2):
        measure, members = algorithm_ii(graph)
        assert measure == max(at_least) == plain.mu(dist, members)


def test_the_sweep_agrees_with_algorithms_i_and_ii_on_larger_graphs():
    rng = random.Random(3)
    for _ in range(15):
        graph = graph_of(*draw(rng, 15, 40))
        found = networks.profile(graph)
        assert algorithm_ii(graph)[0] == found.k
        curve = {p["k"]: p["attackers"] for p in found.profile}
        for k in range(1, min(found.k + 2, graph.nodes)):
            answer = algorithm_i(graph, k)
            assert (answer and answer[0]) == curve.get(k)


def test_randomized_algorithms_never_claim_more_than_the_truth():
    for graph, _, dist, at_least, _ in small(60, seed=4):
        k = max(at_least)
        third = algorithm_iii(graph, k, starts=3, seed=1)
        if third.value is not None:
            assert third.value >= at_least[k] and plain.mu(dist, third.members) >= k
        fourth = algorithm_iv(graph, starts=3, seed=1)
        assert plain.mu(dist, fourth.members) == fourth.value <= k
        assert 0 < third.guaranteed <= third.success(at_least[k]) <= 1


def test_the_papers_number_of_starts_fails_on_the_star():
    """k = n - 1: only the centre leads to a solution, so n ln n / k starts succeed about once in n / starts."""
    n = 200
    star = networks.read(nx.star_graph(n - 1))
    starts = math.ceil(n * math.log(n) / (n - 1))
    runs = [algorithm_iii(star, n - 1, starts=starts, seed=s).value is not None for s in range(12)]
    predicted = 1 - (1 - 1 / n) ** starts
    assert algorithm_iii(star, n - 1, starts=starts).success(1) == pytest.approx(predicted)
    assert predicted < 0.05 and sum(runs) <= 4  # far from "with high probability"


def test_success_probability_is_what_is_observed():
    """The star of 20 nodes, k = 19, ten starts: 1 - (19/20)^10 = 40 %; over 300 runs within four deviations."""
    star = networks.read(nx.star_graph(19))
    predicted = algorithm_iii(star, 19, starts=10).success(1)
    runs = [algorithm_iii(star, 19, starts=10, seed=s).value == 1 for s in range(300)]
    assert abs(sum(runs) / 300 - predicted) < 4 * math.sqrt(predicted * (1 - predicted) / 300)


def test_theorem_2c_finds_one_crowd_of_n_minus_c():
    for graph, near, dist, _, exactly in small(120, seed=6):
        n = len(near)
        for c in range(1, (n + 1) // 2):
            if n <= 2 * c:
                continue
            found = theorem_2c(graph, c)
            assert (found and found[0]) == exactly.get(n - c)
            if found:
                assert found[0] == c and plain.mu(dist, found[1]) == n - c


def test_theorem_2c_refuses_what_it_does_not_cover():
    with pytest.raises(InputError, match="below half"):
        theorem_2c(networks.read(nx.path_graph(4)), 2)


def test_a_fraction_of_n_does_not_make_the_answer_small():
    """The broom: a path of n/2 nodes with n/2 leaves at its end needs n/2 attackers for k = n/2."""
    broom = nx.path_graph(10)
    broom.add_edges_from((9, v) for v in range(10, 20))
    assert networks.antidimension(broom, at_least=10).attackers == 10


def test_algorithm_v_singles_somebody_out_within_its_factor():
    for graph, near, dist, _, exactly in small(150, seed=7):
        members = algorithm_v(distance_matrix(graph))
        n = len(near)
        assert 1 <= len(members) < n
        assert plain.mu(dist, members) == 1
        assert len(members) <= exactly[1] * (1 + math.log(n - 1)) + 1e-9 if n > 2 else len(members) == 1


def test_leaves_and_lone_common_neighbours_give_short_answers():
    seen_leaf = seen_pair = 0
    for graph, near, dist, _, exactly in small(150, seed=8):
        leaf, pair = theorem_3b(graph), theorem_3c(graph)
        assert (leaf is None) == all(len(x) != 1 for x in near)
        if leaf:
            seen_leaf += 1
            assert len(leaf) == 1 and plain.mu(dist, leaf) == 1
        if pair and len(near) > 2:
            seen_pair += 1
            assert len(pair) == 2 and plain.mu(dist, pair) == 1 and exactly[1] <= 2
        lone = any(len(set(near[a]) & set(near[b])) == 1 for a in range(len(near)) for b in range(a + 1, len(near)))
        assert (pair is not None) == lone
    assert seen_leaf > 20 and seen_pair > 20
