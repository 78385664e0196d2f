import itertools

import numpy as np

from incrowd.kernels import dynamic_programs
from oracles.grid import drawn, optimum
from seeds import how_many


def run(first, cell, low, up, k, star=-1, pieces=1):
    n = int(first[-1])
    value = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
    best, came, kind = np.full(n + 1, dynamic_programs.NONE), np.full(n + 1, -1), np.zeros(n + 1, np.int8)
    best[0] = 0
    marks = np.linspace(0, n, pieces + 1).astype(np.int64)
    for begin, end in itertools.pairwise(marks):
        dynamic_programs.place(first, cell, low, up, k, star, 1, 8, begin, end, best, came, kind, value)
    label = np.zeros(n, np.int64)
    dynamic_programs.labels(first, k, came, kind, value, label)
    return int(best[n]), label


def placed(counts, k, star=-1):
    values = np.arange(len(counts))
    return run(np.concatenate(([0], np.cumsum(counts))).astype(np.int64), values, values, values, k, star)


def test_a_class_steps_over_a_value_that_many_rows_share():
    cost, label = placed([2, 9, 3], 5)
    assert cost == 10
    assert len(set(label[2:11])) == 1
    assert {*label[:2]} == {*label[11:]} != {*label[2:11]}


def test_every_class_has_k_rows_and_the_labels_cost_what_is_said():
    for seed in range(how_many(60, 12)):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, most_rows=9, others=0, wide=bool(seed % 2))
        ranged, counts = problem.ranges[0], problem.types.counts
        first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        star = int(ranged.up[-1] - ranged.low[0]) if problem.outliers == "suppress" else -1
        cost, label = run(first, ranged.cell, ranged.low, ranged.up, problem.k, star, pieces=1 + seed % 3)
        value = np.repeat(np.arange(len(counts)), counts)
        total = 0
        for one in set(label.tolist()):
            inside = value[label == one]
            if one < 0:
                total += star * len(inside)
                continue
            assert len(inside) >= problem.k
            ends = ranged.cell[inside]
            total += len(inside) * int(ranged.cost(ends.min(), ends.max())) if len({*inside}) > 1 else 0
        assert total == cost
        assert cost == optimum(problem)
