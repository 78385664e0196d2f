from __future__ import annotations

import pytest

from incrowd.tables.large.bound_sum import BoundSum
from incrowd.tables.large.floor import Floor
from incrowd.tables.large.portion import Anew
from incrowd.tables.large.portion_prices import PriceUnit
from incrowd.tables.large.portions import Portions


def told(bound, per_row=0, proven=0):
    return Anew(9, 9, 0, 0, bound, 1, per_row, proven)


def summed(*portions, exact=True, unit=None, number=2, least=None):
    made = BoundSum(Portions(None, dict.fromkeys(range(number), 1), exact), least, unit)
    for one in portions:
        made.add(one)
    return made


@pytest.mark.parametrize(("exact", "seen", "bound"), [(True, 2, 7), (True, 1, 0), (False, 2, 0)])
def test_without_prices_all_portions_must_have_been_seen_and_part_exactly(exact, seen, bound):
    assert summed(told(3), told(4), exact=exact).bound(100, seen) == bound
    assert summed(told(3), told(4), exact=exact).proven() == 0


# prices in tenths of a unit; the table's per-row bound is 20, of which the two portions seen have 5 and 6
UNIT, LEAST = PriceUnit(10, 1000, 1), Floor(20, True)


def test_a_portion_that_nobody_saw_counts_with_its_per_row_prices():
    some = summed(told(9, 5, 70), told(6, 6, 60), number=3, unit=UNIT, least=LEAST)
    assert some.proven() == 22  # 7 + 6 + 9
    assert some.bound(100, 2) == 24  # 9 + 6 + 9: cuts raised the first
    assert summed(number=3, unit=UNIT, least=LEAST).bound(100, 0) == 20


def test_rounding_of_single_portions_is_claimed_only_where_it_proves_that_nothing_is_cheaper():
    """7.1 and 6.1 round up to 8 and 7, their sum with 9 to 23."""
    some = summed(told(8, 5, 71), told(7, 6, 61), number=3, unit=UNIT, least=LEAST)
    assert (some.proven(), some.bound(25, 2), some.bound(24, 2)) == (23, 23, 24)
