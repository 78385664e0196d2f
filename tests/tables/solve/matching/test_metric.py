"""Costs of pairs and triples against the definition, and the conditions of Simplex Matching."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from incrowd.tables.solve.matching.metric import metric
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR, group_cost
from seeds import scaled


@pytest.mark.parametrize("family", FAMILIES)
def test_costs_are_those_of_the_definition_and_meet_the_simplex_conditions(family):
    triples_met = 0
    for seed in range(scaled(60)):
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
    assert triples_met > (0 if family == "duplicates" else scaled(100))
