"""What the process holds, as the system counts it."""

import numpy as np

from incrowd.memory.process import give_back, held, peak


def test_what_is_held_rises_with_what_is_written_and_the_peak_stays():
    before = held()
    block = np.ones(5_000_000)  # 40 MB
    rise = held() - before
    assert rise > 30_000_000 and peak() >= before + 30_000_000
    del block
    give_back()
    assert held() < before + 20_000_000 and peak() >= before + 30_000_000
