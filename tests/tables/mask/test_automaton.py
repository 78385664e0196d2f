"""The automaton of a mask: the order of its columns, and what it holds of a mask without patterns."""

import numpy as np

from incrowd.tables.mask.patterns import arrange, build


def test_columns_of_one_group_are_read_side_by_side():
    groups = [frozenset({0, 4}), frozenset({1, 3}), frozenset({2, 5})]
    order = arrange(6, groups)
    assert sorted(order) == list(range(6))
    for group in groups:
        first, last = sorted(order.index(column) for column in group)
        assert last == first + 1


def test_without_groups_the_order_is_the_users():
    assert arrange(4, []) == (0, 1, 2, 3)


def test_a_mask_without_rules_has_one_state_a_layer_and_one_without_patterns_none():
    free = build({}, ["a", "b"], [1, 2])
    assert free.states == 3
    assert [layer.tolist() for layer in free.arrows] == free.rows == [[[0, 0]], [[0, 0, 0]]]
    empty = build({"full_suppression": False, "patterns": [["a", "b"]]}, ["a", "b"], [1, 1])
    assert empty.empty
    assert empty.states == 0
    assert all(np.size(layer) == 0 for layer in empty.arrows)
