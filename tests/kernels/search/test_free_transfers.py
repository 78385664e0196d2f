"""Classes that show what their rows share: rows that move, and what undoes it."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import free_state
from incrowd.kernels.search import free_state as at
from oracles.free_drawn import assert_sound, part, started
from seeds import seeds


@seeds(160, 32)
def test_a_move_changes_the_energy_by_what_was_foreseen_and_can_be_taken_back(seed):
    made = started(seed)
    if made is None:
        return
    problem, _, _, whole, real = made
    assert_sound(problem, whole, real)
    rng = np.random.default_rng(seed)
    n, classes = int(whole[at.ROWS]), int(whole[at.CLASSES])
    for _ in range(3):
        whole[at.LOGGED] = 0
        before, levels = part(whole, at.CLASS, n).copy(), part(whole, at.LEVEL, classes * problem.types.m).copy()
        for _ in range(8):
            r, c = int(rng.integers(n)), int(rng.integers(classes))
            old = int(whole[whole[at.CLASS] + r])
            if c == old:
                continue
            more = free_state.enter_by(whole, real, c, whole[whole[at.TYPE] + r], 3.0, np.inf)
            if more > at.NEVER / 2:  # the mask has no place for these rows
                continue
            foreseen = more + free_state.leave_by(whole, real, r, 3.0)
            energy = whole[at.COST] + 3.0 * real[0]
            assert free_state.move(whole, real, r, c)
            assert np.isclose(whole[at.COST] + 3.0 * real[0] - energy, foreseen)
        assert_sound(problem, whole, real)
        if rng.random() < 0.6:
            free_state.take_back(whole, real, 0)
            assert (part(whole, at.CLASS, n) == before).all()
            assert (part(whole, at.LEVEL, classes * problem.types.m) == levels).all()
            assert_sound(problem, whole, real)


def test_what_cannot_come_below_a_limit_is_not_worked_out():
    for seed in range(20):
        made = started(seed)
        if made is None:
            continue
        _, _, _, whole, real = made
        for c in range(int(whole[at.CLASSES])):
            exact = free_state.enter_by(whole, real, c, 0, 3.0, np.inf)
            for limit in (exact - 1, exact + 1):
                assert (free_state.enter_by(whole, real, c, 0, 3.0, limit) < limit) == (exact < limit)


def test_the_best_state_without_violation_is_remembered():
    problem, _, plan, whole, real = next(made for made in map(started, range(50)) if made is not None)
    free_state.note(whole)
    assert whole[at.NOTED] and whole[at.BEST_COST] == whole[at.COST] <= plan.cost(problem)
    best = part(whole, at.BEST, whole[at.ROWS])
    assert (best == part(whole, at.CLASS, whole[at.ROWS])).all()
    free = free_state.first_free(whole)
    free_state.move(whole, real, 0, free)
    whole[at.COST] -= 10**6  # cheaper, but it fails
    assert whole[at.FAILING] or problem.k == 1
    free_state.note(whole)
    assert problem.k == 1 or best[0] != free


def test_a_full_log_takes_no_more():
    _, _, _, whole, real = next(made for made in map(started, range(50)) if made is not None)
    whole[at.LOGGED] = whole[at.ROOM]
    group = part(whole, at.CLASS, whole[at.ROWS]).copy()
    assert not free_state.move(whole, real, 0, free_state.first_free(whole))
    assert (part(whole, at.CLASS, whole[at.ROWS]) == group).all()


def test_a_large_class_is_shown_lower_when_it_is_looked_at_as_a_whole():
    for seed in range(40):
        made = started(seed, rows=90)
        if made is None:
            continue
        problem, _, _, whole, real = made
        sizes = part(whole, at.SIZE, whole[at.CLASSES])
        big = int(np.argmax(sizes))
        other = int(np.argsort(sizes)[-2])
        if sizes[big] <= 66 or big == whole[at.SUPPRESSED] or not sizes[other] or problem.patterns.count() < 4:
            continue
        for r in np.flatnonzero(part(whole, at.CLASS, whole[at.ROWS]) == other):
            free_state.move(whole, real, r, big)
        for r in np.flatnonzero(part(whole, at.CLASS, whole[at.ROWS]) == big)[:3]:
            free_state.move(whole, real, r, other)
        free_state.lower(whole, real)
        assert_sound(problem, whole, real)
