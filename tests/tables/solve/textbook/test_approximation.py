"""Theorem 10's release: within its factor of the optimum, in each of its cases."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.solve.textbook.approximation import Approximation, factor, release_of
from incrowd.tables.values import Problem
from incrowd.tables.verify.bound.certificate import Table, recheck
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_levels, star_levels, types_of


def case_of(problem):
    counts, k = problem.types.counts, problem.k
    small = int(counts[counts < k].sum())
    spare = int((counts[counts >= k] - k).sum())
    return 1 if not small else 2 if small >= k else 3 if spare >= k - small else 4


def draw(seed):
    """Few different rows with many copies, costs above 0 everywhere, any mask with no star and all stars."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 9)), int(rng.integers(1, 4))
    types = types_of(rng.integers(0, 2 if rng.integers(2) else 3, (n, m)))
    levels = star_levels(types, rng.integers(1, 5, m).tolist())
    if rng.integers(2):
        levels = tuple(
            random_levels(rng, d, int(rng.integers(1, 3)), uniform=bool(rng.integers(2))) for d in types.sizes
        )
        levels = tuple(replace(level, cost=level.cost + (np.arange(level.height + 1) > 0)[:, None]) for level in levels)
    top = tuple(level.height for level in levels)
    every = PatternList(top).vectors
    kept = {v for v in every if rng.random() < rng.choice([0.3, 1.0])} | {every[0], every[-1]}
    k = int(rng.integers(2, max(3, n // 2 + 1)))
    outliers = ("forbid", "suppress")[int(rng.integers(2))]
    return Problem(types, levels, PatternList(top, kept), min(k, n), outliers)


def check(seed, cases):
    problem = draw(seed)
    assert Approximation().declines(problem) is None
    solution = Approximation().solve(problem, Watch())
    cost, best = recount(problem, solution.plan), optimum(problem)
    assert solution.bound.value <= best <= cost <= recount(problem, release_of(problem))
    assert cost <= factor(problem) * best
    assert any("times the optimum" in note for note in solution.notes)
    assert (solution.status == "optimal") == (cost == solution.bound.value)
    table = Table(
        codes=problem.types.codes, counts=problem.types.counts, levels=problem.levels, allows=problem.patterns.allows,
        k=problem.k, outliers=problem.outliers, scale=problem.scale,
    )  # fmt: skip
    assert recheck(table, json.loads(json.dumps(solution.certificate)), cost).proven
    cases[case_of(problem), problem.outliers] += 1


def test_it_keeps_its_factor_in_every_case():
    cases = Counter()
    for seed in range(180):
        check([51, seed], cases)
    assert len(cases) == 8 and min(cases.values()) >= 3


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(5))
def test_it_keeps_its_factor_thousands_of_times(part):
    for seed in range(1000):
        check([52, part, seed], Counter())


def test_the_factor_is_the_number_of_columns_for_plain_stars():
    types = types_of([(0, 0, 0), (1, 1, 1)])
    assert factor(Problem(types, star_levels(types), PatternList([1, 1, 1]), 2)) == 3
    assert factor(Problem(types, star_levels(types, [1, 2, 4]), PatternList([1, 1, 1]), 2)) == 7
    assert factor(Problem(types, star_levels(types, [0, 2, 4]), PatternList([1, 1, 1]), 2)) is None
    # a column that is never changed does not make a change cheap
    kept = PatternList([1, 1, 1], {(0, 0, 0), (0, 1, 1)})
    assert factor(Problem(types, star_levels(types, [0, 2, 4]), kept, 2)) == 3


def test_surplus_rows_fill_the_group_of_the_others_up():
    rows = [(0, 0)] * 5 + [(1, 1)] * 4 + [(2, 2)]
    types = types_of(rows)
    problem = Problem(types, star_levels(types), PatternList([1, 1]), 3)
    assert case_of(problem) == 3
    plan = Approximation().solve(problem, Watch()).plan
    assert plan.cost(problem) == 6 and sorted(plan.sizes().tolist()) == [3, 3, 4]


def test_it_declines_masks_without_no_star_or_all_stars_and_further_requirements():
    types = types_of([(0, 0), (1, 1)])
    problem = Problem(types, star_levels(types), PatternList([1, 1]), 2)
    assert "leaves equal rows" in Approximation().declines(replace(problem, patterns=PatternList([1, 1], {(1, 1)})))
    assert "suppress" in Approximation().declines(replace(problem, patterns=PatternList([1, 1], {(0, 0)})))
    assert "no further requirement" in Approximation().declines(replace(problem, requirements=(object(),)))
