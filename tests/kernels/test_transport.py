"""The transportation problem against scipy's assignment of units."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from incrowd.kernels.transport import least_cost


def test_the_least_cost_is_that_of_assigning_unit_by_unit():
    above = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        supply = rng.integers(1, 5, int(rng.integers(1, 5)))
        units = int(supply.sum())
        ends = np.sort(rng.choice(np.arange(1, units), min(int(rng.integers(0, 4)), units - 1), replace=False))
        demand = np.diff(np.concatenate(([0], ends, [units])))
        cost = rng.integers(0, 9, (supply.size, demand.size))
        each = np.repeat(np.repeat(cost, supply, axis=0), demand, axis=1)
        wanted = int(each[linear_sum_assignment(each)].sum())
        kept = supply.copy(), demand.copy()
        assert least_cost(supply, demand, cost, 10**6) == least_cost(supply, demand, cost, wanted) == wanted
        assert (supply == kept[0]).all() and (demand == kept[1]).all()
        if wanted:
            above += 1
            assert wanted - 1 < least_cost(supply, demand, cost, wanted - 1) <= wanted
    assert above > 80


def test_on_python_integers_it_has_no_largest_number():
    big = 10**30
    supply, demand = np.array([2, 1], object), np.array([1, 2], object)
    cost = np.array([[0, big], [big, 0]], object)
    assert least_cost.py_func(supply, demand, cost, 10**40) == big
