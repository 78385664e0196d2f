"""The annealing under requirements: what it returns is a placement of all rows, decided by seed and moves."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements.annealing import ClassAnnealing
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.time_share import TimeShare
from oracles.classes_drawn import rules_of, started
from seeds import seeds


def run(made, total, seed=0):
    problem, found, *_ = made
    annealing = ClassAnnealing(found, kinds_of(problem), rules_of(problem), problem.k, 1.0)
    rows = annealing.run(
        found.rows, TimeShare.of(Watch(), None), total=total, seed=seed, enough=0, heard=lambda cost: None
    )  # fmt: skip
    return annealing, rows


@seeds(40, 8)
def test_all_rows_are_placed_and_moves_are_counted(seed):
    made = started(seed)
    if made is None:
        return
    annealing, rows = run(made, 300)
    J = made[1].instances
    assert (np.bincount(J.members, weights=rows, minlength=J.t) == J.counts).all()
    assert 0 < annealing.moves <= 300
    assert (rows == run(made, 300)[1]).all()
