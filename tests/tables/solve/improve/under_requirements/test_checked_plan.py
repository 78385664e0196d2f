"""Plans of the search's rows: releases, or none."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements.checked_plan import checked_plan, is_release
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import cost_of
from oracles.classes_drawn import started
from oracles.plans import recount
from seeds import seeds


@seeds(80, 16)
def test_rows_that_meet_everything_are_released_at_no_higher_cost(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, *_ = made
    plan = checked_plan(problem, encode(problem), found.instances, found.rows, Watch())
    assert plan is not None
    assert is_release(problem, plan)
    assert recount(problem, plan) <= cost_of(found.instances, found.rows)


@seeds(80, 16)
def test_rows_placed_anyhow_are_mended_or_refused(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, *_ = made
    J = found.instances
    begins, _, pairs = J.by_type
    rng = np.random.default_rng(seed)
    rows = np.zeros(J.pairs, np.int64)
    for i in range(J.t):
        rows[pairs[rng.integers(begins[i], begins[i + 1])]] = J.counts[i]
    plan = checked_plan(problem, encode(problem), J, rows, Watch())
    if plan is not None:
        assert is_release(problem, plan)
        recount(problem, plan)
