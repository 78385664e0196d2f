"""The annealing under requirements: what it returns is a placement of all rows, decided by seed and moves."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.annealing import ClassAnnealing, RisingPenalty
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.time_share import TimeShare
from oracles.classes_drawn import rules_of, started
from seeds import seeds


def run(made, total, seed=0):
    problem, found, *_ = made
    annealing = ClassAnnealing(found, kinds_of(problem), rules_of(problem), problem.k, 1.0)
    rows = annealing.run(
        found.rows, TimeShare.of(Watch(), None), total=total, seed=seed, enough=0, heard=lambda cost: None
    )
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


SHARES = np.linspace(0.0, 1.0, 401)


def test_the_penalty_rises_from_its_first_to_its_last_value_where_nothing_fails():
    own, rising = tuning.DEFAULT, RisingPenalty(2.0)
    found = [rising.at(share, False) for share in SHARES]
    assert found == sorted(found)
    assert np.isclose(found[0], 2.0 * own.lenience)
    assert np.isclose(found[-1], 2.0 * own.rigour)


def test_while_a_class_fails_the_penalty_rises_further_and_falls_back_at_its_limit():
    own, rising, calm = tuning.DEFAULT, RisingPenalty(1.0), RisingPenalty(1.0)
    times = np.array([rising.at(share, True) / calm.at(share, False) for share in SHARES])
    assert (times[own.urgent_from >= SHARES] == 1.0).all()
    assert times.max() <= own.urgent_most * (1 + 1e-9)
    assert times.max() > 0.8 * own.urgent_most
    late = times[own.urgent_from < SHARES]
    assert (np.diff(late) < 0).sum() == int(own.urgency * (1 - own.urgent_from) / np.log(own.urgent_most))
    assert rising.at(1.0, False) == own.rigour
