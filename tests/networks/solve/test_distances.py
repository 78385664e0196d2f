from __future__ import annotations

import itertools

import numpy as np

from incrowd.kernels.networks.partition import partition
from incrowd.networks.solve.distances import classes_left, distance_matrix, never
from incrowd.networks.values import Graph
from oracles.graphs_drawn import distances, drawn


def after(asks):
    """A wish to stop that is uttered when asked so many times."""
    count = itertools.count()
    return lambda: next(count) >= asks


def test_all_distances_are_those_of_networkx():
    for _, graph, indptr, indices in drawn(40, most=150):
        assert (distance_matrix(Graph(indptr, indices)) == distances(graph)).all()


def test_distances_that_are_stopped_are_none():
    for _, _, indptr, indices in drawn(20, most=150):
        assert distance_matrix(Graph(indptr, indices), after(0)) is None


def test_the_classes_left_are_those_of_the_partition():
    assert not never()
    for rng, _, indptr, indices in drawn(40):
        n = indptr.size - 1
        chosen = rng.permutation(n)[: int(rng.integers(1, n))].astype(np.int32)
        label, classes, whole = classes_left(Graph(indptr, indices), chosen)
        wanted, number = partition(indptr, indices, chosen)
        assert whole and classes == number and (label == wanted).all()


def test_a_stopped_partition_is_a_coarser_one_and_who_is_alone_in_it_stays_alone():
    cut = 0
    for rng, _, indptr, indices in drawn(60):
        n = indptr.size - 1
        chosen = rng.permutation(n)[: int(rng.integers(1, n))].astype(np.int32)
        asks = int(rng.integers(0, 4))
        label, classes, whole = classes_left(Graph(indptr, indices), chosen, after(asks))
        final, _ = partition(indptr, indices, chosen)
        assert whole == (chosen.size <= asks + 1)
        assert (label[chosen] == -1).all() and classes == label.max() + 1
        pairs = {(int(fine), int(coarse)) for fine, coarse in zip(final, label, strict=True) if fine >= 0}
        assert len(pairs) == len({fine for fine, _ in pairs})  # a class of the end lies in one class now
        for x in np.flatnonzero(label >= 0):
            if (label == label[x]).sum() == 1:
                assert (final == final[x]).sum() == 1
        cut += not whole
    assert cut > 5
