"""Multipliers for the equal distance: valid for every class, and about as good as a linear program's."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from incrowd.kernels.bounds.inner_values import best_equal
from oracles.inner_drawn import drawn
from seeds import seeds


@seeds(200, 20)
def test_what_is_left_is_at_least_what_the_linear_program_gains_and_mostly_no_more(seed):
    rng, terms, rows, held, place = drawn(seed, members=9)
    share = rng.dirichlet(np.ones(held.size + 1))[: held.size]
    t, m = float(rng.uniform(0.1, 0.6)), rows.size
    caps = np.hstack(((place[None, :] == np.arange(held.size)[:, None]) - share[:, None], -np.eye(held.size)))
    spent = np.concatenate((np.full(m, -t), np.ones(held.size)))
    size = np.concatenate((-np.ones(m), np.zeros(held.size)))
    solved = linprog(
        np.concatenate((-terms, np.zeros(held.size))), A_ub=np.vstack((caps, spent, size)),
        b_ub=np.append(np.zeros(held.size + 1), -1.0), bounds=[(0, n) for n in rows] + [(0, None)] * held.size,
    )  # fmt: skip
    if solved.status != 0:
        return
    raw, take = np.zeros(held.size), np.zeros(m)
    left, _, weight = best_equal(
        share, t, place, np.arange(m), terms.astype(float), rows, 1, -1e18, 0.0, 0.0, raw, take
    )  # fmt: skip
    assert weight >= 0
    assert (raw >= 0).all()
    assert (raw <= weight + 1e-9).all()
    assert left >= -solved.fun - 1e-6
