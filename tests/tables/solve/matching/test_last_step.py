from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import Matching
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


def nearly_unique(n, columns=6, seed=3):
    rng = np.random.default_rng(seed)
    return problem_of(rng.integers(0, n // 4, (n, columns)))


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
