"""The check's reading of costs that look at the table, against plain Python: `every.small_costs` has the rest."""

import random

import pytest

from every.small_costs import tried
from incrowd.errors import PolicyError
from incrowd.tables.column_counts import ColumnCounts
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.verify.release.counted_costs import micro_bits, ncp
from oracle.costs import bits
from seeds import seeds


@seeds(200, 12, first=70_000)
def test_every_reading_is_what_plain_python_says(seed):
    tried(seed)


def test_logarithms_are_rounded_down_as_sixty_digits_say():
    rng = random.Random(5)
    for number in [*range(1, 200), *(rng.randrange(1, 2**40) for _ in range(200))]:
        assert micro_bits(number) == bits(number) * 10**6


def test_a_numeric_column_with_other_values_is_refused_without_naming_them():
    with pytest.raises(PolicyError, match="no finite decimal numbers") as refused:
        ncp(Hierarchy(lines=[("forty", "x"), ("3", "x")]), ColumnCounts(rows=(1, 1), numeric=True))
    assert "forty" not in str(refused.value)
