"""Moves under requirements leave a sound state; what is mended fails by less, at no more energy."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import class_anneal as moves
from incrowd.kernels.search import class_state as at
from incrowd.kernels.search.class_state import begin_move, change_by, take_back
from oracles.classes_drawn import assert_sound, started
from seeds import seeds


@seeds(60, 12)
def test_every_move_leaves_a_sound_state(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, whole, real = made
    rng = np.random.default_rng(seed)
    for _ in range(10):
        g = int(rng.integers(found.instances.size))
        begin_move(whole)
        if whole[whole[at.SIZE] + g] > 0 and rng.random() < 0.5:
            moves.dissolve(whole, real, g, 5.0)
        else:
            moves.open_class(whole, real, g, 1.0, 5.0, 1.0)
        assert_sound(problem, found, whole, real)
        before = moves.energy_of(whole, real, 5.0)
        moves.mend_touched(whole, real, 5.0)
        assert_sound(problem, found, whole, real)
        assert moves.energy_of(whole, real, 5.0) <= before + 1e-6


@seeds(60, 12)
def test_merging_and_splitting_leave_sound_states_and_are_undone_exactly(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, whole, real = made
    J, rng = found.instances, np.random.default_rng(seed)
    fixed = whole[[at.COST, at.FAILING]].copy(), whole[whole[at.ROWS] :][: J.pairs].copy(), real.copy()
    for turn in range(12):
        used = np.unique(J.owners[whole[whole[at.ROWS] :][: J.pairs] > 0])
        g, f = (int(x) for x in rng.choice(used, 2))
        h = int(rng.integers(J.size))
        begin_move(whole)
        before = moves.energy_of(whole, real, 5.0)
        if turn % 2 and g != f:
            moves.merge(whole, real, g, f, h, 5.0)
        elif g != h:
            moves.split(whole, real, g, h, 5.0)
            stays = np.flatnonzero((J.owners == g) & (whole[whole[at.ROWS] :][: J.pairs] > 0))
            assert not np.isin(J.members[stays], J.members[J.owners == h]).any()
        assert_sound(problem, found, whole, real)
        change = moves.energy_of(whole, real, 5.0) - before
        moves.mend_touched(whole, real, 5.0)
        assert moves.energy_of(whole, real, 5.0) - before <= change + 1e-6
        take_back(whole, real, 0)
        assert_sound(problem, found, whole, real)
        assert np.isclose(moves.energy_of(whole, real, 5.0), before)
    assert (whole[[at.COST, at.FAILING]] == fixed[0]).all()
    assert (whole[whole[at.ROWS] :][: J.pairs] == fixed[1]).all()
    lacks = slice(whole[at.DEFICIT], whole[at.DEFICIT] + J.size)
    assert np.allclose(real[lacks], fixed[2][lacks])


def test_merging_puts_two_classes_into_an_instance_that_holds_both():
    _, found, whole, real = next(
        made for made in map(started, range(80)) if made is not None and made[1].instances.suppressed >= 0
    )
    J = found.instances
    used = np.unique(J.owners[whole[whole[at.ROWS] :][: J.pairs] > 0])
    g, f = (int(x) for x in used[used != J.suppressed][:2])
    sizes = whole[whole[at.SIZE] :][: J.size]
    expected = int(sizes[[g, f, J.suppressed]].sum())
    begin_move(whole)
    moves.merge(whole, real, g, f, J.suppressed, 5.0)
    assert (sizes[[g, f, J.suppressed]] == [0, 0, expected]).all()


@seeds(60, 12)
def test_the_best_place_is_the_best_of_all_open_ones(seed):
    made = started(seed, rows=8)
    if made is None:
        return
    _, found, whole, real = made
    J = found.instances
    for p in np.flatnonzero(whole[whole[at.ROWS] :][: J.pairs] > 0):
        others = [
            q
            for q in np.flatnonzero(J.members == J.members[p])
            if q != p and (whole[whole[at.SIZE] + J.owners[q]] > 0 or J.needs[J.owners[q]] == 0)
        ]
        q, change = moves.best_place(whole, real, p, 1, -1, 50.0)
        assert (q >= 0) == bool(others)
        if others:
            assert np.isclose(change, change_by(whole, real, p, q, 1, 50.0))
            assert change <= min(change_by(whole, real, p, x, 1, 50.0) for x in others) + 1e-9


def test_a_pair_is_found_by_type_and_instance():
    _, found, whole, _ = next(made for made in map(started, range(50)) if made is not None)
    J = found.instances
    for i in range(J.t):
        for g in range(J.size):
            here = np.flatnonzero((J.owners == g) & (J.members == i))
            assert moves.pair_of(whole, i, g) == (here[0] if here.size else -1)
