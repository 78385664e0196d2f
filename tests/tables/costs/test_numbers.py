from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.costs.numbers import numbers_of
from incrowd.tables.hierarchy import Hierarchy


def of(*values):
    return numbers_of("age", Hierarchy(lines=[(value, "x") for value in values]), np.arange(len(values)))


def test_decimals_are_read_exactly_and_a_missing_value_is_none():
    assert of("3", "-0.1", "+.5e2", "NULL", "7.") == [3, Fraction(-1, 10), 50, None, 7]


@pytest.mark.parametrize("value", ["inf", "nan", "1e9999", "0x10", "1_000", "٣", "9" * 1001, "forty"])
def test_what_is_no_finite_decimal_number_is_refused_without_naming_it(value):
    with pytest.raises(PolicyError, match="column 'age', which is declared numeric") as refused:
        of("3", value)
    assert value not in str(refused.value)
