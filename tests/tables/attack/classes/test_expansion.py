"""From pairs of classes to values."""

from __future__ import annotations

import numpy as np

from incrowd.tables.attack.classes import excluded_by, values_below
from incrowd.tables.attack.values import AttackColumn
from oracles.attacked import random_levels
from oracles.small_attacks import held, triples


def test_values_below_every_node_are_listed():
    level = random_levels(np.random.default_rng(2), 7, 3, uniform=True)
    column = AttackColumn("c", tuple("abcdefg"), True, level, np.zeros(7, np.int64))
    for at, up in enumerate(level.up):
        order, begins = values_below(column, at)
        for node in np.unique(up):
            assert sorted(order[begins[node] : begins[node + 1]]) == np.flatnonzero(up == node).tolist()


def test_a_target_that_differs_in_no_column_is_a_contradiction():
    released = held([(0, 0), (0, 0), *[(0, None)] * 3], (1, 2))
    source = int(np.flatnonzero(released.starred[:, 1])[0])
    every = np.ones(2, np.bool_)
    one = excluded_by(released, [(1, np.array([source]), np.array([1 - source]))], every)
    assert triples(one) == {(source, 1, 0)}
    none = excluded_by(released, [(-1, np.array([source]), np.array([1 - source]))], every)
    assert (none.unit.size, none.contradictions) == (0, 1)
    assert not excluded_by(released, [(1, np.array([source]), np.array([1 - source]))], ~every).unit.size
