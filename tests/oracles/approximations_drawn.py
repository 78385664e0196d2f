"""Small problems with every pattern allowed, and what an approximation has to keep on them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.values import Problem
from incrowd.tables.verify.bound.certificate import Table, recheck
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_levels, star_levels, types_of


def draw(*seed):
    """Two to eight rows, stars with weights or hierarchies, any k up to half of the rows, either outlier rule."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 9)), int(rng.integers(1, 5))
    types = types_of(rng.integers(0, rng.choice([2, 3, 5]), (n, m)))
    levels = star_levels(types, rng.integers(0, 5, m).tolist() if rng.integers(2) else None)
    if rng.integers(2):
        levels = tuple(
            random_levels(rng, d, int(rng.integers(1, 4)), uniform=bool(rng.integers(2))) for d in types.sizes
        )
    top = tuple(level.height for level in levels)
    k = int(rng.integers(2, max(3, n // 2 + 1)))
    return Problem(types, levels, PatternList(top), min(k, n), ("forbid", "suppress")[int(rng.integers(2))])


def check(solver, problem, ratio, best):
    """Hold a release against the optimum, its ratio and its certificate; return how much dearer it is than `best`."""
    assert solver.declines(problem) is None
    solution = solver.solve(problem, Watch())
    cost = recount(problem, solution.plan)
    assert solution.bound.value <= best <= cost <= ratio * best
    assert any("times the optimum" in note for note in solution.notes)
    assert (solution.status == "optimal") == (cost == solution.bound.value)
    table = Table(
        codes=problem.types.codes, counts=problem.types.counts, levels=problem.levels, allows=problem.patterns.allows,
        k=problem.k, outliers=problem.outliers, scale=problem.scale,
    )  # fmt: skip
    assert recheck(table, json.loads(json.dumps(solution.certificate)), cost).proven
    return Fraction(cost, best) if best else Fraction(1)


def declines_what_no_theorem_covers(solver):
    """Hold that requirements and masks are declined by name."""
    problem = draw(1)
    assert "no further requirement" in solver.declines(replace(problem, requirements=(object(),)))
    every = PatternList(problem.top).vectors
    masked = replace(problem, patterns=PatternList(problem.top, {every[0], every[-1]}))
    assert f"allows 2 of {len(every)}" in solver.declines(masked)


def ends_when_told(solver, problem):
    """Hold that a run that is told to stop at once hands out a release, without a ratio."""
    watch = Watch()
    watch.limit(0)
    solution = solver.solve(problem, watch)
    assert recount(problem, solution.plan) >= solution.bound.value
    assert solution.notes == ()
    assert solution.status in ("time_limit", "optimal")
