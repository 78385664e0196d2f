"""That nothing fits is said only where enumeration finds nothing."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.attack.refinement.proof import impossible, refutes
from seeds import how_many


def solvable(matrix, sides, upper):
    return any(
        (matrix @ np.array(x) <= sides).all() for x in itertools.product(*(range(top + 1) for top in upper.tolist()))
    )


@pytest.mark.seeds
def test_a_proof_is_never_given_of_what_has_a_solution():
    told = Counter()
    for seed in range(how_many(600, 80)):
        rng = np.random.default_rng(seed)
        rows, columns = int(rng.integers(1, 6)), int(rng.integers(1, 5))
        matrix, upper = rng.integers(-3, 4, (rows, columns)), rng.integers(0, 4, columns)
        sides = rng.integers(-4, 3, rows)
        truth = solvable(matrix, sides, upper)
        proven = impossible(matrix, sides, upper, Watch())
        assert not (proven and truth), seed
        told[truth, proven] += 1
    assert told[True, False] > 5
    assert told[False, True] > 0.95 * (told[False, True] + told[False, False])


def test_a_program_without_a_solution_in_whole_numbers_needs_a_tree():
    # 2x + 2y = 3: fractions solve it
    matrix, sides = np.array([[2, 2], [-2, -2]]), np.array([3, -3])
    assert impossible(matrix, sides, np.array([2, 2]), Watch())
    assert not impossible(matrix, sides, np.array([2, 2]), Watch(), most=1)
    stopped = Watch()
    stopped.interrupt()
    assert not impossible(matrix, sides, np.array([2, 2]), stopped)


def test_multipliers_are_added_up_in_whole_numbers():
    matrix, sides = np.array([[1, 1], [-1, -1]]), np.array([1, -3])  # x + y <= 1 and x + y >= 3
    low, high = np.zeros(2, np.int64), np.full(2, 9)
    assert refutes(np.array([1, 1]), matrix, sides, low, high)
    assert not refutes(np.array([1, 0]), matrix, sides, low, high)
    assert not refutes(np.array([-1, -1]), matrix, sides, low, high)
    big = np.array([[2**40, 0], [0, 2**40]])
    assert not refutes(np.array([2**40, 2**40]), big, np.array([0, 0]), low, high)  # no overflow to below 0
    assert refutes(np.array([0, 0]), matrix, sides, low + 5, high - 9)  # an empty box
