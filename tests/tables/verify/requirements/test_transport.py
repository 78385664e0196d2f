import random
from fractions import Fraction

import numpy as np
import pytest

from incrowd.tables.verify.requirements.transport import least_work
from oracles import sensitive as plain


def drawn(seed, scale=1):
    rng = random.Random(seed)
    size = rng.randrange(2, 6)
    points = [(rng.randrange(5), rng.randrange(5)) for _ in range(size)]
    costs = np.array([[scale * (abs(a - c) + abs(b - d)) for c, d in points] for a, b in points], object)
    table = [rng.randrange(size) for _ in range(rng.randrange(2, 12))]
    members = rng.sample(table, rng.randrange(1, len(table) + 1))
    excess = np.array([len(table) * members.count(v) - len(members) * table.count(v) for v in range(size)], object)
    return costs, table, members, excess


def test_the_work_is_that_of_a_network_simplex():
    for seed in range(60):
        costs, table, members, excess = drawn(seed)
        far = plain.moved(members, table, lambda a, b, costs=costs: Fraction(int(costs[a, b])))
        assert Fraction(least_work(excess, costs), len(table) * len(members)) == far


def test_numbers_beyond_64_bits_change_nothing():
    for seed in range(20):
        costs, _, _, excess = drawn(seed)
        assert least_work(excess, costs * 10**30) == least_work(excess, costs) * 10**30
        assert least_work(excess * 10**30, costs) == least_work(excess, costs) * 10**30


def test_what_is_no_metric_is_never_believed():
    # over the middle it is nearer than straight
    costs = np.array([[0, 1, 9], [1, 0, 1], [9, 1, 0]], object)
    with pytest.raises(AssertionError, match="no metric"):
        least_work(np.array([1, 0, -1], object), costs)


def test_nothing_too_much_is_no_work():
    assert least_work(np.zeros(3, np.int64), np.ones((3, 3), np.int64)) == 0
