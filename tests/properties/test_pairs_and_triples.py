"""Larger groups split into pairs and triples that keep the sensitive rule and cost no more."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from oracle.pairs_and_triples import split, split_two
from seeds import how_many


def partition(parts, n):
    assert sorted(v for part in parts for v in part) == list(range(n))
    assert all(len(part) in (2, 3) for part in parts)
    assert sum(len(part) == 3 for part in parts) == n % 2


def test_every_group_up_to_eight_rows_and_four_values_splits():
    for n in range(2, how_many(9, 8)):
        for values in product(range(4), repeat=n):
            if max(Counter(values).values()) * 2 > n:
                continue
            parts = split(values)
            partition(parts, n)
            assert all(len({values[v] for v in part}) == len(part) for part in parts)


def test_groups_split_in_two_columns_at_once():
    rng = np.random.default_rng(3)
    done = 0
    while done < how_many(3000, 800):
        n = int(rng.integers(2, 14))
        top = int(rng.integers(2, 6))
        pairs = [tuple(map(int, row)) for row in rng.integers(0, top, (n, 2))]
        if any(max(Counter(p[c] for p in pairs).values()) * 2 > n for c in (0, 1)):
            continue
        done += 1
        parts = split_two(pairs)
        partition(parts, n)
        for part in parts:
            for c in (0, 1):
                assert len({pairs[v][c] for v in part}) == len(part)


def test_a_value_in_more_than_half_of_the_rows_is_refused():
    with pytest.raises(ValueError, match="more than half"):
        split("aab")
    with pytest.raises(ValueError, match="more than half"):
        split_two([(0, 0), (1, 0), (2, 1)])


def test_three_columns_cannot_always_be_split():
    rows = ["000", "011", "101", "110"]
    assert all(Counter(row[c] for row in rows).most_common(1)[0][1] == 2 for c in range(3))
    for a, b in [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]:
        assert any(rows[x][c] == rows[y][c] for x, y in (a, b) for c in range(3))


def test_parts_of_a_group_cost_no_more():
    rng = np.random.default_rng(4)
    for _ in range(500):
        n = int(rng.integers(2, 10))
        table = rng.integers(0, 3, (n, 5))
        values = list(range(n))

        def stars(part, table=table):
            return int((table[part] != table[part[0]]).any(axis=0).sum())

        whole = n * stars(list(range(n)))
        assert sum(len(part) * stars(part) for part in split(values)) <= whole
