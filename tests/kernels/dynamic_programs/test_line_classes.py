import numpy as np

from incrowd.kernels.dynamic_programs import line_classes
from oracles.grid import drawn, optimum


def placed(counts, k, star=-1):
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    values = np.arange(len(counts))
    label = np.zeros(int(first[-1]), np.int64)
    cost = line_classes.classes(first, values, np.arange(len(counts) + 1), k, star, 1, 8, label)
    return int(cost), label


def test_a_class_steps_over_a_value_that_many_rows_share():
    cost, label = placed([2, 9, 3], 5)
    assert cost == 10
    assert len(set(label[2:11])) == 1
    assert {*label[:2]} == {*label[11:]} != {*label[2:11]}


def test_every_class_has_k_rows_and_the_labels_cost_what_is_said():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, most_rows=9, others=0)
        ranged, counts = problem.ranges[0], problem.types.counts
        first = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        label = np.zeros(int(first[-1]), np.int64)
        star = len(counts) - 1 if problem.outliers == "suppress" else -1
        cost = line_classes.classes(first, ranged.cell, ranged.below, problem.k, star, 1, 8, label)
        value = np.repeat(np.arange(len(counts)), counts)
        total = 0
        for one in set(label.tolist()):
            inside = value[label == one]
            if one < 0:
                total += star * len(inside)
                continue
            assert len(inside) >= problem.k
            ends = ranged.cell[inside]
            total += len(inside) * int(ranged.cost(ends.min(), ends.max())) // ranged.unit if len({*inside}) > 1 else 0
        assert total == cost
        assert cost * ranged.unit == optimum(problem)
