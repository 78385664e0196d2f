"""A row of a class of exactly k, whose place another row could take."""

from __future__ import annotations

from incrowd.progress import Watch
from incrowd.tables.attack.rules import ReplacedRows
from oracles.small_attacks import held, triples


def find(released, slack=0):
    return triples(ReplacedRows().find(released, slack, Watch()))


def test_a_row_of_a_larger_class_can_take_the_place():
    # (*, *) has two rows, k of them. One with 0 in the first column could go to (0, *), which saves 5; one of the
    # three rows of (*, 0) could take its place, which costs 1
    rows = [(0, None), (0, None), *[(None, 0)] * 3, (None, None), (None, None)]
    released = held(rows, (2, 2), weights=[5, 1])
    full = released.full.tolist().index(True)
    assert find(released) == {(full, 0, 0)}
    assert find(released, slack=3) == {(full, 0, 0)}
    assert find(released, slack=4) == set()


def test_without_such_a_row_nothing_follows():
    rows = [(0, None), (0, None), *[(None, 0)] * 2, (None, None), (None, None)]
    assert find(held(rows, (2, 2))) == set()


def test_those_left_behind_can_join_a_class_that_shows_less():
    # one row of (*, 0) leaves for (1, *), which saves 4; the one left joins (*, *) at a cost of 1
    rows = [(1, None), (1, None), (None, 0), (None, 0), *[(None, None)] * 2]
    released = held(rows, (3, 3), weights=[5, 1])
    source = released.levels.tolist().index([1, 0])
    assert (source, 0, 1) in find(released)
