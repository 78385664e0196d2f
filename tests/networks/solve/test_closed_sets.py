"""Best-first search over closed sets."""

from __future__ import annotations

import random

from incrowd.networks.compress.twins import twin_classes
from incrowd.networks.solve import closed_sets
from incrowd.networks.solve.closed_sets import search_exactly
from incrowd.networks.solve.distances import distance_matrix
from incrowd.progress import Watch
from networks.test_measure import graph_of
from oracles import networks as plain
from oracles.network_families import draw


def cases(count, seed, most):
    rng = random.Random(seed)
    for _ in range(count):
        n, edges = draw(rng, 2, most)
        near = plain.adjacency(n, edges)
        yield graph_of(n, edges), near, plain.curves(near)[1]


def test_answers_agree_with_all_subsets():
    for graph, near, exactly in cases(120, seed=1, most=9):
        distances, twins = distance_matrix(graph), twin_classes(graph)
        for k in range(1, len(near)):
            found = search_exactly(graph, distances, twins, k, watch=Watch())
            assert found.complete and found.upper == exactly.get(k)


def test_collapsing_twins_changes_no_answer():
    for graph, near, exactly in cases(60, seed=2, most=9):
        distances = distance_matrix(graph)
        alone = twin_classes(graph)
        alone[:] = range(len(near))
        for k in range(1, len(near)):
            assert search_exactly(graph, distances, alone, k, watch=Watch()).upper == exactly.get(k)


def test_a_known_set_is_kept_when_nothing_is_smaller():
    for graph, near, exactly in cases(40, seed=3, most=8):
        distances, twins = distance_matrix(graph), twin_classes(graph)
        for k in exactly:
            first = search_exactly(graph, distances, twins, k, watch=Watch())
            again = search_exactly(graph, distances, twins, k, watch=Watch(), known=first.members)
            assert again.complete and again.upper == first.upper == exactly[k]
        del near


def test_full_memory_ends_in_an_interval(monkeypatch):
    monkeypatch.setattr(closed_sets, "MEMORY", 1)
    for graph, near, exactly in cases(40, seed=4, most=8):
        distances, twins = distance_matrix(graph), twin_classes(graph)
        for k in range(1, len(near)):
            found = search_exactly(graph, distances, twins, k, watch=Watch())
            truth = exactly.get(k)
            assert truth is None or found.lower <= truth
            assert found.upper is None or (truth is not None and truth <= found.upper)
            assert not found.complete or found.upper == truth
