"""What every instance can add: one thread or several, at once or piece by piece, it is the same.

`tests/tables/solve/bounds/under_requirements/test_prices.py` holds the values against every class.
"""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds import inner_values
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.under_requirements import layout
from incrowd.tables.solve.bounds.under_requirements.prices import PricedRequirements
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(64, 16)
def test_values_do_not_depend_on_pieces_and_what_is_cut_is_zero(seed):
    rng = np.random.default_rng([37, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=9)
    found = layout.instances_of(problem, watch=Watch(), most_pairs=10**6)
    start = 3 * rng.random(problem.types.t)
    one, two = (PricedRequirements(problem, found, start, 30, below=5, threads=n) for n in (1, 2))
    for _ in range(4):
        one.step(Watch())
        two.step(Watch())
    assert (one.now == two.now).all()
    whole, size = one._whole(one.prices), one.instances.size
    cut, full = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for begin in range(size):
        inner_values.recounted(one.lists, one.costs, whole, one.kept.y, one.weights, True, begin, begin + 1, cut)
    inner_values.recounted(one.lists, one.costs, whole, one.kept.y, one.weights, False, 0, size, full)
    assert (cut == np.maximum(full, 0)).all()
