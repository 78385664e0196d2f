"""The fast sweep against literal chains, with every shortcut forced on small graphs, and against closed forms."""

from __future__ import annotations

import random

import numpy as np
import pytest

from incrowd.kernels.networks.build import components, simple_csr, subgraph
from incrowd.networks.solve import singles
from incrowd.networks.solve.sweep import sweep
from oracles import graph_classes, network_forms
from oracles import networks as plain
from oracles.network_families import CONNECTED, draw
from seeds import seeds


def largest_part(n, edges):
    """CSR arrays and adjacency of the largest component of a graph."""
    ends = np.array(edges, np.int32).reshape(-1, 2)
    indptr, indices, _ = simple_csr(ends[:, 0].copy(), ends[:, 1].copy(), n)
    label, sizes = components(indptr, indices)
    indptr, indices = subgraph(indptr, indices, np.flatnonzero(label == sizes.argmax()).astype(np.int32))
    near = [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(indptr.size - 1)]
    return indptr, indices, near


def compare(indptr, indices, near, **options):
    n = len(near)
    curve = sweep(indptr, indices, **options)
    truth = plain.chain_curve(near)
    assert curve.exact
    assert {k: int(curve.upper[k]) for k in range(1, curve.last + 1) if curve.upper[k] < n} == truth
    dist = plain.distances(near)
    for k, size in truth.items():
        members = set(curve.sets[size].members.tolist())
        assert len(members) == size
        assert plain.mu(dist, members) >= k
    return curve


def parts(count, least, most, seed):
    rng = random.Random(seed)
    found = 0
    while found < count:
        indptr, indices, near = largest_part(*draw(rng, least, most))
        if len(near) >= 3:
            found += 1
            yield indptr, indices, near


@pytest.fixture
def hurried(monkeypatch):
    """Batches of two sources, so that graphs of twenty nodes need balls, samples and certificates."""
    monkeypatch.setattr(singles, "BATCH", 2)
    monkeypatch.setattr(singles, "FEW", 1)


def test_curves_agree_with_literal_chains_when_every_shortcut_is_forced(hurried):
    for seed, (indptr, indices, near) in enumerate(parts(120, 8, 40, seed=11)):
        compare(indptr, indices, near, seed=seed)


def test_certificates_alone_agree_with_literal_chains(monkeypatch):
    """As long as they go on they resolve everything that is not found by degree."""
    monkeypatch.setattr(singles, "BATCH", 1)
    monkeypatch.setattr(singles, "FEW", 0)
    monkeypatch.setattr(singles, "SAMPLES", 0)
    for seed, (indptr, indices, near) in enumerate(parts(80, 8, 40, seed=12)):
        compare(indptr, indices, near, seed=seed)


@pytest.mark.parametrize("bits", [0, 1, 3, 6])
def test_colliding_keys_are_caught_by_the_exact_rechecks(bits):
    """Class keys cut to a few bits collide all the time; the answers stay exact."""
    for seed, (indptr, indices, near) in enumerate(parts(50, 6, 32, seed=13)):
        compare(indptr, indices, near, seed=seed, key_mask=(1 << bits) - 1)


def test_levels_asked_for_are_those_of_the_whole_curve():
    rng = random.Random(14)
    for indptr, indices, near in parts(60, 5, 30, seed=14):
        truth = plain.chain_curve(near)
        k = rng.randint(1, max(truth) + 1)
        curve = sweep(indptr, indices, first=k, last=k)
        found = int(curve.upper[k]) if k <= curve.last else len(near)
        assert found == truth.get(k, len(near))


def test_seeds_change_no_size(hurried):
    for indptr, indices, near in parts(25, 20, 60, seed=15):
        sizes = [sweep(indptr, indices, seed=s).upper.tolist() for s in range(3)]
        assert all(x == sizes[0] for x in sizes)
        del near


def same(drawn, form):
    """The sweep of a graph has a closed form's sizes, by sets that have the measures."""
    indptr, indices = graph_classes.csr(*drawn)
    near = graph_classes.adjacency(indptr, indices)
    curve = sweep(indptr, indices)
    assert curve.exact
    assert {k: int(curve.upper[k]) for k in range(1, curve.last + 1) if curve.upper[k] < len(near)} == form(near)
    dist = plain.distances(near)
    for k, size in form(near).items():
        members = set(curve.sets[size].members.tolist())
        assert len(members) == size
        assert plain.mu(dist, members) >= k


@pytest.mark.parametrize("n", [2, 3, 4, 7, 8, 61, 100])
def test_a_path_has_its_closed_form(n):
    same((n, [(v, v + 1) for v in range(n - 1)]), lambda _: {1: 1, 2: 1} if n % 2 else {1: 1})


@pytest.mark.parametrize("n", [*range(3, 60), 200, 301])
def test_a_cycle_has_its_closed_form(n):
    drawn = graph_classes.shuffled(n, [(v, (v + 1) % n) for v in range(n)], random.Random(n))
    same(drawn, lambda _: network_forms.cycle(n))


@pytest.mark.parametrize(("a", "b"), [(a, b) for a in range(2, 12) for b in (a, a + 1, a + 2, 11)])
def test_a_grid_has_its_closed_form(a, b):
    same(graph_classes.grid(a, b, random.Random(a)), lambda _: network_forms.grid(a, b))


@seeds(2_000, 200)
def test_complete_multipartite_graphs_have_their_closed_form(seed):
    sizes, drawn = graph_classes.multipartite(random.Random(seed))
    same(drawn, lambda _: network_forms.multipartite(sizes))


@seeds(2_000, 200)
def test_trees_have_their_closed_form(seed):
    same(graph_classes.tree(random.Random(seed)), network_forms.tree)


@seeds(2_000, 200)
def test_cographs_have_their_closed_form(seed):
    same(graph_classes.cograph(random.Random(seed)), network_forms.cograph)


@seeds(1_000, 60)
def test_graphs_with_one_cycle_agree_with_literal_chains(seed):
    same(graph_classes.unicyclic(random.Random(seed), 12 + seed % 30), plain.chain_curve)


def test_a_spider_keeps_its_longest_legs_only():
    """Legs of 1, 1, 1, 2, 2 nodes: the hub alone leaves 5 and 2; with the longer legs, the three leaves."""
    indptr, indices = graph_classes.csr(8, [(0, 1), (0, 2), (0, 3), (0, 4), (4, 5), (0, 6), (6, 7)])
    curve = sweep(indptr, indices)
    assert curve.upper[1:6].tolist() == [1, 1, 5, 8, 8]
    assert curve.sets[5].members.tolist() == [0, 4, 5, 6, 7]


@pytest.mark.proofs
def test_tens_of_thousands_of_random_graphs_agree_with_literal_chains(monkeypatch):
    for round_, (batch, few) in enumerate(((64, 64), (2, 1), (1, 0), (8, 4))):
        monkeypatch.setattr(singles, "BATCH", batch)
        monkeypatch.setattr(singles, "FEW", few)
        for seed, (indptr, indices, near) in enumerate(parts(2500, 3, 24, seed=100 + round_)):
            mask = (1 << 64) - 1 if seed % 2 else (1 << (seed % 7)) - 1
            compare(indptr, indices, near, seed=seed, key_mask=mask)


@pytest.mark.proofs
def test_graphs_of_hundreds_of_nodes_agree_with_literal_chains(monkeypatch):
    monkeypatch.setattr(singles, "BATCH", 8)
    monkeypatch.setattr(singles, "FEW", 2)
    rng = random.Random(16)
    for seed in range(60):
        n = rng.randint(80, 220)
        indptr, indices, near = largest_part(n, rng.choice(CONNECTED)(n, rng))
        compare(indptr, indices, near, seed=seed)
