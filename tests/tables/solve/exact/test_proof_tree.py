from __future__ import annotations

import numpy as np
from tests.seeds import how_many

from incrowd.progress import Watch
from incrowd.tables.solve.exact.component import BranchAndCut
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.exact.proof_tree import DualBound
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of


def drawn(seed):
    rng = np.random.default_rng([11, seed])
    m = int(rng.integers(3, 6))
    n = int(rng.integers(7, 10))
    rows = np.stack([rng.integers(0, 2 if rng.random() < 0.7 else 3, n) for _ in range(m)], axis=1)
    types = types_of(rows)
    return Problem(types, star_levels(types), PatternList([1] * m), int(rng.integers(2, 5)), "suppress")


def test_the_tree_proves_the_optimum_in_integers():
    branched = 0
    for seed in range(how_many(60, 30)):
        problem = drawn(seed)
        least = optimum(problem)
        prover = DualBound(list_instances(problem), problem.k, 1, 840_000)
        prover.start(least, Watch())
        assert BranchAndCut(prover).grow(least, Watch(), most=200, work=10**9) == least
        branched += prover.root.closed is not None
        assert Exact().solve(problem, Watch()).bound.checked == least
    assert branched
