"""Multipliers along directions: less is left than without, and no valid class loses anything."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.kernels.bounds.inner_classes import ENTROPY, LINE, RECURSIVE, TRANSPORT, TREE
from incrowd.kernels.bounds.inner_values import best_ray, multiplier
from incrowd.tables.count_rules import CountRule, Family
from oracles.count_rules import keeps
from oracles.inner_drawn import drawn
from seeds import how_many


@pytest.mark.few(2)
@pytest.mark.parametrize("family", [ENTROPY, LINE, RECURSIVE, TRANSPORT, TREE])
def test_y_gains_nothing_on_a_valid_class_and_something_on_the_instance(family):
    better = 0
    for seed in range(how_many(200, 5)):
        _, terms, rows, held, place = drawn(seed, members=9)
        values, totals = 3, np.array([2, 3, 4])
        points = np.array([0.0, 0.4, 1.0])
        rule = CountRule(
            family=Family(family), code=np.arange(3, dtype=np.int32), totals=totals, least=2,
            level={ENTROPY: float(np.log(1.8)), RECURSIVE: 2.0}.get(family, 0.15),
            node=np.array([[0, 1, 2], [0, 0, 1]], np.int32), length=np.diff(points),
            distance=np.abs(points[:, None] - points[None]),
        )  # fmt: skip
        metric = (
            totals / 9,
            np.append(np.diff(points), 0),
            rule.node.reshape(-1).astype(np.int64),
            rule.distance.ravel(),
        )
        raw, extra, state, take = np.zeros(held.size), np.zeros(held.size), np.zeros(2), np.zeros(rows.size)
        plain = float((np.maximum(terms, 0) * rows).sum())
        left = best_ray(
            family, rule.level, 2, metric, held.astype(np.int32), place, terms.astype(float), rows, 1, 0.0, state, raw,
            extra, take,
        )  # fmt: skip
        better += left < plain - 1e-9
        y = np.empty(held.size)
        multiplier(family, rule.level, np.zeros(held.size), raw, extra, state[0], state[1], y)
        for counts in itertools.product(range(5), repeat=values):
            if sum(counts) and keeps(rule, counts) and not any(counts[v] for v in range(values) if v not in held):
                assert np.dot(y, np.array(counts)[held]) <= 1e-6 * (1 + np.abs(y).max())
    assert better
