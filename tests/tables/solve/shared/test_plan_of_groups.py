from __future__ import annotations

from dataclasses import replace

import numpy as np

from incrowd.tables.solve.shared.plan_of_groups import as_plan, stars_alone
from oracles.problems import random_problem


def test_groups_that_show_the_same_are_one_and_every_row_is_kept():
    joined = 0
    for seed in range(80):
        rng = np.random.default_rng([51, seed])
        problem = random_problem(rng)
        t, top = problem.types.t, problem.top
        groups = [(tuple(int(rng.integers(0, h + 1)) for h in top), [i], [int(n)]) for i, n in
                  enumerate(problem.types.counts)]  # fmt: skip
        groups += [(groups[0][0], [0], [0])]  # rows of 0 are passed over
        shown = {}
        for vector, (i,), (rows,) in groups:
            nodes = tuple(int(level.up[v, problem.types.codes[i, j]])
                          for j, (v, level) in enumerate(zip(vector, problem.levels, strict=True)))  # fmt: skip
            if rows:
                shown.setdefault((vector, nodes), {})[i] = rows
        plan = as_plan(problem, groups)
        assert plan.groups == len(shown)
        assert (
            np.bincount(plan.part_type, weights=plan.part_rows, minlength=t).tolist() == problem.types.counts.tolist()
        )
        joined += plan.groups < t
    assert joined > 5


def test_stars_alone_are_a_plan_wherever_they_are_a_release():
    made = []
    for seed in range(80):
        problem = random_problem(np.random.default_rng([52, seed]))
        plan = stars_alone(problem)
        enough = problem.outliers == "suppress" or problem.types.n >= problem.k
        assert (plan is not None) == (problem.patterns.allows_full_suppression and enough)
        made.append(plan is not None)
        if plan is not None:
            assert plan.levels.tolist() == [list(problem.top)] and plan.part_rows.sum() == problem.types.n
    assert any(made) and not all(made)
    problem = random_problem(np.random.default_rng([52, made.index(True)]))
    assert stars_alone(replace(problem, outliers="forbid", k=problem.types.n + 1)) is None
