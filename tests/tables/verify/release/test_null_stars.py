"""Missing values that the mask asks to be stars: the least cost over all pairings, against every pairing."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from incrowd.tables.verify.pairing.kinds import NULL, STAR, Kinds
from incrowd.tables.verify.release.null_stars import asked_stars, least_cost
from incrowd.tables.verify.release.rules import Rules
from seeds import seeds


def ways(paid):
    """The arguments of `least_cost` for a matrix of costs by taker and giver; infinite ones are no ways."""
    start, adjacent, costs = [0], [], []
    for line in paid:
        some = [o for o, cost in enumerate(line) if cost < math.inf]
        adjacent += some
        costs += [line[o] for o in some]
        start.append(len(adjacent))
    return np.array(start), np.array(adjacent, np.int32), np.array(costs, np.int64)


@seeds(600, 60)
def test_the_least_cost_is_that_of_the_best_of_all_assignments(seed):
    rng = np.random.default_rng([31, seed])
    size = int(rng.integers(1, 6))
    paid = np.where(rng.random((size, size)) < 0.3, math.inf, rng.integers(0, 5, (size, size))).tolist()
    places = range(size)
    least = min(sum(paid[r][p[r]] for r in places) for p in itertools.permutations(places))
    ones = np.ones(size, np.int64)
    assert least_cost(ones, ones, *ways(paid)) == (None if least == math.inf else least)


def kinds(lines, rows):
    codes = np.array(lines, np.int32)
    return Kinds(codes, np.zeros(len(lines), np.int64), np.array(rows, np.int64), np.array(rows, np.int64))


def together(columns):
    return Rules(
        k=1, outliers="forbid", mask={"together": [columns]}, names=("a", "b"), weights={"a": Fraction(1, 2)}
    )  # fmt: skip


def test_a_missing_value_beside_a_star_of_its_group_is_a_star():
    before, after = kinds([[NULL, 1], [1, 1]], [3, 2]), kinds([[STAR, STAR]], [5])
    assert asked_stars(before, after, together(["a", "b"])) == Fraction(3, 2)


@seeds(200, 20)
def test_costs_of_any_number_of_digits_are_added_without_a_wrap(seed):
    rng = np.random.default_rng([32, seed])
    size = int(rng.integers(1, 6))
    paid = np.where(rng.random((size, size)) < 0.3, math.inf, rng.integers(0, 5, (size, size))).tolist()
    start, adjacent, costs = ways(paid)
    ones, large = np.ones(size, np.int64), np.array([10**30 * int(cost) for cost in costs], object)
    small = least_cost(ones, ones, start, adjacent, costs)
    assert least_cost(ones, ones, start, adjacent, large) == (None if small is None else small * 10**30)


@pytest.mark.parametrize("weight", [Fraction(10**30), Fraction(1, 10**30), Fraction(2**62)])
def test_weights_of_many_digits_are_counted(weight):
    before, after = kinds([[NULL, 1], [1, 1]], [3, 2]), kinds([[STAR, STAR]], [5])
    rules = Rules(k=1, outliers="forbid", mask={"together": [["a", "b"]]}, names=("a", "b"), weights={"a": weight})
    assert asked_stars(before, after, rules) == 3 * weight


def test_a_missing_value_that_may_be_shown_costs_nothing():
    before = kinds([[NULL, 1], [1, 1]], [3, 2])
    assert asked_stars(before, kinds([[STAR, 1], [1, 1]], [3, 2]), together(["a", "b"])) == 0


def test_rows_that_cannot_be_paired_cost_nothing_more():
    before = kinds([[NULL, 1], [1, 1]], [3, 2])
    assert asked_stars(before, kinds([[STAR, STAR]], [4]), together(["a", "b"])) == 0
    assert asked_stars(before, kinds([[STAR, STAR], [STAR, -2]], [4, 1]), together(["a", "b"])) == 0
