"""Costs of pairs and triples against the definition, and the conditions of Simplex Matching."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching.metric import metric
from incrowd.tables.values import Levels
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR, group_cost


@pytest.mark.parametrize("family", FAMILIES)
def test_costs_are_those_of_the_definition_and_meet_the_simplex_conditions(family):
    triples_met = 0
    for seed in range(60):
        drawn = draw(family, 300 + seed, (3, 7))
        types = drawn.types
        me = metric(types.codes, drawn.levels, drawn.patterns, drawn.sens, dense=seed % 2 == 0)
        pairs = [(*p, -1) for p in combinations(range(types.t), 2)]
        triples = list(combinations(range(types.t), 3))
        found = me.costs(np.array(pairs + triples, np.int64).reshape(-1, 3))
        h = {}
        for group, cost in zip(pairs + triples, found, strict=True):
            rows = [v for v in group if v >= 0]
            wanted = group_cost(drawn, rows)
            h[tuple(rows)] = wanted
            assert cost == (FAR if wanted == FAR else wanted // me.divisor)
        for u, v, w in triples:
            if h[u, v, w] == FAR:
                continue
            triples_met += 1
            # Parts of an allowed group are allowed and cost no more per row.
            assert max(h[u, v], h[u, w], h[v, w]) <= h[u, v, w]
            assert 2 * 3 * h[u, v, w] >= 2 * (h[u, v] + h[u, w] + h[v, w])
    assert triples_met > (0 if family == "duplicates" else 100)


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
