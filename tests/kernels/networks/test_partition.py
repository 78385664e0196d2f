"""Invariants of a loop whose breach costs time, or is seen at the door on the largest networks alone."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import partition
from oracles.graphs_drawn import classes, distances, drawn


def numbered(names):
    seen = {}
    return [seen.setdefault(name, len(seen)) for name in names]


def test_classes_are_those_of_equal_distances_to_all_attackers():
    for rng, graph, indptr, indices in drawn(60):
        matrix, n = distances(graph), len(graph)
        chosen = rng.permutation(n)[: int(rng.integers(1, n))].astype(np.int32)
        label, found = partition.partition(indptr, indices, chosen)
        others = [x for x in range(n) if x not in chosen]
        wanted = numbered(classes(matrix[np.ix_(others, chosen)]))
        assert [int(label[x]) for x in others] == wanted
        assert (label[chosen] == -1).all() and found == max(wanted) + 1
        assert partition.count_classes(label, found).tolist() == [wanted.count(c) for c in range(found)]


def test_a_split_by_one_more_distance_and_the_single_classes_it_would_leave():
    for rng, graph, _, _ in drawn(60, seed=1):
        matrix, n = distances(graph), len(graph)
        a, b = (int(x) for x in rng.integers(0, n, 2))
        span = n + 2
        table, touched = np.full(n * span, -1, np.int32), np.empty(n, np.int64)
        label = np.zeros(n, np.int32)
        label[a] = -1
        found = partition.refine(label, 1, matrix[a].astype(np.int32), span, table, touched)
        counts = np.zeros(n, np.int32)
        alone = partition.single_classes(label, found, matrix[b].astype(np.int32), span, table, touched, counts)
        others = [x for x in range(n) if x not in (a, b)]
        both = classes(matrix[np.ix_(others, [a, b])])
        assert alone == sum(both.count(c) == 1 for c in both)
        assert (table == -1).all() and not counts.any()
        again = partition.refine(label, found, matrix[b].astype(np.int32), span, table, touched)
        rest = [x for x in range(n) if x != a]
        wanted = numbered(classes(matrix[np.ix_(rest, [a, b])]))
        assert [int(label[x]) for x in rest] == wanted and again == len(set(wanted))
