"""The matching ends when it is told to, with what it has, and its lists do not grow with the square."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import Matching, all_pairs, limits, optimal_groups
from incrowd.tables.solve.matching.active_rows import core_of
from incrowd.tables.solve.matching.assignment_relaxation import relax
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR
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


def distinct(n):
    """One column, as many values as rows: the answer is all stars."""
    return problem_of(np.arange(n)[:, None])


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
        kernel = getattr(all_pairs.matching_price, name)
        monkeypatch.setattr(
            all_pairs.matching_price, name, lambda *a, kernel=kernel: begun.append(watch.asks) or kernel(*a)
        )
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


def test_prices_of_a_relaxation_hold_for_all_pairs_whenever_it_stops(monkeypatch):
    monkeypatch.setattr(all_pairs, "PIECE", 100)
    some = 0
    for seed in range(60):
        drawn = draw(FAMILIES[seed % len(FAMILIES)], 4000 + seed, (8, 14))
        for times in (3, 6, 9, 12, 16, 20, 30, 40):
            me = metric(drawn.types.codes, drawn.levels, drawn.patterns, drawn.sens, dense=seed % 3 > 0)
            core = core_of(
                me, drawn.types.counts, expand=99, unpooled=np.ones(drawn.types.t, bool), full_exit=seed % 2 > 0,
                pools=False,
            )  # fmt: skip
            found = relax(core, Asked(times))
            y = found.y
            assert (y[core.real] <= core.exits[core.real]).all()
            left, right = np.triu_indices(core.n, 1)
            cost = core.metric.costs(np.stack((left, right, np.full(left.size, -1)), axis=1))
            assert ((cost >= FAR) | (y[left] + y[right] <= 2 * cost)).all()
            some += bool(not found.done and y.sum() > 0)
    assert some > 20


def test_pairs_listed_do_not_grow_with_the_square_of_the_distinct_values(monkeypatch):
    listed = []
    kernel = all_pairs.matching_price.price

    def price(*arguments):
        found = kernel(*arguments)
        listed.append(found[3])
        return found

    monkeypatch.setattr(all_pairs.matching_price, "price", price)
    monkeypatch.setattr(limits, "LISTED", 20_000)
    most = []
    for n in (501, 1001, 2001):
        problem = distinct(n)
        listed.clear()
        solution = Matching().solve(problem, Watch())
        most.append(max(listed))
        assert solution.status == "optimal" and solution.plan.cost(problem) == n
    assert 0 < most[0] <= 20_000 and most[2] <= 16 * 2001


def test_more_columns_than_may_be_listed_end_the_closing_without_a_word(monkeypatch):
    from incrowd.tables.solve.matching import last_step

    monkeypatch.setattr(last_step, "LISTED", 0)
    for seed in range(8):
        problem = nearly_unique(30, columns=3, seed=seed)
        found = Matching().solve(problem, Watch())
        monkeypatch.undo()
        least = Matching().solve(problem, Watch()).plan.cost(problem)
        monkeypatch.setattr(last_step, "LISTED", 0)
        assert recount(problem, found.plan) == found.plan.cost(problem) >= least >= found.bound.value


def test_items_are_cut_into_runs_of_the_budget_that_hold_all_of_them():
    rng = np.random.default_rng(1)
    for _ in range(200):
        work, budget = rng.integers(0, 50, int(rng.integers(0, 40))), int(rng.integers(1, 200))
        runs = limits.slices(work, budget)
        assert [i for first, last in runs for i in range(first, last)] == list(range(work.size))
        assert all(first < last for first, last in runs)
        assert all(work[first:last].sum() <= budget + 50 for first, last in runs)
