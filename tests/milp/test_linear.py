from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.milp import Linear, Program, rows_of


def knapsack(rng, n=7):
    """Whole x in {0, 1}: least -value within a weight."""
    value, weight = rng.integers(1, 20, n), rng.integers(1, 12, n)
    limit = int(weight.sum() // 2)
    rows = rows_of([(np.zeros(n, int), np.arange(n), weight)], [(np.array([-np.inf]), np.array([limit]))])
    program = Program(-value.astype(float), np.zeros(n), np.ones(n), np.ones(n, bool), rows)
    best = min(
        -int(value[list(chosen)].sum())
        for size in range(n + 1)
        for chosen in itertools.combinations(range(n), size)
        if weight[list(chosen)].sum() <= limit
    )
    return program, best


def test_rows_and_bounds_can_be_added():
    program, _ = knapsack(np.random.default_rng(2))
    linear = Linear(program)
    first = linear.solve().objective
    one = rows_of([(np.zeros(7, int), np.arange(7), np.ones(7))], [(np.array([-np.inf]), np.array([1.0]))])
    linear.add(one)
    second = linear.solve()
    assert second.objective > first
    assert len(second.duals) == 2
    linear.bound(np.arange(7, dtype=np.int32), np.zeros(7), np.zeros(7))
    assert linear.solve().objective == 0


def test_rows_that_the_engine_refuses_are_not_left_out_silently():
    program, _ = knapsack(np.random.default_rng(2))
    linear = Linear(program)
    twice = rows_of([(np.zeros(2, int), np.zeros(2, int), np.ones(2))], [(np.array([-np.inf]), np.array([1.0]))])
    with pytest.raises(ValueError, match="refuses"):
        linear.add(twice)
    assert len(linear.solve().duals) == 1


def covering(rng, columns=9, rows=6):
    """Cheapest x >= 0 that covers every row."""
    covers = (rng.random((rows, columns)) < 0.5) | (np.arange(columns) == np.arange(rows)[:, None])
    row, column = np.nonzero(covers)
    body = rows_of([(row, column, np.ones(row.size))], [(np.ones(rows), np.full(rows, np.inf))])
    cost = rng.integers(2, 9, columns).astype(float)
    return Program(cost, np.zeros(columns), np.full(columns, np.inf), np.zeros(columns, np.bool_), body)


def test_a_program_that_has_grown_goes_on_from_the_basis_it_had():
    """New columns too dear to enter and new rows that hold already: the old basis is the best one at once."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        small = covering(rng)
        cost = np.concatenate((small.cost, np.full(3, 1000.0)))
        extra = np.arange(3) + small.cost.size
        entries = small.rows
        row = np.repeat(np.arange(6), np.diff(entries.begins))
        slack = rows_of(
            [(row, entries.columns, entries.values), (rng.integers(0, 2, 3), extra, np.ones(3))],
            [(entries.lower, entries.upper), (np.full(2, -np.inf), np.full(2, 50.0))],
        )
        grown = Program(cost, np.zeros(12), np.full(12, np.inf), np.zeros(12, np.bool_), slack)
        first = Linear(small)
        value = first.solve().objective
        second = Linear(grown)
        second.adopt(first.basis(), np.concatenate((np.arange(9), [-1] * 3)), np.concatenate((np.arange(6), [-1] * 2)))
        assert second.probe(0) == pytest.approx(value)
        assert second.solve().objective == pytest.approx(value)
