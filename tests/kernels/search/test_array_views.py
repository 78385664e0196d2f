"""A borrowed array is the same array."""

from __future__ import annotations

import numpy as np
from numba import njit

from incrowd.kernels.search.class_anneal import borrowed


@njit
def _write(array):
    array[1] = 7
    return array.sum()


@njit
def _through(array):
    return _write(borrowed(array))


def test_what_is_written_to_a_borrowed_array_stands_in_the_array():
    array = np.arange(4)
    for _ in range(3):
        assert _through(array) == 12
    assert array.tolist() == [0, 7, 2, 3]
