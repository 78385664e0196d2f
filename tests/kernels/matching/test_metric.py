"""Costs of pairs and triples against their plain twin."""

from __future__ import annotations

from itertools import combinations

from incrowd.kernels.matching.metric import cost3
from oracles.matching_pairs import cases
from oracles.matching_plain import FAR, group_cost


def test_pairs_and_triples_cost_what_their_rows_cost_alike():
    for _, drawn, me, h in cases(80):
        n = len(h)
        pairs = list(combinations(range(n), 2))
        triples = list(combinations(range(n), 3))
        found, others = me.settled(
            lambda flat, _, pairs=pairs, triples=triples: (
                [cost3(flat, i, j, j) for i, j in pairs],
                [cost3(flat, *t) for t in triples],
            )
        )
        assert [min(c, FAR) for c in found] == [h[pair] for pair in pairs]
        wanted = [group_cost(drawn, list(t)) for t in triples]
        assert [min(c, FAR) for c in others] == [FAR if c == FAR else c // me.divisor for c in wanted]
