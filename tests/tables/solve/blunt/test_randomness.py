"""The system's numbers."""

from __future__ import annotations

import pytest

from incrowd.tables.solve.blunt import SystemRandomness


@pytest.mark.parametrize("count", [1, 1000])
def test_the_system_s_numbers_are_spread_evenly_from_0_to_below_1(count):
    numbers = SystemRandomness().uniform(count)
    assert ((numbers >= 0) & (numbers < 1)).all()
    assert len(set(SystemRandomness().uniform(1000).tolist())) == 1000
    assert abs(SystemRandomness().uniform(20000).mean() - 0.5) < 0.03


def test_the_same_bits_give_the_same_numbers_one_draw_after_the_other():
    one, other = SystemRandomness(b"a" * 16), SystemRandomness(b"a" * 16)
    assert one.uniform(5).tolist() == other.uniform(5).tolist()
    assert one.uniform(5).tolist() != SystemRandomness(b"a" * 16).uniform(5).tolist()
    assert sorted(one.order(50).tolist()) == list(range(50))
    assert all(0 <= SystemRandomness().whole() < 2**62 for _ in range(50))
    assert len({SystemRandomness().whole() for _ in range(50)}) == 50
