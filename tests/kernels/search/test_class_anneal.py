"""The annealing under requirements: sound states, and a best one without violation."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import class_anneal
from incrowd.kernels.search import class_state as at
from oracles.classes_drawn import assert_sound, started
from seeds import seeds


@seeds(80, 16)
def test_states_are_sound_and_the_best_one_fails_nothing(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, whole, real = made
    J = found.instances
    ladder = np.cumsum(np.where(J.needs == 0, 0.0, 1.0))
    for warmth, penalty in ((3.0, 1.0), (1.0, 5.0), (0.1, 50.0)):
        class_anneal.anneal(whole, real, ladder, 60, warmth, penalty, 1.0, 0.1, True)
        assert_sound(problem, found, whole, real)
    for turn in range(6):
        class_anneal.repair(whole, real, J.suppressed, 50.0, turn)
        assert_sound(problem, found, whole, real)
    if whole[at.NOTED]:
        rows = whole[whole[at.BEST] :][: J.pairs].copy()
        assert int((rows * J.costs[J.owners]).sum()) == whole[at.BEST_COST]


def test_a_seed_decides_the_moves():
    seen = []
    for _ in range(2):
        _, found, whole, real = next(made for made in map(started, range(50)) if made is not None)
        ladder = np.cumsum(np.ones(found.instances.size))
        class_anneal.anneal(whole, real, ladder, 100, 1.0, 2.0, 1.0, 0.1, True)
        seen.append(whole.copy())
    assert (seen[0] == seen[1]).all()
