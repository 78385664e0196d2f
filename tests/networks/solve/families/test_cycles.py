"""Closed forms of cycles against the sweep and all subsets."""

from __future__ import annotations

import random

import pytest

from incrowd import networks
from incrowd.networks.solve.families.cycles import cycle_curve, cycle_exactly, cycle_of
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, same_as_the_sweep, sets_hold, shuffled


def cycle(n, rng=None):
    edges = [(v, (v + 1) % n) for v in range(n)]
    return shuffled(n, edges, rng) if rng else (n, edges)


@pytest.mark.parametrize("n", range(3, 60))
def test_cycles_have_the_curve_of_the_sweep(n):
    same_as_the_sweep(*cycle(n, random.Random(n)), "cycles")
    sets_hold(*cycle(n, random.Random(n)))


@pytest.mark.parametrize("n", range(3, 12))
def test_every_level_exactly_is_that_of_all_subsets(n):
    indptr, indices = csr(*cycle(n, random.Random(n)))
    near = adjacency(indptr, indices)
    dist = plain.distances(near)
    _, truth = plain.curves(near)
    for k in range(1, n):
        found = cycle_exactly(cycle_of(indptr, indices), k)
        assert (None if found is None else found.size) == truth.get(k)
        assert found is None or plain.mu(dist, found.tolist()) == k


def test_an_even_cycle_takes_two_opposite_nodes_and_an_odd_one_any():
    even, odd = (cycle_of(*csr(*cycle(n))) for n in (6, 7))
    assert cycle_curve(even, 1, 2).upper[1:3].tolist() == [1, 2]
    assert cycle_curve(even, 1, 2).sets[2].members.tolist() == [0, 3]
    assert cycle_curve(odd, 1, 2).upper[1:3].tolist() == [1, 1]


def test_a_path_is_no_cycle():
    assert cycle_of(*csr(4, [(0, 1), (1, 2), (2, 3)])) is None


def test_a_large_cycle_is_answered_at_once():
    found = networks.antidimension(networks.read(cycle(30_000)[1]), exactly=2)
    assert (found.attackers, found.optimal) == (2, True)
    assert "cycles" in found.method
