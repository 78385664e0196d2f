from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements.counts import LIMIT, Classes, largest_ratio, sums, times
from oracles import sensitive as plain


def classes_of(rows, group):
    """Rows of sensitive values in classes, as the check counts them."""
    domain, kind = plain.domain_of(rows)
    return Classes(
        domain, np.array(group, np.int64), kind.astype(np.int64), np.ones(len(rows), np.int64), max(group) + 1
    )


def test_products_go_over_to_pythons_integers_before_they_wrap_around():
    assert times(np.array([2, 3]), 5).dtype == np.int64
    large = times(np.array([1 << 40, 0]), 1 << 40)
    assert large.dtype == object
    assert large.tolist() == [1 << 80, 0]
    assert times(np.array([0]), 10**30).tolist() == [0]
    assert times(np.array([1 << 40]), np.array([1 << 40])).tolist() == [1 << 80]


def test_sums_go_over_to_pythons_integers_before_they_wrap_around():
    found = sums(np.array([0, 0, 2]), np.array([LIMIT - 1] * 3), 3)
    assert found.tolist() == [2 * (LIMIT - 1), 0, LIMIT - 1]
    assert sums(np.array([1, 1]), np.array([3, -4]), 2).tolist() == [0, -1]


def test_the_largest_of_nearly_equal_fractions_is_told_exactly():
    tops, bottoms = np.array([10**15, 10**15 + 1, 1]), np.array([3 * 10**15, 3 * 10**15 + 2, 4])
    assert largest_ratio(tops, bottoms) == Fraction(10**15 + 1, 3 * 10**15 + 2)
    assert largest_ratio(np.array([], np.int64), np.array([], np.int64)) is None


def test_values_are_counted_by_class_and_a_class_without_rows_stays_empty():
    column = classes_of([("a",), ("b",), ("a",), (None,)], [0, 0, 2, 2]).column("s0")
    assert column.values == (None, "a", "b")
    assert column.totals.tolist() == [1, 2, 1]
    assert column.sizes.tolist() == [2, 0, 2]
    assert list(zip(column.owner.tolist(), column.value.tolist(), column.rows.tolist(), strict=True)) == [
        (0, 1, 1), (0, 2, 1), (2, 0, 1), (2, 1, 1),
    ]  # fmt: skip
    assert column.begins.tolist() == [0, 2, 2, 4]
    assert column.largest().tolist() == [1, 0, 1]
    assert column.distinct().tolist() == [2, 0, 2]


def test_combinations_of_columns_stand_once_in_every_class():
    rows = [("a", "x"), ("a", "x"), ("b", "x"), ("a", "y")]
    assert classes_of(rows, [0, 0, 0, 1]).combinations(["s0", "s1"]) == [[(0, 0), (1, 0)], [(0, 1)]]
