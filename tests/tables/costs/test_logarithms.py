import random

import pytest

from incrowd.tables.costs.logarithms import micro_bits
from oracle.costs import bits


def test_logarithms_are_rounded_down_as_sixty_digits_say():
    rng = random.Random(7)
    for number in [*range(1, 300), *(rng.randrange(1, 2 ** rng.randrange(2, 62)) for _ in range(300))]:
        assert micro_bits(number) == bits(number) * 10**6


@pytest.mark.parametrize("number", [3, 5, 7, 10])
def test_a_rounded_logarithm_is_the_greatest_power_of_two_below(number):
    assert micro_bits(number) == (number**10**6).bit_length() - 1


def test_powers_of_two_are_exact_and_their_neighbours_are_not():
    assert [micro_bits(2**power + more) for power in (20, 50) for more in (-1, 0, 1)] == [
        19_999_998, 20_000_000, 20_000_001, 49_999_999, 50_000_000, 50_000_000
    ]  # fmt: skip
