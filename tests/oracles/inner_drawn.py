"""One instance with gains, and a rule on its values, for the kernels of inner problems."""

from __future__ import annotations

import itertools

import numpy as np


def drawn(seed, values=3, members=5):
    """Gains (best first), rows and values of an instance's members."""
    rng = np.random.default_rng([31, seed])
    m = int(rng.integers(2, members + 1))
    terms = np.sort(rng.integers(-20, 30, m))[::-1].astype(np.int64)
    rows = rng.integers(1, 3, m).astype(np.int64)
    held, place = np.unique(rng.integers(0, values, m), return_inverse=True)
    return rng, terms, rows, held.astype(np.int64), place.reshape(-1).astype(np.int64)


def classes(rows):
    """Every count of rows per member."""
    return itertools.product(*(range(n + 1) for n in rows))


def per_value(taken, place, values):
    found = [0] * values
    for n, v in zip(taken, place, strict=True):
        found[v] += n
    return found
