from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.row_assignment import polish
from oracles.plans import recount
from oracles.problems import random_problem
from seeds import scaled


def test_polishing_never_makes_a_plan_dearer():
    rng = np.random.default_rng(4)
    better = 0
    for seed in range(scaled(150)):
        problem = random_problem(np.random.default_rng([3, seed]), full=True)
        n, top = problem.types.n, np.array([[level.height for level in problem.levels]], np.int8)
        plan = Greedy().solve(problem, Watch()).plan
        if rng.random() < 0.5 and (n >= problem.k or problem.outliers == "suppress"):
            t = problem.types.t
            whole = (np.arange(t, dtype=np.int32), np.zeros(t, np.int32), problem.types.counts)
            plan = type(plan)(top, *whole)
        polished = polish(problem, plan, Watch())
        assert recount(problem, polished) <= recount(problem, plan)
        better += recount(problem, polished) < recount(problem, plan)
    assert better
