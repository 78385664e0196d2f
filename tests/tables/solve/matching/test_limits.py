"""The matching ends when it is told to, with what it has, and its lists do not grow with the square."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import Matching, all_pairs, limits, optimal_groups
from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.plans import recount


def problem_of(codes):
    """Suppression with k=2 of rows given by their codes."""
    sizes = [int(column.max()) + 1 for column in codes.T]
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    levels = tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)]),
        )
        for d in sizes
    )
    names = tuple(f"c{j}" for j in range(len(sizes)))
    types = RowTypes(rows.astype(np.int32), counts.astype(np.int64), tuple(sizes))
    return Problem(types, levels, Mask().compile(names, [1] * len(sizes)), 2, "forbid", 1, (), names)


class Asked(Watch):
    """Says stop from the n-th time on that it is asked, and counts."""

    def __init__(self, times):
        super().__init__()
        self.times, self.asks = times, 0

    @property
    def stopped(self):
        self.asks += 1
        return self.asks > self.times


def nearly_unique(n, columns=6, seed=3):
    rng = np.random.default_rng(seed)
    return problem_of(rng.integers(0, n // 4, (n, columns)))


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces of work so small that a little table has many."""
    monkeypatch.setattr(all_pairs, "PIECE", 2000)


def test_after_the_word_to_stop_hardly_a_piece_of_work_is_begun(small_pieces, monkeypatch):
    begun = []
    for name in ("price", "knn", "nearest"):
        kernel = getattr(all_pairs.price, name)
        monkeypatch.setattr(all_pairs.price, name, lambda *a, kernel=kernel: begun.append(watch.asks) or kernel(*a))
    problem = nearly_unique(250)
    watch = Watch()
    watch.asks = 0
    whole = optimal_groups(problem.types.codes, problem.types.counts, problem.levels, problem.patterns, watch=watch)
    pieces = len(begun)
    assert pieces > 100
    for times in (0, 3, 30, pieces // 3):
        begun.clear()
        watch = Asked(times)
        found = optimal_groups(problem.types.codes, problem.types.counts, problem.levels, problem.patterns, watch=watch)
        late = [asks for asks in begun if asks > times]
        assert len(late) <= 4, (times, len(late))
        assert found.bound <= whole.cost and (found.groups is None or found.cost >= whole.bound)


def test_whenever_it_stops_the_release_is_valid_and_its_bound_holds(small_pieces):
    bounds = set()
    for seed in range(6):
        problem = nearly_unique(40, columns=3, seed=seed)
        best = Matching().solve(problem, Watch())
        assert best.status == "optimal"
        least = best.plan.cost(problem)
        for times in (0, 1, 2, 5, 10, 20, 50, 100, 200):
            found = Matching().solve(problem, Asked(times))
            assert recount(problem, found.plan) == found.plan.cost(problem) >= least >= found.bound.value
            assert found.bound.checked <= found.bound.value
            bounds.add((found.bound.value, least))
    assert len(bounds) > 8


def test_items_are_cut_into_runs_of_the_budget_that_hold_all_of_them():
    rng = np.random.default_rng(1)
    for _ in range(200):
        work, budget = rng.integers(0, 50, int(rng.integers(0, 40))), int(rng.integers(1, 200))
        runs = limits.slices(work, budget)
        assert [i for first, last in runs for i in range(first, last)] == list(range(work.size))
        assert all(first < last for first, last in runs)
        assert all(work[first:last].sum() <= budget + 50 for first, last in runs)
