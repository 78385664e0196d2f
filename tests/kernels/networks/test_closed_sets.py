from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import closed_sets
from oracles.graphs_drawn import classes, closure, distances, drawn


def test_closures_of_a_set_and_one_more_node_are_those_of_plain_absorption():
    found_some = 0
    for rng, graph, indptr, indices in drawn(80, most=10):
        matrix, n = distances(graph), len(graph)
        small, level = matrix.astype(np.int16), int(rng.integers(1, 4))
        table, touched = np.full((n + 1) * (n + 2), -1, np.int32), np.empty(n, np.int64)
        base = closure(matrix, {int(rng.integers(n))}, level) if rng.random() < 0.5 else set()
        if len(base) == n:
            continue
        members = np.array([x in base for x in range(n)])
        label, number = closed_sets.labels_of(indptr, indices, small, members, n + 2, table, touched)
        others = [x for x in range(n) if x not in base]
        wanted = classes(matrix[np.ix_(others, sorted(base))])
        assert number == len(set(wanted))
        assert [wanted.index(c) for c in wanted] == [
            [int(label[x]) for x in others].index(int(label[y])) for y in others
        ]
        dead = np.zeros(n, bool)
        sets, sizes, measures = closed_sets.closures(
            indptr, indices, small, members, label, number, np.array(others, np.int32), level, n, dead, n + 2, table,
            touched,
        )  # fmt: skip
        grown = [closure(matrix, base | {x}, level) for x in others]
        kept = [inside for inside in grown if len(inside) < n]
        words = [{x for x in range(n) if int(line[x >> 6]) >> (x & 63) & 1} for line in sets]
        assert words == kept and sizes.tolist() == [len(inside) for inside in kept]
        for inside, measure in zip(kept, measures.tolist(), strict=True):
            rest = [x for x in range(n) if x not in inside]
            left = classes(matrix[np.ix_(rest, sorted(inside))])
            assert measure == min(left.count(c) for c in left)
        found_some += len(kept)
    assert found_some > 50
