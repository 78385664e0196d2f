import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.ranges.solver import RangeSearch
from oracles.grid import drawn


def test_a_plan_costs_what_its_groups_show():
    for seed in range(20):
        problem, _ = drawn(np.random.default_rng(seed), ranged=1 + seed % 3)
        plan = RangeSearch(ranged=True, work=50).solve(problem, Watch()).plan
        total = 0
        for i, g, rows in zip(plan.part_type, plan.part_group, plan.part_rows, strict=True):
            for j, level in enumerate(problem.levels):
                first, last = plan.runs[g, plan.columns.index(j)] if j in plan.columns else (-1, -1)
                ranged = first >= 0
                code = problem.types.codes[i, j]
                cost = problem.ranges[j].cost(first, last) if ranged else level.cost[plan.levels[g, j], code]
                total += int(rows) * int(cost)
        assert total == plan.cost(problem)
