"""The covering theorem of docs/papers/matching.md, by linear programs over all sets of edges that can be switched."""

from __future__ import annotations

import itertools

import numpy as np

from oracle.cubic_graphs import bridgeless, claimed, cover, drawn, matchings, switchable
from seeds import seeds


@seeds(4000, 100)
def test_every_edge_is_covered_once_by_sets_with_two_special_nodes(seed):
    rng = np.random.default_rng([75, seed])
    n = 2 * int(rng.integers(1, 5))
    edges, kinds = drawn(rng, n), rng.random(n) < rng.choice([0.15, 0.5, 0.85])
    weight = cover(edges, kinds)
    assert weight is not None
    assert weight <= len(edges) + 1e-9  # so a best set gains a share of the distance to the optimum


@seeds(60, 1)
def test_all_kinds_of_nodes_of_a_graph(seed):
    rng = np.random.default_rng([76, seed])
    edges = drawn(rng, 6)
    for kinds in itertools.product([False, True], repeat=6):
        assert cover(edges, np.array(kinds)) is not None


@seeds(40, 1)
def test_graphs_of_ten_nodes(seed):
    rng = np.random.default_rng([77, seed])
    assert cover(drawn(rng, 10), rng.random(10) < rng.choice([0.1, 0.3, 0.5])) is not None


def test_sets_without_special_nodes_are_not_enough_and_a_single_one_is_impossible():
    k4 = np.array(list(itertools.combinations(range(4), 2)))
    kinds = np.array([True, False, False, False])
    assert cover(k4, kinds, most=0) is None
    assert cover(k4, kinds) is not None
    met = switchable(k4, kinds, most=1)
    assert len(met) == 1 and met[0].sum() == 3  # the triangle: the number of special nodes is even


@seeds(3000, 40)
def test_every_two_factor_is_covered_as_the_proof_says(seed):
    """The claim of step 3.4: edges between A-nodes apart, a two-factor once, and the other edge at some A-nodes."""
    rng = np.random.default_rng([78, seed])
    n = 2 * int(rng.integers(2, 5))
    edges, kinds = drawn(rng, n), rng.random(n) < rng.choice([0.15, 0.3, 0.6])
    if not bridgeless(edges, n):
        return
    for matching in matchings(edges, n):
        assert claimed(edges, kinds, matching)
