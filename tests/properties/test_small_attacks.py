"""What an attack excludes on random small tables, against every original that could have given the release."""

from __future__ import annotations

from collections import Counter

import pytest

from properties.small_attacks import tried
from seeds import how_many


@pytest.mark.seeds
def test_no_original_has_what_is_excluded_and_most_of_what_can_be_is():
    told = Counter()
    for number in (*range(10_030, 10_030 + how_many(500, 5)), *range(10_050, 10_054)):  # ten have a question in common
        told.update(tried(number))
    assert told["exact", "give the release"] > told["exact", "tables"]
    assert told["settled", "excluded"] >= 0.6 * told["settled", "excludable"]
    assert told["settled", "excludable"] >= how_many(20, 1)
    assert told["lattice", "tables"] >= 4
    assert told["exact", "insiders"] > how_many(1000, 20)
