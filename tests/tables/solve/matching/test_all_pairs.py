from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import Matching, all_pairs, limits
from incrowd.tables.values import Levels, Problem, RowTypes


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


def distinct(n):
    """One column, as many values as rows: the answer is all stars."""
    return problem_of(np.arange(n)[:, None])


def test_pairs_listed_do_not_grow_with_the_square_of_the_distinct_values(monkeypatch):
    listed = []
    kernel = all_pairs.price.price

    def price(*arguments):
        found = kernel(*arguments)
        listed.append(found[3])
        return found

    monkeypatch.setattr(all_pairs.price, "price", price)
    monkeypatch.setattr(limits, "LISTED", 20_000)
    most = []
    for n in (501, 1001, 2001):
        problem = distinct(n)
        listed.clear()
        solution = Matching().solve(problem, Watch())
        most.append(max(listed))
        assert solution.status == "optimal" and solution.plan.cost(problem) == n
    assert 0 < most[0] <= 20_000 and most[2] <= 16 * 2001
