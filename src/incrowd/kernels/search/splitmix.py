"""Random numbers by splitmix64, for kernels that keep its state in an array of their own.

Source: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from incrowd.loops import njit

__all__ = ["STEP", "fraction"]

STEP = np.uint64(0x9E3779B97F4A7C15)  # added to the state before each number


@njit(cache=True, nogil=True)
def fraction(state):  # type: ignore[no-untyped-def]
    """Return the number in [0, 1) that a state of the generator, uint64 with `STEP` added, stands for."""
    x = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return np.float64(x >> np.uint64(11)) * (1.0 / 9007199254740992.0)
