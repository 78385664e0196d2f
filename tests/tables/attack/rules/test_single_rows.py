"""A row would have been shown in a cheaper class that shows its values."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.attack.rules import SingleRows
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.values import Domain, Sensitive
from oracles.small_attacks import held, triples

SHOWN = [(0, 0), (0, 0)]


def find(released, rule=None, slack=0):
    return triples((rule or SingleRows()).find(released, slack, Watch()))


def starred(released):
    return int(np.flatnonzero(released.starred[:, 1] & ~released.starred[:, 0])[0])


def test_only_a_class_larger_than_k_can_be_left():
    large = held([*SHOWN, *[(0, None)] * 3], (2, 3))
    assert find(large) == {(starred(large), 1, 0)}
    assert find(held([*SHOWN, *[(0, None)] * 2], (2, 3))) == set()
    assert find(held([*SHOWN, *[(0, None)] * 3], (2, 3), k=3)) == set()


def test_a_class_that_differs_elsewhere_says_nothing():
    assert find(held([(1, 0), (1, 0), *[(0, None)] * 3], (2, 3))) == set()


def test_fully_suppressed_rows_need_no_crowd_where_outliers_are_suppressed():
    rows = [(0, None), (0, None), (None, None)]
    free = held(rows, (2, 2), outliers="suppress")
    full = int(np.flatnonzero(free.full)[0])
    assert find(free) == {(full, 0, 0)}
    assert find(held([*rows, (None, None)], (2, 2))) == set()


def test_a_column_of_weight_0_is_no_reason_to_move():
    assert find(held([*SHOWN, *[(0, None)] * 3], (2, 3), weights=[1, 0])) == set()


def test_a_cheaper_class_may_hide_another_column():
    # moving from (0, *) to (*, 0) saves 2 where the second star costs 3 and the first 1
    rows = [(None, 0), (None, 0), *[(0, None)] * 3]
    dear = held(rows, (2, 3), weights=[1, 3])
    assert find(dear) == {(starred(dear), 1, 0)}
    assert find(held(rows, (2, 3))) == set()


def test_a_row_that_fits_a_cheaper_class_for_certain_contradicts_the_premise():
    found = SingleRows().find(held([(0, 0), (0, 0), *[(0, None)] * 3], (2, 1), weights=[1, 1]), 0, Watch())
    assert triples(found) == {(1, 1, 0)} or found.contradictions


def test_what_is_required_of_both_classes_is_kept():
    released = held([*SHOWN, *[(0, None)] * 3], (2, 3))
    source, target = starred(released), 1 - starred(released)
    # the target holds a and b; the source a, a, b: if its b leaves, two a are left
    units = sorted([(target, 0, 1), (target, 1, 1), (source, 0, 2), (source, 1, 1)])
    domain = Domain(Sensitive(np.array([[0], [1]], np.int32), ("s",), (2,)), (("a", "b"),), np.array([3, 2]))
    judged = dataclasses.replace(
        released, unit_class=np.array([u[0] for u in units], np.int32),
        unit_kind=np.array([u[1] for u in units], np.int32), unit_rows=np.array([u[2] for u in units]),
        requirements=(LDiversity(l=2, column="s", kind="distinct").bind(domain),),
    )  # fmt: skip
    found = find(judged)
    assert {(int(judged.unit_class[u]), int(judged.unit_kind[u])) for u, _, _ in found} == {(source, 0)}


@pytest.mark.parametrize(("slack", "cells"), [(0, 1), (2, 1), (3, 0)])
def test_by_the_bound_a_move_has_to_save_more_than_the_gap(slack, cells):
    released = held([*SHOWN, *[(0, None)] * 3], (2, 3), weights=[1, 3])
    assert len(find(released, SingleRows(premise="bound"), slack)) == cells
