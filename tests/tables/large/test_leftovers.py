from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.large import sweep as module
from incrowd.tables.large.sweep import settled, sweep
from incrowd.tables.solve.greedy.greedy import Greedy
from oracles.large import in_engine, plan_of
from oracles.plans import recount
from oracles.problems import random_problem
from seeds import how_many

# drawn, with fewer than k rows left over
LEFT = (6, 18, 28, 29, 39, 41, 44, 45, 46, 50, 51, 53, 55, 59, 61, 62, 64, 65, 77, 78, 81, 94, 97, 112, 113, 122, 124)


def test_a_repair_that_looks_at_few_groups_still_gives_every_row_a_group_of_k(monkeypatch):
    """`recount` counts the groups; what a narrow look costs is at most a row type's distance from the whole one."""
    monkeypatch.setattr(module, "NEAR_TYPES", 2)
    repaired = 0
    with Engine() as engine:
        for seed in LEFT[: how_many(len(LEFT), 3)]:
            problem = random_problem(np.random.default_rng([95, seed]), rows=30, full=True, outliers="forbid")
            types, instances = in_engine(engine, problem)
            swept = sweep(types, instances, problem.types.n, Watch())
            repaired += 0 < swept.left < problem.k
            plan = plan_of(engine, types, problem, settled(instances, swept, Watch()))
            assert recount(problem, plan) == plan.cost(problem)
            assert plan.cost(problem) >= Greedy(threads=1).solve(problem, Watch()).bound.value
    assert repaired == how_many(len(LEFT), 3)
