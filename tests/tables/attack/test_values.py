"""A release as an attacker holds it."""

from __future__ import annotations

import numpy as np

from incrowd.tables.attack.values import Exclusions
from oracles.small_attacks import held, triples


def test_costs_stars_and_rows_that_need_no_crowd():
    rows = [(0, 0), (0, 0), (1, None), (1, None), (None, None)]
    released = held(rows, (2, 2), outliers="suppress", weights=[2, 3])
    by_levels = {tuple(v): i for i, v in enumerate(released.levels.tolist())}
    assert [int(released.costs[by_levels[v]]) for v in ((0, 0), (0, 1), (1, 1))] == [0, 3, 5]
    assert released.cost == 11
    assert int(released.starred.sum()) == 3
    assert released.free.tolist() == [vector == [1, 1] for vector in released.levels.tolist()]
    assert not held(rows, (2, 2)).free.any()


def test_exclusions_are_kept_once_and_joined():
    one = Exclusions.of(np.array([1, 0, 1]), np.array([0, 0, 0]), np.array([2, 1, 2]))
    assert one.unit.tolist() == [0, 1]
    both = one | Exclusions.of(np.array([0]), np.array([1]), np.array([1]), complete=False)
    assert triples(both) == {(0, 0, 1), (1, 0, 2), (0, 1, 1)}
    assert not both.complete
    assert one.complete and not one.cut().complete
