"""Multipliers for shares: valid for every class, and about as good as a linear program's."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from incrowd.kernels.bounds.inner_shares import best_shares
from oracles.inner_drawn import drawn
from seeds import seeds


@seeds(200, 20)
def test_what_is_left_is_what_the_linear_program_over_the_caps_gains(seed):
    rng, terms, rows, held, place = drawn(seed, members=9)
    share = rng.uniform(0.3, 0.8, held.size)
    caps = (place[None, :] == np.arange(held.size)[:, None]) * 1.0 - share[:, None]
    need = 1.0
    solved = linprog(
        -terms, A_ub=np.vstack((caps, -np.ones(rows.size))), b_ub=np.append(np.zeros(held.size), -need),
        bounds=[(0, n) for n in rows],
    )  # fmt: skip
    if solved.status != 0:
        return
    raw, take = np.zeros(held.size), np.zeros(rows.size)
    left, _ = best_shares(
        share, place, np.arange(rows.size), terms.astype(float), rows, 1, -1e18, 0.0, raw, take
    )  # fmt: skip
    assert (raw >= 0).all()
    assert left >= -solved.fun - 1e-6
    assert left <= max(-solved.fun, 0) + 0.35 * max(abs(terms).max(), 1) * (1 + share.max())
