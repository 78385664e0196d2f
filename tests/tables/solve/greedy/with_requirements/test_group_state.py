"""Groups in the making: sizes, costs and verdicts are those of their rows, whatever was opened, taken and tidied."""

from __future__ import annotations

import dataclasses

import numpy as np

from oracles.plans import cost_of, recount
from oracles.settling import drawn, good, groups_of, held
from seeds import seeds


@seeds(160)
def test_what_is_said_of_groups_is_what_their_rows_say(seed):
    problem, state, left = drawn(seed, 231)
    assert (held(state) + left == problem.types.counts).all()
    total = 0
    for g, vector, types, rows in groups_of(state):
        assert state.sizes()[g] == rows.sum()
        assert state.first()[g] in types
        assert state.good(vector, types, rows) == good(problem, vector, types, rows)
        total += sum(int(n) * cost_of(problem, vector.tolist(), problem.types.codes[i].tolist())
                     for i, n in zip(types, rows, strict=True))  # fmt: skip
        kinds = problem.types.kinds[types]
        assert state.histogram(types, rows).tolist() == [
            int(rows[kinds == kind].sum()) for kind in range(int(problem.types.kinds.max()) + 1)
        ]
    assert state.cost() == total


@seeds(160)
def test_rows_that_are_taken_leave_their_groups_and_a_tidy_state_releases_the_same(seed):
    problem, state, left = drawn(seed, 232, full=True)
    rng = np.random.default_rng(seed)
    taken = rng.integers(0, state.rows + 1)
    rest = np.flatnonzero(left).astype(np.int32)
    before = held(state)
    group = state.take(state.top, rest, left[rest], taken)
    assert (held(state) == problem.types.counts).all()
    assert state.sizes()[group] == left.sum() + taken.sum()
    assert (before[rest] + left[rest] == problem.types.counts[rest]).all()
    sizes, cost = state.sizes().tolist(), state.cost()
    state.tidy()
    assert (state.sizes().tolist(), state.cost()) == (sizes, cost)
    assert len({*zip(state.group.tolist(), state.type.tolist(), strict=True)}) == state.rows.size
    assert (state.rows > 0).all()
    assert recount(dataclasses.replace(problem, k=1), state.plan()) == cost


@seeds(80)
def test_a_type_alone_stands_under_its_cheapest_pattern_if_there_is_one(seed):
    problem, state, _ = drawn(seed, 233)
    row = int(np.random.default_rng(seed).integers(problem.types.t))
    group = state.alone(row, 2)
    codes = problem.types.codes[row].tolist()
    prices = [cost_of(problem, vector, codes) for vector in problem.patterns.vectors]
    assert (group < 0) == (not prices)
    if prices:
        assert cost_of(problem, state.vectors[group].tolist(), codes) == min(prices)
        assert state.sizes()[group] == 2
