from __future__ import annotations

from itertools import combinations

import numpy as np

from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.values import Levels


def test_a_mask_over_many_columns_looks_up_only_what_occurs():
    rng = np.random.default_rng(2)
    m, d = 120, 3
    levels = tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)]),
        )
        for _ in range(m)
    )
    patterns = Mask(max_stars=60).compile([f"c{j}" for j in range(m)], [1] * m)
    codes = rng.integers(0, d, (30, m))
    codes[1:] = np.where(rng.random((29, m)) < 0.5, codes[:1], codes[1:])
    me = metric(codes, levels, patterns)
    groups = np.array([(*p, -1) for p in combinations(range(30), 2)], np.int64)
    found = me.costs(groups)
    differ = (codes[groups[:, 0]] != codes[groups[:, 1]]).sum(axis=1)
    assert (found == np.where(differ <= 60, differ, m)).all()
    assert me.table.words > 1
    assert me.table.wanted[1] <= len(groups)


def test_the_key_table_grows_with_what_occurs():
    rng = np.random.default_rng(3)
    m = 24
    levels = tuple(
        Levels(
            np.stack([np.arange(2, dtype=np.int32), np.zeros(2, np.int32)]),
            np.stack([np.zeros(2, np.int64), np.ones(2, np.int64)]),
        )
        for _ in range(m)
    )
    patterns = Mask(max_stars=11).compile([f"c{j}" for j in range(m)], [1] * m)
    codes = rng.integers(0, 2, (140, m))
    me = metric(codes, levels, patterns)
    before = me.table.values.size
    groups = np.array([(*p, -1) for p in combinations(range(140), 2)], np.int64)
    found = me.costs(groups)
    differ = (codes[groups[:, 0]] != codes[groups[:, 1]]).sum(axis=1)
    assert (found == np.where(differ <= 11, differ, m)).all()
    assert me.table.values.size > before
