"""Equal rows above the cap do not matter, and every plan comes back as a plan that is no dearer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.tables.compress.rules.cap_copies import CapCopies
from oracles.brute_force import optimum
from oracles.copies import check, draw
from oracles.pattern_lists import PatternList
from seeds import scaled


def test_copies_above_the_cap_do_not_matter():
    cut = [check(CapCopies(), draw([61, seed])) for seed in range(how_many(200, 20))]
    assert sum(removed > 0 for removed in cut) > len(cut) / 3


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(5))
def test_copies_above_the_cap_do_not_matter_thousands_of_times(part):
    for seed in range(2000):
        check(CapCopies(), draw([62, part, seed]))


def test_the_optimum_by_every_partition_stays_too():
    cut = 0
    for seed in range(scaled(200)):
        problem = draw([63, seed])
        if problem.types.n <= 8:
            reduced = CapCopies().reduce(problem)
            cut += reduced.removed > 0
            assert optimum(problem) == optimum(reduced.problem)
    assert cut > scaled(20)


def test_one_copy_below_the_cap_can_matter():
    """k = 2, p = 2: with (k - 1) p = 2 copies a group of their own would leave a third row alone."""
    problem = draw([61, 0])
    types = replace(problem.types, codes=np.array([[0], [1]], np.int32), counts=np.array([2, 1]), sizes=(2,))
    levels = (replace(problem.levels[0], up=np.array([[0, 1], [0, 0]], np.int32), cost=np.array([[0, 0], [1, 1]])),)
    problem = replace(problem, types=types, levels=levels, patterns=PatternList([1]), k=2, outliers="forbid")

    def value(copies):
        counts = np.array([copies, 1])
        return optimum(replace(problem, types=replace(types, counts=counts)))

    assert value(2) == 3 and value(3) == value(4) == value(6) == 2
