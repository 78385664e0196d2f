"""Taking equal rows away leaves the optimum, and every plan comes back as a plan that is no dearer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.compress.rules.cap_copies import CapCopies
from incrowd.tables.compress.rules.strip_copies import StripCopies
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.greedy.greedy import Greedy
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem

RULES = (CapCopies(), StripCopies())


def draw(seed):
    """Few row types with many copies, few patterns with the one without stars, any hierarchies and costs."""
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, rows=int(rng.integers(1, 5)))
    top = problem.top
    vectors = [v for v in problem.patterns.vectors if v not in ((0,) * len(top), top)]
    kept = {vectors[i] for i in rng.permutation(len(vectors))[: int(rng.integers(0, 3))]} | {(0,) * len(top)}
    if rng.integers(3):
        kept.add(top)
    k = int(rng.integers(1, 4))
    more = rng.integers(0, 2 * k * len(kept) + 2, problem.types.t) * (rng.random(problem.types.t) < 0.6)
    types = replace(problem.types, counts=problem.types.counts + more)
    return replace(problem, types=types, patterns=PatternList(top, kept), k=min(k, types.n))


def solved(solver, problem):
    try:
        return solver.solve(problem, Watch())
    except Infeasible:
        return None


def check(rule, problem):
    """Assert that the optimum stays, and that plans come back; return how many rows were taken away."""
    assert rule.declines(problem) is None
    reduced = rule.reduce(problem)
    small = reduced.problem
    assert problem.types.n - small.types.n == reduced.removed and (small.types.counts >= 1).all()
    if SubsetDp(most_groups=10**9).declines(problem) is not None:
        return 0
    before, after = solved(SubsetDp(), problem), solved(SubsetDp(), small)
    assert (before is None) == (after is None)
    if before is not None:
        assert before.bound.value == after.bound.value
        assert recount(problem, reduced.back(after.plan)) == before.bound.value
    rough = solved(Greedy(), small)
    if rough is not None:
        assert recount(problem, reduced.back(rough.plan)) <= recount(small, rough.plan)
    return reduced.removed


def test_copies_above_the_cap_do_not_matter():
    cut = [check(CapCopies(), draw([61, seed])) for seed in range(200)]
    assert sum(removed > 0 for removed in cut) > 70


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(5))
def test_copies_above_the_cap_do_not_matter_thousands_of_times(part):
    for seed in range(2000):
        check(CapCopies(), draw([62, part, seed]))


def test_the_optimum_by_every_partition_stays_too():
    cut = 0
    for seed in range(200):
        problem = draw([63, seed])
        if problem.types.n <= 8:
            reduced = CapCopies().reduce(problem)
            cut += reduced.removed > 0
            assert optimum(problem) == optimum(reduced.problem)
    assert cut > 20


def test_stripping_k_rows_at_a_time_leaves_the_optimum():
    cut = 0
    for seed in range(80):
        problem = draw([64, seed])
        most = 2 * problem.k**2 * int(np.prod([level.height + 1 for level in problem.levels]))
        counts = problem.types.counts.copy()
        counts[0] += most
        problem = replace(problem, types=replace(problem.types, counts=counts))
        cut += check(StripCopies(), problem) > 0
        small = StripCopies().reduce(problem).problem
        assert (problem.types.counts - small.types.counts)[0] % problem.k == 0
        assert small.types.counts.max() <= most
        assert CapCopies().reduce(problem).problem.types.n <= small.types.n
    assert cut > 40


def test_one_copy_below_the_cap_can_matter():
    """k = 2, p = 2: with (k - 1) p = 2 copies a group of their own would leave a third row alone."""
    problem = draw([61, 0])
    types = replace(problem.types, codes=np.array([[0], [1]], np.int32), counts=np.array([2, 1]), sizes=(2,))
    levels = (replace(problem.levels[0], up=np.array([[0, 1], [0, 0]], np.int32), cost=np.array([[0, 0], [1, 1]])),)
    problem = replace(problem, types=types, levels=levels, patterns=PatternList([1]), k=2, outliers="forbid")

    def value(copies):
        counts = np.array([copies, 1])
        return optimum(replace(problem, types=replace(types, counts=counts)))

    assert value(2) == 3 and value(3) == value(4) == value(6) == 2


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_it_declines_requirements_and_masks_that_star_every_row(rule):
    problem = draw([61, 1])
    assert "sensitive" in rule.declines(replace(problem, requirements=(object(),)))
    assert "mask" in rule.declines(replace(problem, patterns=PatternList(problem.top, {problem.top})))
