"""The state of the search under requirements: transfers, and what undoes them."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import class_state as at
from incrowd.kernels.search.class_state import begin_move, change_by, note_best, shift, take_back
from oracles.classes_drawn import assert_sound, started
from seeds import seeds


def transfers(found, whole, rng):
    """Pairs of pairs of one type, the first with rows."""
    J = found.instances
    for _ in range(20):
        held = np.flatnonzero(whole[whole[at.ROWS] :][: J.pairs] > 0)
        p = int(rng.choice(held))
        others = [q for q in np.flatnonzero(J.members == J.members[p]) if q != p]
        if others:
            yield p, int(rng.choice(others)), int(rng.integers(1, whole[whole[at.ROWS] + p] + 1))


@seeds(60, 12)
def test_a_transfer_changes_the_energy_by_what_was_foreseen_and_can_be_taken_back(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, whole, real = made
    assert_sound(problem, found, whole, real)
    begin_move(whole)
    before = whole[whole[at.ROWS] :][: found.instances.pairs].copy()
    for p, q, rows in transfers(found, whole, np.random.default_rng(seed)):
        foreseen = change_by(whole, real, p, q, rows, 3.0)
        energy = whole[at.COST] + 3.0 * real[0]
        assert shift(whole, real, p, q, rows)
        assert np.isclose(whole[at.COST] + 3.0 * real[0] - energy, foreseen)
    assert_sound(problem, found, whole, real)
    take_back(whole, real, 0)
    assert (whole[whole[at.ROWS] :][: found.instances.pairs] == before).all()
    assert_sound(problem, found, whole, real)


def test_the_best_state_is_remembered():
    problem, found, whole, real = next(made for made in map(started, range(50)) if made is not None)
    note_best(whole)
    p, q, rows = next(transfers(found, whole, np.random.default_rng(0)))
    before = whole[whole[at.ROWS] :][: found.instances.pairs].copy()
    shift(whole, real, p, q, rows)
    best = whole[whole[at.BEST] :][: found.instances.pairs]
    assert (best == before).all()
    note_best(whole)
    assert (best == whole[whole[at.ROWS] :][: found.instances.pairs]).all()
    assert whole[at.BEST_COST] == whole[at.COST]
    assert_sound(problem, found, whole, real)


def test_a_full_log_takes_no_more():
    _, found, whole, real = next(made for made in map(started, range(50)) if made is not None)
    p, q, rows = next(transfers(found, whole, np.random.default_rng(0)))
    whole[at.LOGGED] = whole[at.ROOM]
    assert not shift(whole, real, p, q, rows)
