"""Numbers are those of splitmix64, by Python's own integers."""

import numpy as np

from incrowd.kernels.hash_table import STEP, fraction

MASK = (1 << 64) - 1


def plain(state):
    x = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return ((x ^ (x >> 31)) >> 11) / 2**53


def test_numbers_agree_with_plain_integers_and_lie_from_0_to_1():
    state = 12345
    for _ in range(1000):
        state = (state + int(STEP)) & MASK
        found = fraction(np.uint64(state))
        assert found == plain(state)
        assert 0 <= found < 1
