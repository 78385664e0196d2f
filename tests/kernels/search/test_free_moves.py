"""Moves of the search over classes that show what their rows share."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.kernels.search import free_moves
from incrowd.kernels.search import free_state as at
from oracles.free_drawn import assert_sound, part, started
from seeds import seeds

KINDS = {"row": 0, "best": 1, "open": 2, "dissolve": 3, "split": 4}


def shares_of(kind):
    return np.array([1.0 if x >= KINDS[kind] else 0.0 for x in range(4)])


@pytest.mark.parametrize("kind", KINDS)
@seeds(64, 16)
def test_every_kind_of_move_leaves_a_sound_state(kind, seed):
    made = started(seed)
    if made is None:
        return
    problem, _, _, whole, real = made
    star = float(np.mean([level.cost.max() for level in problem.levels]))
    found = free_moves.anneal(whole, real, 60, star, 4 * star, False, shares_of(kind))
    assert found[0, KINDS[kind]] == 60
    assert_sound(problem, whole, real)


@seeds(64, 16)
def test_cold_moves_never_raise_the_energy(seed):
    made = started(seed)
    if made is None:
        return
    problem, _, _, whole, real = made
    star = float(np.mean([level.cost.max() for level in problem.levels]))
    shares = np.array([0.5, 0.6, 0.8, 0.9])
    free_moves.anneal(whole, real, 50, star, 2 * star, False, shares)
    for _ in range(5):
        before = whole[at.COST] + 10 * star * real[0]
        free_moves.anneal(whole, real, 50, 1e-9 * star, 10 * star, True, shares)
        assert whole[at.COST] + 10 * star * real[0] <= before + 1e-6 * star
    assert_sound(problem, whole, real)
    if whole[at.NOTED]:
        best = part(whole, at.BEST, whole[at.ROWS])
        assert whole[at.BEST_COST] >= 0
        assert best.min() >= 0


@seeds(64, 16)
def test_mending_lowers_the_energy_and_often_leaves_nothing_that_fails(seed):
    made = started(seed)
    if made is None:
        return
    problem, _, _, whole, real = made
    star = float(np.mean([level.cost.max() for level in problem.levels]))
    free_moves.anneal(whole, real, 100, 2 * star, 0.1 * star, False, np.array([0.5, 0.6, 0.8, 0.9]))
    before, failing = whole[at.COST] + 50 * star * real[0], whole[at.FAILING]
    assert free_moves.mend(whole, real, 0, 10**6, 50 * star, seed % 2 == 0) == whole[at.CLASSES]
    assert whole[at.COST] + 50 * star * real[0] <= before + 1e-6 * star
    assert whole[at.FAILING] <= failing or real[0] > 0
    assert_sound(problem, whole, real)


def test_mending_goes_on_where_it_ended():
    for seed in range(60):
        made = started(seed)
        if made is None:
            continue
        _, _, _, whole, real = made
        free_moves.anneal(whole, real, 100, 1e12, 0.0, False, np.array([0.5, 0.6, 0.8, 0.9]))
        if whole[at.FAILING] >= 3:
            at_class = free_moves.mend(whole, real, 0, 1, 1.0, True)
            assert 0 < at_class < whole[at.CLASSES]
            return
    raise AssertionError("no state with failing classes was drawn")
