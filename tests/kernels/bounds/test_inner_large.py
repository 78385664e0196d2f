"""The best class of some rows or more against every class."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds.inner_classes import DISTINCT, SHARES, best_large
from oracles.inner_drawn import classes, drawn, per_value
from seeds import seeds


@seeds(400, 40)
def test_the_best_rows_and_the_least_losses_with_the_values_asked_for(seed):
    rng, terms, rows, held, place = drawn(seed)
    least = int(rng.integers(1, held.size + 1)) if seed % 2 else 0
    need = int(rng.integers(1, rows.sum() + 1))
    family = np.array([DISTINCT if least else SHARES])
    found = best_large(family, np.array([least]), np.array([held.size]), place[None], terms, rows, need)
    assert found == max(
        int(np.dot(taken, terms))
        for taken in classes(rows)
        if sum(taken) >= max(need, least) and sum(c > 0 for c in per_value(taken, place, held.size)) >= least
    )
