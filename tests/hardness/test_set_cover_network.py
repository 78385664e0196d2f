"""Theorem 2 of Chatterjee et al., both ways: covers against node sets, all of them on small networks."""

import itertools

import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import InputError, PolicyError
from incrowd.hardness.set_cover_network import SetCoverNetwork, clones, forward
from incrowd.hardness.sources.set_cover import NAMED, SetCover, drawn
from oracles.hard import least_cover
from oracles.networks import adjacency, distances, mu

SMALL = [
    (SetCover(2, ((0,), (1,))), 1),
    (SetCover(2, ((0, 1),)), 1),
    (SetCover(2, ((0, 1),)), 2),
    (SetCover(3, ((0, 1), (1, 2))), 1),
    (SetCover(3, ((0, 1), (1, 2), (0, 2))), 2),
    (SetCover(4, ((0, 1, 2), (1, 2, 3))), 2),
    (SetCover(3, ((0,), (1,), (2,))), 1),
]


def edge_array(instance):
    return np.array(instance.edges)


@pytest.mark.parametrize(("source", "k"), SMALL)
def test_the_smallest_set_of_measure_k_has_as_many_nodes_as_a_least_cover_has_sets(source, k):
    least = least_cover(source.universe, source.sets)
    instance = forward(source, k, least)
    dist = distances(adjacency(instance.more["nodes"], instance.edges))
    nodes = range(instance.more["nodes"])
    for size in range(1, least):
        assert not any(mu(dist, some) == k for some in itertools.combinations(nodes, size))
    reached = [some for some in itertools.combinations(nodes, least) if mu(dist, some) == k]
    assert instance.witness in reached
    for some in reached:
        cover = instance.backward(some)
        assert source.covers(cover)
        assert len(cover) == least
    assert instance.yes
    assert instance.optimum == least
    assert not forward(source, k, least - 1).yes


@pytest.mark.parametrize("seed", range(4))
def test_our_search_finds_a_least_cover(seed):
    rng = np.random.default_rng(seed)
    universe, k = int(rng.integers(4, 8)), int(rng.integers(1, 4))
    source = drawn(rng, universe, int(rng.integers(-(-universe // 3), 6 if universe > 4 else 4)), 3)
    instance = forward(source, k, 1)
    found = networks.antidimension(edge_array(instance), exactly=k, show_labels=True)
    assert found.optimal
    assert found.attackers == instance.optimum == least_cover(universe, source.sets)
    cover = instance.backward(int(v) for v in found.witness)
    assert source.covers(cover)
    assert len(cover) == found.attackers


@pytest.mark.parametrize("name", NAMED)
def test_the_named_ones_too(name):
    instance = SetCoverNetwork(named=name, k=1).build()
    found = networks.antidimension(edge_array(instance), exactly=1)
    assert found.attackers == instance.optimum == len(NAMED[name].least())


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_witness_has_measure_exactly_k(k):
    for seed in range(3):
        instance = SetCoverNetwork(size=6, seed=seed, k=k).build()
        dist = distances(adjacency(instance.more["nodes"], instance.edges))
        assert mu(dist, instance.witness) == k
        assert len(instance.witness) == instance.threshold


def test_the_network_is_as_large_as_the_construction_says():
    source = NAMED["two-halves"]
    at = clones(source, 2)
    instance = forward(source, 2, 2)
    outside = sum(u not in members for members in source.sets for u in range(source.universe))
    inner = at.c * source.universe
    assert at.c == 2 + 1 + 5
    assert at.nodes == len({v for edge in instance.edges for v in edge}) == 2 + at.c * 11
    assert len(instance.edges) == 1 + 2 * (at.nodes - 2) + inner * (inner - 1) // 2 + outside * at.c**2


def test_node_sets_that_hold_no_cover_are_refused():
    instance = SetCoverNetwork(named="two-halves").build()
    with pytest.raises(ValueError, match="do not cover"):
        instance.backward([0, 1])
    with pytest.raises(InputError, match="nodes must be from 0 to"):
        instance.backward([10**6])


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="must cover every element"):
        forward(SetCover(2, ((0,),)), 1, 1)
    with pytest.raises(PolicyError, match="one set covers everything"):
        SetCoverNetwork(size=3, no=True).build()
    with pytest.raises(PolicyError, match="k must be"):
        SetCoverNetwork(k=0)
    assert not SetCoverNetwork(size=5, no=True).build().yes
