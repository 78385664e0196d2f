"""Problems with many equal rows, and what a rule that takes some away has to keep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.dynamic_programs.subset_dp import SubsetDp
from incrowd.tables.solve.greedy.greedy import Greedy
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import random_problem


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
