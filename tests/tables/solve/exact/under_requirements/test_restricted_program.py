"""Programs over some columns: the others are 0."""

import dataclasses

import numpy as np

from incrowd.milp import Linear, Outcome, solve
from incrowd.tables.solve.exact.under_requirements.restricted_program import columns_up_to, over, restricted, up_to
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.strong_formulation import strong
from oracles.required import random_required
from seeds import seeds


def drawn(seed):
    random = np.random.default_rng([203, seed])
    return random, strong(list_instances(random_required(random, "frequency")).free_hub(), whole=True)


@seeds(100)
def test_a_program_over_some_columns_is_the_program_with_the_others_at_0(seed):
    random, model = drawn(seed)
    base = model.program
    kept = np.flatnonzero(random.random(len(base.cost)) < 0.8)
    upper = base.upper.copy()
    upper[np.setdiff1d(np.arange(upper.size), kept)] = 0.0
    whole = solve(dataclasses.replace(base, upper=upper))
    part = solve(over(base, (), kept, base.lower, base.upper))
    assert whole.outcome is part.outcome
    assert whole.outcome is not Outcome.OPTIMAL or np.isclose(whole.objective, part.objective)


@seeds(100)
def test_what_costs_up_to_a_limit_is_found_and_dearer_releases_are_not(seed):
    _, model = drawn(seed)
    answer = Linear(model.program).solve()
    best = solve(model.program)
    if best.outcome is not Outcome.OPTIMAL or answer.outcome is not Outcome.OPTIMAL:
        return
    program, kept = up_to(model, (), answer, best.objective)
    assert np.array_equal(kept, columns_up_to(answer, best.objective))
    assert np.isclose(solve(program).objective, best.objective)
    program, _ = up_to(model, (), answer, best.objective - 1)
    assert solve(program).outcome is Outcome.INFEASIBLE


def test_rows_that_say_nothing_are_left_out_but_not_those_that_cannot_be_met():
    _, model = drawn(3)
    rows = model.program.rows
    none = restricted(rows, len(model.program.cost), np.zeros(0, np.int64))
    assert len(none.lower) == model.instances.t
    assert (none.lower > 0).all()
