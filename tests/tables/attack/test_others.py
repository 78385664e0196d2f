"""Two releases in the same codes; what they say together is held against every pairing in tests/cases/test_other_releases.py."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.attack.others import Beside, ShownClasses, composed

STAR = np.array([[0, 1], [0, 0]], np.int32)
KEPT = np.array([[0, 1]], np.int32)


def shown(cells: list[tuple[int, int, int]], counts: list[int]) -> ShownClasses:
    """Classes of one quasi-identifier (level, node) and one sensitive value."""
    levels = np.array([[level, 0] for level, _, _ in cells], np.int8)
    nodes = np.array([[node, value] for _, node, value in cells], np.int32)
    return ShownClasses(levels, nodes, np.array(counts, np.int64))


def beside(second: ShownClasses, people: list[int]) -> Beside:
    first = shown([(0, 0, 0), (1, 0, 0), (1, 0, 1)], [2, 1, 1])
    keys = np.array(people, np.int32)[:, None]
    return Beside(first, second, (STAR, KEPT), 1, (1,), keys, np.ones(len(people), np.int64))


def test_worked_by_hand():
    # first: two rows show 0 with value a, two are starred, with a and b; second: three starred with a, one 1 with b
    both = beside(shown([(1, 0, 0), (0, 1, 1)], [3, 1]), [0, 1])
    told, crowds = composed(both, 2, same_people=True, stop=lambda: False)
    assert told["possible"] and told["complete"]
    assert crowds.tolist() == [3, 3, 1]
    assert told["joint_crowd"] == {"min": 1, "median": 3}
    assert told["below_k"] == 1
    # somebody with 0 has a row of three with a; the starred row with b is the one with 1 there
    assert told["people"] == {
        "rows": 2, "crowd": {"min": 2, "median": 2}, "below_k": 0, "sensitive_known": 1, "sensitive_known_alone": 0,
    }  # fmt: skip


def test_tables_of_different_length_do_not_hold_the_same_people():
    with pytest.raises(InputError, match="4 and 1 row, so they do not hold the same people"):
        composed(beside(shown([(1, 0, 0)], [1]), [0]), 2, same_people=True, stop=lambda: False)
