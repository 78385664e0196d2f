"""A problem under k alone: the same rows without their sensitive values, and every release of the one is one of it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.without_requirements import k_alone, without_kinds
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.required import FAMILIES, random_required
from seeds import scaled


def rows_of(types):
    found = Counter()
    for codes, count in zip(types.codes.tolist(), types.counts.tolist(), strict=True):
        found[tuple(codes)] += count
    return found


@pytest.mark.parametrize("part", range(4))
def test_rows_stay_as_many_and_no_type_comes_twice(part):
    merged = 0
    for seed in range(part * 20, part * 20 + 20):
        problem = random_required(np.random.default_rng([141, seed]), FAMILIES[seed % len(FAMILIES)], rows=12)
        alone = k_alone(problem)
        assert not alone.requirements and alone.sensitive is None and alone.types.kinds is None
        assert rows_of(alone.types) == rows_of(problem.types)
        assert len(rows_of(alone.types)) == alone.types.t
        merged += alone.types.t < problem.types.t
    assert merged


def test_a_release_is_one_of_k_alone_at_the_same_cost_and_its_optimum_is_a_bound():
    met = lower = 0
    for seed in range(scaled(30)):
        problem = random_required(np.random.default_rng([142, seed]), FAMILIES[seed % 4], rows=5)
        try:
            plan = Greedy().solve(problem, Watch()).plan
        except Infeasible:
            continue
        alone, same = without_kinds(problem, plan)
        assert recount(alone, same) == plan.cost(problem)
        least = optimum(problem)
        assert optimum(alone) <= least <= plan.cost(problem)
        met += 1
        lower += optimum(alone) < least
    assert met > scaled(10) and lower
