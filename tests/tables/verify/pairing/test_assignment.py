"""Rows that find no original: a portion as a whole and by halves; against all assignments in `test_pairing`."""

import numpy as np
import pytest

from incrowd.tables.verify.pairing.assignment import Without, joined, unassigned
from incrowd.tables.verify.pairing.edges import TooManyFit
from incrowd.tables.verify.pairing.kinds import INVENTED, STAR, Kinds


def kinds(lines, rows, sizes=None):
    table = np.array(lines)
    counts = np.array(rows, np.int64)
    return Kinds(
        table[:, 1:].astype(np.int32), table[:, 0].astype(np.int64), counts,
        counts if sizes is None else np.array(sizes, np.int64),
    )  # fmt: skip


def blocks(n, lost=()):
    """Two kinds of originals a block, one released kind that may be either; in some blocks it wants a row too many."""
    before = kinds([(b, 1, v) for b in range(n) for v in (1, 2)], [2] * (2 * n))
    after = kinds([(b, 1, STAR) for b in range(n)], [5 if b in lost else 4 for b in range(n)], range(10, 10 + n))
    return before, after


def test_what_a_portion_lacks_is_the_sum_of_its_blocks():
    assert unassigned(*blocks(7), None) == Without()
    assert unassigned(*blocks(7, lost=(2, 5)), None) == Without(2, 12)


def test_too_many_pairs_are_looked_at_by_halves():
    before, after = blocks(7, lost=(2, 5))
    with pytest.raises(TooManyFit):
        joined(before, after, 2)
    assert unassigned(before, after, None, 2) == Without(2, 12)
    with pytest.raises(TooManyFit):
        unassigned(before, after, None, 1)  # a block alone has two


def test_an_unknown_block_or_value_finds_nothing():
    before, _ = blocks(2)
    after = kinds([(0, 1, STAR), (-1, 1, STAR), (1, INVENTED, 1)], [4, 3, 2], [9, 8, 7])
    assert unassigned(before, after, None) == Without(5, 7)


def test_portions_add_up():
    one, two = Without(2, 5, 1, 4), Without(3, None, 0, 9)
    assert one.and_of(two) == Without(5, 5, 1, 4)
    assert Without().and_of(Without()) == Without()
