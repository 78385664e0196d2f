"""Odd sets: each is broken by the point it was found for, and by no way to put rows into groups."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import linprog

from incrowd.progress import Watch
from incrowd.tables.solve.matching.limits import Stopped
from incrowd.tables.solve.matching.odd_sets import odd_sets
from incrowd.tables.solve.matching.tuning import DEFAULT
from oracles.matching_plain import all_odd_sets, odd_value


def point(seed, rows):
    """Groups of two and three rows by chance, and a vertex of the program that puts every row into one of them."""
    rng = np.random.default_rng([61, seed])
    n = int(rng.integers(*rows))
    groups = [g for size in (2, 3) for g in combinations(range(n), size) if size == 2 or rng.random() < 0.3]
    equal = np.array([[v in g for g in groups] for v in range(n)], float)
    # Costs that make triangles attractive: half of each of three pairs.
    cost = np.array([rng.integers(1, 9) if len(g) == 2 else rng.integers(8, 20) for g in groups])
    x = linprog(cost, A_eq=equal, b_eq=np.ones(n)).x
    return n, np.array([[*g, *[-1] * (3 - len(g))] for g in groups], np.int64), np.round(x, 9)


def parts_of(rows):
    """Every way to put rows into groups of one, two and three."""
    if not rows:
        yield []
        return
    for size in (0, 1, 2):
        for others in combinations(rows[1:], size):
            for rest in parts_of([v for v in rows[1:] if v not in others]):
                yield [(rows[0], *others), *rest]


def test_each_set_is_odd_and_broken_by_the_point_and_where_one_is_broken_one_is_found_nearly_always():
    broken = missed = 0
    for seed in range(40):
        n, groups, x = point(seed, (5, 9))
        found = odd_sets(n, groups, x)
        for chosen in found:
            assert chosen.size % 2 == 1
            assert (np.diff(chosen) > 0).all()
            assert odd_value(groups, x, set(chosen.tolist())) < 1 - DEFAULT.violation
        there = any(odd_value(groups, x, chosen) < 1 - 2 * DEFAULT.violation for chosen in all_odd_sets(n))
        assert there or not found
        broken += there
        missed += there and not found
    assert broken > 5 and 4 * missed <= broken


def test_sets_of_larger_components_are_broken_too():
    met = 0
    for seed in range(12):
        n, groups, x = point(seed, (17, 22))
        for chosen in odd_sets(n, groups, x):
            assert odd_value(groups, x, set(chosen.tolist())) < 1 - DEFAULT.violation
            met += 1
    assert met


def test_every_way_to_put_rows_into_groups_meets_every_odd_set():
    for parts in parts_of(list(range(6))):
        assert all(odd_value(parts, [1] * len(parts), chosen) >= 1 for chosen in all_odd_sets(6))


def test_whole_points_have_none_and_an_interruption_is_heard():
    pairs = np.array([[0, 1, -1], [2, 3, -1]], np.int64)
    assert odd_sets(4, pairs, np.ones(2)) == []
    watch = Watch()
    watch.interrupt()
    square = np.array([[0, 1, -1], [1, 2, -1], [2, 3, -1], [0, 3, -1]], np.int64)
    assert odd_sets(4, square, np.full(4, 0.5)) == []
    with pytest.raises(Stopped):
        odd_sets(4, square, np.full(4, 0.5), watch)
