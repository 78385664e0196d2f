"""k-anonymity as a source problem, against every partition of the rows."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.anonymity import NAMED, Rows, drawn
from oracles.hard import partition, stars


def test_the_cheapest_groups_are_what_trying_every_partition_finds():
    rng = np.random.default_rng(6)
    for _ in range(25):
        k, n = int(rng.integers(1, 5)), int(rng.integers(4, 9))
        source = drawn(rng, n, 3, int(rng.integers(2, 5)), k)
        least, _ = partition(source.rows, lambda block, k=k: len(block) >= k)
        groups = source.cheapest()
        assert sorted(i for g in groups for i in g) == list(range(n))
        assert all(len(g) >= k for g in groups)
        assert sum(len(g) * stars([source.rows[i] for i in g]) for g in groups) == least


def test_too_many_groups_are_refused_with_their_number():
    with pytest.raises(PolicyError, match="53130 groups of 5 to 9|groups of 5 to 9"):
        drawn(np.random.default_rng(0), 25, 3, 3, 5)
    with pytest.raises(PolicyError, match="k must be from 1 to the 2 rows"):
        Rows((("a",), ("b",)), 3)


def test_the_named_rows_need_as_many_stars_as_known():
    least = {}
    for name, source in NAMED.items():
        least[name] = sum(len(g) * stars([source.rows[i] for i in g]) for g in source.cheapest())
        assert least[name] == partition(source.rows, lambda block, k=source.k: len(block) >= k)[0]
    assert least == {"seven": 4, "latin": 18}


def test_rows_with_many_groups_are_rows_but_are_not_solved():
    many = Rows(tuple((str(i),) for i in range(25)), 5)
    with pytest.raises(PolicyError, match="groups of 5 to 9"):
        many.cheapest()
