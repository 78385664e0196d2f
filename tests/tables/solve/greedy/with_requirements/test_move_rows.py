"""Rows lent to leftover ones: they are a good group together, the lenders stay good, and it costs less than asked."""

from __future__ import annotations

import numpy as np

from incrowd.tables.solve.greedy.with_requirements.move_rows import gather, lend
from oracles.required import FAMILIES
from oracles.settling import blocks_of, drawn, good, groups_of, held
from seeds import how_many


def test_lent_rows_make_a_good_group_of_good_lenders_within_the_budget():
    lent = dear = 0
    for seed in range(4 * len(FAMILIES)):
        problem, state, left = drawn(seed, 251, full=True)
        rest = np.flatnonzero(left).astype(np.int32)
        if not rest.size:
            continue
        rows = left[rest]
        taken = lend(state, state.top, rest, rows, None)
        if taken is None:
            continue
        assert ((taken >= 0) & (taken <= state.rows)).all()
        before = state.cost()
        star = state.prices(np.tile(state.top, (rest.size, 1)), rest)
        added = -int((star * rows).sum())
        dear += lend(state, state.top, rest, rows, 0) is None
        group = state.take(state.top, rest, rows, taken)
        added += state.cost() - before
        assert (held(state) == problem.types.counts).all()
        assert all(good(problem, vector, types, amounts) for _, vector, types, amounts in groups_of(state))
        assert state.sizes()[group] == rows.sum() + taken.sum()
        assert added >= 0
        lent += taken.any()
    assert lent and dear


def test_nothing_is_lent_once_the_time_is_over():
    for seed in range(4 * len(FAMILIES)):
        problem, state, left = drawn(seed, 251, full=True)
        rest = np.flatnonzero(left).astype(np.int32)
        if rest.size:
            state.watch.limit(0)
            assert lend(state, state.top, rest, left[rest], None) is None
            assert gather(state, left.copy(), blocks_of(problem), tries=100, visits=10**9) == 0


def test_a_budget_is_kept():
    asked = 0
    for seed in range(4 * len(FAMILIES)):
        _, state, left = drawn(seed, 251, full=True)
        rest = np.flatnonzero(left).astype(np.int32)
        if not rest.size:
            continue
        taken = lend(state, state.top, rest, left[rest], None)
        if taken is None or not taken.any():
            continue
        each = state.prices(np.tile(state.top, (state.type.size, 1)), state.type) - state.prices(
            state.vectors[state.group], state.type
        )
        price = int((each * taken).sum())
        assert lend(state, state.top, rest, left[rest], price) is None
        again = lend(state, state.top, rest, left[rest], price + 1)
        assert np.array_equal(again, taken)
        asked += 1
    assert asked


def test_gathered_rows_are_in_good_groups_that_cost_no_more_than_stars():
    opened = 0
    for seed in range(how_many(20 * len(FAMILIES), 5 * len(FAMILIES))):
        problem, state, left = drawn(seed, 252, full=True)
        before, rest = state.cost(), left.copy()
        found = gather(state, left, blocks_of(problem), tries=50, visits=10**9)
        assert (held(state) + left == problem.types.counts).all()
        assert ((left == 0) | (left == rest)).all()
        assert all(good(problem, vector, types, rows) for _, vector, types, rows in groups_of(state))
        if found:
            types = np.flatnonzero(rest > left).astype(np.int32)
            stars = state.prices(np.tile(state.top, (types.size, 1)), types)
            assert state.cost() <= before + int((stars * rest[types]).sum())
            opened += found
        else:
            assert (left == rest).all()
    assert opened
