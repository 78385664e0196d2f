"""Members at given prices are what a plain loop says."""

import numpy as np

from incrowd.kernels.bounds.inner_classes import filled, gains, places_of


def drawn(seed):
    rng = np.random.default_rng([83, seed])
    size = int(rng.integers(1, 8))
    return rng, size, rng.integers(-5, 6, size), rng.integers(0, 4, size)


def test_gains_are_prices_less_the_cost():
    here, counts = np.array([2, 0], np.int32), np.array([4, 5, 6])
    terms, rows, kinds = gains(here, counts, np.array([1, 1, 0]), np.array([10, 20, 30]), 7)
    assert (terms.tolist(), rows.tolist(), kinds.tolist()) == ([23, 3], [6, 4], [0, 1])


def test_places_are_slots_from_the_instances_first_one():
    at, first = np.array([[0, 1, 2, 3, 2]], np.int32), np.array([[0, 2, 4]])
    width, places = places_of(1, 2, 5, at, first)
    assert (width.tolist(), places.tolist()) == ([2], [[0, 1, 0]])


def test_the_best_rows_are_taken_and_no_more_losses_than_are_needed():
    for seed in range(200):
        rng, _, terms, rows = drawn(seed)
        need = int(rng.integers(0, int(rows.sum()) + 1))
        order = np.argsort(-terms, kind="stable")
        total, used = filled(order, terms, rows, need)
        every = sorted((int(gain) for gain, many in zip(terms, rows, strict=True) for _ in range(many)), reverse=True)
        most = max(need, sum(gain > 0 for gain in every))
        assert total == sum(every[:most]) == int((used * terms).sum())
        assert used.sum() == most and (used <= rows).all()
