"""Taking k equal rows away at a time leaves the optimum, and every plan comes back as one that is no dearer."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from incrowd.tables.compress.rules.cap_copies import CapCopies
from incrowd.tables.compress.rules.strip_copies import StripCopies
from oracles.copies import check, draw
from seeds import scaled


def test_stripping_k_rows_at_a_time_leaves_the_optimum():
    cut = 0
    for seed in range(scaled(80)):
        problem = draw([64, seed])
        most = 2 * problem.k**2 * int(np.prod([level.height + 1 for level in problem.levels]))
        counts = problem.types.counts.copy()
        counts[0] += most
        problem = replace(problem, types=replace(problem.types, counts=counts))
        cut += check(StripCopies(), problem) > 0
        small = StripCopies().reduce(problem).problem
        assert (problem.types.counts - small.types.counts)[0] % problem.k == 0
        assert small.types.counts.max() <= most
        assert CapCopies().reduce(problem).problem.types.n <= small.types.n
    assert cut > scaled(40)
