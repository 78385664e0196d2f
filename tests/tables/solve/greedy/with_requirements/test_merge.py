"""Groups merge until they meet everything, and fall apart again into groups that do, at no higher cost."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.with_requirements.moves import carve, grow
from oracles.required import FAMILIES
from oracles.settling import blocks_of, classes_of, drawn, good, held


def joined(seed, name):
    """A problem, and its groups with the leftover rows as one more, fully suppressed; None: no row is left."""
    problem, state, left = drawn(seed, name, full=True)
    rest = np.flatnonzero(left).astype(np.int32)
    return (problem, state, state.open(state.top, rest, left[rest])) if rest.size else None


def test_a_group_grows_until_it_is_good_or_there_is_nothing_left_to_merge_with():
    grown = hopeless = 0
    for seed in range(5 * len(FAMILIES)):
        made = joined(seed, 241)
        if made is None:
            continue
        problem, state, group = made
        others = {g for g, *_ in classes_of(state)} - {group}
        done = grow(state, group)
        assert (held(state) == problem.types.counts).all()
        left = {g: (vector, types, rows) for g, vector, types, rows in classes_of(state)}
        assert done == good(problem, *left[group])
        assert left.keys() - {group} <= others
        assert all(good(problem, *left[g]) for g in left.keys() - {group})
        if not done:
            assert left.keys() == {group}, "the whole table"
            assert not good(problem, problem.top, np.arange(problem.types.t), problem.types.counts)
        grown += done
        hopeless += not done
    assert grown > 10 and hopeless > 3


class Over(Watch):
    """A watch whose time is over; it counts how often it is asked."""

    def __init__(self):
        super().__init__()
        self.limit(0)
        self.times = 0

    @property
    def stopped(self):
        self.times += 1
        return super().stopped


def test_once_the_time_is_over_a_group_takes_twice_as_many_in_each_merge():
    done = most = 0
    for seed in range(5 * len(FAMILIES)):
        made = joined(seed, 243)
        if made is None:
            continue
        problem, state, group = made
        others = sum(1 for _ in classes_of(state)) - 1
        state.watch = Over()
        grown = grow(state, group)
        assert state.watch.times <= others.bit_length() + 1
        assert (held(state) == problem.types.counts).all()
        left = {g: (vector, types, rows) for g, vector, types, rows in classes_of(state)}
        assert grown == good(problem, *left[group])
        assert all(good(problem, *left[g]) for g in left.keys() - {group})
        for vector, types, _ in left.values():
            assert problem.patterns.allows(vector)
            assert state.encoded.agree(vector, int(types[0]), types.astype(np.int32)).all()
        done += grown
        most = max(most, state.watch.times)
    assert done > 10 and most > 1


def test_what_is_carved_out_is_good_and_so_is_the_rest_at_no_higher_cost():
    cheaper = 0
    for seed in range(5 * len(FAMILIES)):
        made = joined(seed, 242)
        if made is None or not grow(*made[1:]):
            continue
        problem, state, group = made
        before = state.cost()
        number = len(state.vectors)
        carved = carve(state, group, blocks_of(problem), visits=10**9)
        assert len(state.vectors) == number + carved
        assert (held(state) == problem.types.counts).all()
        for _, vector, types, rows in classes_of(state):
            assert problem.patterns.allows(vector)
            assert state.encoded.agree(vector, int(types[0]), types.astype(np.int32)).all()
            assert good(problem, vector, types, rows)
        assert state.cost() <= before
        cheaper += state.cost() < before
        assert carve(state, group, blocks_of(problem), visits=0) == 0
    assert cheaper
