import math
from fractions import Fraction

import numpy as np

from incrowd.tables.models.l_diversity import LDiversity, enough_entropy
from oracles import sensitive as plain


def test_large_groups_are_told_by_digits_and_exact_ties_by_prime_factors():
    assert enough_entropy([4 * 10**6, *[10**6] * 4], Fraction(4))
    assert enough_entropy([4 * 7001, *[7001] * 4], Fraction(4))
    near = Fraction(4) + Fraction(1, 10**30)
    assert not enough_entropy([8001 * 4, *[8001] * 4], near)
    # 5001 and 5003 rows: entropy a hair under log 2
    assert not enough_entropy([5001, 5003], Fraction(2))
    entropy = math.log(10004) - (5001 * math.log(5001) + 5003 * math.log(5003)) / 10004
    assert abs(entropy - math.log(2)) < 1e-7
    assert enough_entropy([5001, 5003], Fraction("1.9999"))


def test_what_is_reached_is_a_whole_number_only_where_all_values_are_equally_frequent():
    domain, _ = plain.domain_of([("a",), ("b",)])
    requirement, kinds = LDiversity(1, "s0", kind="entropy").bind(domain), np.array([0, 1])
    assert requirement.reached(np.zeros(2, np.int64), kinds, np.array([3, 3]), 1) == 2
    uneven = requirement.reached(np.zeros(2, np.int64), kinds, np.array([3, 1]), 1)
    assert math.isclose(uneven, 4 / 3**0.75)  # exp(log 4 - 3/4 log 3)
