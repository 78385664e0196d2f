"""The linear program with all odd-set cuts is not integral: the closing search stays part of the solver."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.optimize import linprog

from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.values import Levels

SEVEN = [[int(c) for c in row] for row in ["2221", "2012", "1211", "0001", "1110", "0220", "0212"]]


def stars(m, d):
    up = np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)])
    return tuple(Levels(up, np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)])) for _ in range(m))


def solve(table):
    codes = np.array(table, np.int32)
    m = codes.shape[1]
    levels = stars(m, int(codes.max()) + 1)
    patterns = Mask().compile([f"c{j}" for j in range(m)], [1] * m)
    return optimal_groups(codes, np.ones(len(codes), np.int64), levels, patterns)


def test_all_odd_sets_leave_a_third_of_a_star_on_the_seven_rows():
    n = len(SEVEN)
    groups = [g for size in (2, 3) for g in combinations(range(n), size)]
    cost = [len(g) * sum(len({SEVEN[v][j] for v in g}) > 1 for j in range(4)) for g in groups]
    equal = np.array([[v in g for g in groups] for v in range(n)], float)
    odd = [s for size in (1, 3, 5, 7) for s in combinations(range(n), size)]
    cuts = np.array([[len(set(g) & set(s)) % 2 for g in groups] for s in odd], float)
    found = linprog(cost, A_eq=equal, b_eq=np.ones(n), A_ub=-cuts, b_ub=-np.ones(len(odd)))
    assert abs(found.fun - 56 / 3) < 1e-6
    result = solve(SEVEN)
    assert result.optimal
    assert result.cost == 19
