"""Classes of one size gain no more than is said, and just that where the rule is a cap or a number of values."""

import itertools
import math
from fractions import Fraction

import numpy as np

from incrowd.tables.verify.bound.class_values import best_of_size, moved_best, unequal_best
from oracles.required_certificates import tables_with
from seeds import seeds


def drawn(seed):
    rng = np.random.default_rng(seed)
    types, values = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    gain = np.sort(rng.integers(-9, 10, types))[::-1].copy()
    amount = rng.integers(1, 3, types)
    met = np.unique(rng.integers(0, values, types), return_inverse=True)[1].reshape(-1)
    return rng, gain.astype(np.int64), amount.astype(np.int64), met.astype(np.int64)


def units(gain, amount, value):
    return [(int(g), int(v)) for g, n, v in zip(gain, amount, value, strict=True) for _ in range(n)]


def best(rows, size, keeps):
    found = [sum(g for g, _ in some) for some in itertools.combinations(rows, size) if keeps([v for _, v in some])]
    return max(found, default=None)


@seeds(300)
def test_caps_and_numbers_of_values_are_exact(seed):
    rng, gain, amount, value = drawn(seed)
    rows = units(gain, amount, value)
    values = int(value.max()) + 1
    caps = rng.integers(0, 4, values).astype(np.int64)
    for size in range(1, len(rows) + 1):
        found, _ = best_of_size(gain, amount, value, caps, size)
        right = best(rows, size, lambda some: all(some.count(v) <= caps[v] for v in some))
        assert found == (-(2**62) if right is None else right)
    for least in range(1, values + 1):
        others = np.zeros(len(rows) + 1, np.int64)
        first = unequal_best(gain, amount, value, least, others)
        for size in range(least, len(rows) + 1):
            assert first + others[size - least] == best(rows, size, lambda some, least=least: len(set(some)) >= least)


@seeds(300)
def test_no_class_near_the_table_gains_more_than_is_said(seed):
    rng, gain, amount, value = drawn(seed)
    rows = units(gain, amount, value)
    totals = (np.bincount(value, weights=amount).astype(np.int64) + rng.integers(0, 4, int(value.max()) + 1)).astype(
        np.int64
    )
    n, t = int(totals.sum()), Fraction(int(rng.integers(0, 5)), 7)
    mus = np.array([0, *rng.integers(0, 12, 3)], np.int64)
    moved = np.array([[[math.ceil(int(mu) * t * n * size) for size in range(len(rows) + 1)] for mu in mus]], np.int64)
    rules = tables_with(mus=mus, moved=moved, rows=n)
    for size in range(1, len(rows) + 1):
        near = lambda some: (
            sum(max(some.count(v) - Fraction(int(totals[v]) * len(some), n), 0) for v in set(some)) <= t * len(some)
        )
        right = best(rows, size, near)
        found, _ = moved_best(gain, amount, value, totals, size, rules, 0, -(2**62))
        assert right is None or found >= right
        assert found <= sum(g for g, _ in rows[:size])  # mu = 0 alone
