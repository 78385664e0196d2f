from __future__ import annotations

import numpy as np
import pytest

from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import optimal_groups
from incrowd.tables.values import Levels, Problem, RowTypes


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


def test_more_than_two_sensitive_columns_are_refused():
    problem = stars([[0], [1]])
    with pytest.raises(ValueError, match="three or more"):
        optimal_groups(
            problem.types.codes,
            problem.types.counts,
            problem.levels,
            problem.patterns,
            sens=np.zeros((2, 3), np.int32),
        )
