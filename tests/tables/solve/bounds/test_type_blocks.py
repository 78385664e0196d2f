from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.bounds.type_blocks import type_blocks
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.problems import random_problem
from seeds import how_many


def test_blocks_part_the_row_types_and_none_is_too_large():
    several = 0
    for seed in range(how_many(200, 40)):
        rng = np.random.default_rng([101, seed])
        problem = random_problem(rng, rows=int(rng.integers(2, 30)))
        try:
            plan = Greedy().solve(problem, Watch()).plan
        except Infeasible:
            continue
        encoded, most = encode(problem), int(rng.integers(1, 8))
        blocks = type_blocks(encoded, plan, most, rng, float(seed % 2))
        assert sorted(np.concatenate(blocks).tolist()) == list(range(encoded.t))
        assert all(0 < block.size <= most and (np.diff(block) > 0).all() for block in blocks)
        several += len(blocks) > 2
    assert several
