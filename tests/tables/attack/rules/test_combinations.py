"""What several classes leave over of the combinations that a row could have."""

from __future__ import annotations

from incrowd.progress import Watch
from incrowd.tables.attack.rules import Combinations, SingleRows
from oracles.small_attacks import held, triples


def test_classes_that_cover_a_value_together_exclude_it():
    # who has 0 in the first column has 0 or 1 in the second, and both are shown
    rows = [(0, 0), (0, 0), (0, 1), (0, 1), *[(None, None)] * 3]
    released = held(rows, (2, 2))
    full = released.full.tolist().index(True)
    assert not SingleRows().find(released, 0, Watch()).unit.size
    assert triples(Combinations().find(released, 0, Watch())) == {(full, 0, 0)}


def test_nothing_follows_where_values_may_be_unknown():
    rows = [(0, 0), (0, 0), (0, 1), (0, 1), *[(None, None)] * 3]
    assert not Combinations().find(held(rows, (2, 2), closed=False), 0, Watch()).unit.size


def test_a_row_with_no_combination_left_contradicts_the_premise():
    rows = [(0, 0), (0, 0), (0, 1), (0, 1), *[(0, None)] * 3]
    assert Combinations().find(held(rows, (1, 2)), 0, Watch()).contradictions == 1


def test_a_search_that_is_stopped_says_so():
    rows = [(0, 0), (0, 0), (0, 1), (0, 1), *[(None, None)] * 3]
    watch = Watch()
    watch.limit(0)
    found = Combinations().find(held(rows, (2, 2)), 0, watch)
    assert not found.complete and not found.unit.size
