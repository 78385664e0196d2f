from __future__ import annotations

import numpy as np

from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.partitions import least


def stars(codes, counts=None, *, mask=None, outliers="forbid", weights=None, k=2):
    codes = np.asarray(codes, np.int32)
    if counts is None:
        codes, counts = np.unique(codes, axis=0, return_counts=True)
    m = codes.shape[1]
    sizes = tuple(int(x) + 1 for x in codes.max(axis=0))
    weights = [1] * m if weights is None else weights
    levels = tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.full(d, w, np.int64)]),
        )
        for d, w in zip(sizes, weights, strict=True)
    )
    names = tuple(f"c{j}" for j in range(m))
    patterns = (mask or Mask()).compile(names, [1] * m)
    types = RowTypes(codes, np.asarray(counts, np.int64), sizes)
    return Problem(types, levels, patterns, k, outliers, 1, (), names)


def test_pools_that_give_away_too_much_are_taken_apart():
    # Five copies of one row, five rows nearest to it that differ from one another.
    codes = np.zeros((6, 5), np.int32)
    codes[1:] = np.eye(5, dtype=np.int32)
    problem = stars(codes, [5, 1, 1, 1, 1, 1])
    result = optimal_groups(problem.types.codes, problem.types.counts, problem.levels, problem.patterns, expand=2)
    rows = np.repeat(np.arange(problem.types.t), problem.types.counts)
    assert len(rows) == 10
    assert result.cost == least(problem.types.codes, problem.types.counts, problem.levels)
