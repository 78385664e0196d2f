"""Multipliers for shares: valid for every class, and about as good as a linear program's."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from incrowd.kernels.bounds.inner_values import best_shares
from oracles.inner_drawn import drawn
from seeds import how_many


def test_what_is_left_is_no_less_than_the_linear_program_over_the_caps_gains_and_mostly_near_it():
    near = tried = 0
    for seed in range(how_many(200, 20)):
        rng, terms, rows, held, place = drawn(seed, members=9)
        share = rng.uniform(0.3, 0.8, held.size)
        caps = (place[None, :] == np.arange(held.size)[:, None]) * 1.0 - share[:, None]
        solved = linprog(
            -terms, A_ub=np.vstack((caps, -np.ones(rows.size))), b_ub=np.append(np.zeros(held.size), -1.0),
            bounds=[(0, n) for n in rows],
        )  # fmt: skip
        if solved.status != 0:
            continue
        raw, take = np.zeros(held.size), np.zeros(rows.size)
        left, _ = best_shares(
            share, place, np.arange(rows.size), terms.astype(float), rows, 1, -1e18, 0.0, raw, take
        )  # fmt: skip
        assert (raw >= 0).all()
        assert left >= -solved.fun - 1e-6
        plain = float((np.maximum(terms, 0) * rows).sum())
        tried += 1
        near += left <= -solved.fun + 0.3 * (plain + solved.fun) + 1.0
    assert near >= 0.6 * tried
