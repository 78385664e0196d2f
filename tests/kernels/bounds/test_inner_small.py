"""The best small class against every class."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.bounds import inner_classes
from incrowd.kernels.bounds.inner_classes import DISTINCT, EQUAL, SHARES
from oracles.inner_drawn import classes, drawn, per_value
from seeds import seeds

NOTHING = np.int64(-(1 << 60))


@seeds(600, 60)
def test_a_small_class_gains_at_most_what_is_said_and_shares_and_values_are_exact(seed):
    rng, terms, rows, held, place = drawn(seed)
    family = (SHARES, DISTINCT, EQUAL)[seed % 3]
    n, below, need = 9, int(rng.integers(2, 8)), int(rng.integers(1, 3))
    share = np.array([1 / 3, 1 / 2, 2 / 3])[rng.integers(0, 3, held.size)] * (1 + 1e-13)
    total, t, least = np.full(held.size, 3), float(rng.integers(1, 4)) / 6, int(rng.integers(1, 4))
    width, order = np.array([held.size]), np.arange(rows.size)
    gain, owner, slot, rank = inner_classes.unfolded(width, place[None], order, terms, rows, below - 1)
    take = np.zeros(rows.size)
    found = inner_classes.best_small(
        np.array([family]), np.array([least]), np.array([t]), share[None], total[None], n, below, need, gain, owner,
        slot, rank, np.array([0, 1, 5, 20]), take, NOTHING,
    )  # fmt: skip
    best = None
    for taken in classes(rows):
        counts, size = per_value(taken, place, held.size), sum(taken)
        if not need <= size < below:
            continue
        if family == SHARES:
            valid = all(c <= int(s * size) for c, s in zip(counts, share, strict=True))
        elif family == DISTINCT:
            valid = sum(c > 0 for c in counts) >= least
        else:
            valid = sum(max(n * c - 3 * size, 0) for c in counts) <= t * size * n + 1e-9
        if valid:
            gained = int(np.dot(taken, terms))
            best = gained if best is None else max(best, gained)
    assert best is None or found >= best
    if family != EQUAL:
        assert found == (NOTHING if best is None else best)
        assert best is None or np.dot(take, terms) == best


def test_half_of_the_rows_is_allowed_and_one_more_is_not():
    terms, rows = np.array([9, 1]), np.array([3, 3])
    width, place = np.array([2]), np.array([[0, 1]])
    gain, owner, slot, rank = inner_classes.unfolded(width, place, np.arange(2), terms, rows, 5)
    for below, best in ((3, 10), (4, 10), (5, 20), (6, 20)):
        found = inner_classes.best_small(
            np.array([SHARES]), np.zeros(1, np.int64), np.full(1, 2.0), np.full((1, 2), 0.5), np.ones((1, 2), np.int64),
            6, below, 1, gain, owner, slot, rank, np.zeros(1, np.int64), np.zeros(2), np.int64(0),
        )  # fmt: skip
        assert found == best


@seeds(200, 20)
def test_the_list_of_classes_gives_the_best_of_them(seed):
    rng, terms, rows, held, place = drawn(seed)
    vectors = rng.integers(0, 3, (6, held.size)).astype(np.int16)
    vectors = vectors[np.argsort(vectors.sum(axis=1), kind="stable")]
    sizes, below = vectors.sum(axis=1).astype(np.int64), int(vectors.sum()) + 1
    need, take = int(rng.integers(1, 3)), np.zeros(rows.size)
    found = inner_classes.best_listed(
        vectors, sizes, below, need, np.arange(rows.size), terms, rows, place, take, NOTHING
    )  # fmt: skip
    wanted = {tuple(v) for v in vectors.tolist() if sum(v) >= need}
    gained = [
        int(np.dot(taken, terms)) for taken in classes(rows) if tuple(per_value(taken, place, held.size)) in wanted
    ]
    assert found == max(gained, default=NOTHING)
