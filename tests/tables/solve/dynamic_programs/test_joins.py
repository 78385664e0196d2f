from __future__ import annotations

import numpy as np

from incrowd.tables.solve.dynamic_programs import subset_dp
from incrowd.tables.solve.dynamic_programs.joins import join_types
from oracles.brute_force import allowed_vectors
from oracles.plans import cost_of, node
from oracles.problems import random_problem


def test_joins_are_the_lowest_common_levels_with_the_cheapest_pattern_above():
    for seed in range(60):
        rng = np.random.default_rng([36, seed])
        problem = random_problem(rng, rows=1 + seed % 10)
        joins = join_types(problem)
        rows = problem.types.codes.tolist()
        for _ in range(20):
            chosen = rng.integers(0, len(rows), int(rng.integers(1, 5)))
            at = joins.of(chosen)
            costs = [
                cost_of(problem, vector, rows[chosen[0]])
                for vector in allowed_vectors(problem)
                if len({tuple(node(problem, j, v, rows[i][j]) for j, v in enumerate(vector)) for i in chosen}) == 1
            ]
            if costs:
                assert joins.price[at] == min(costs) == cost_of(problem, joins.vectors[at], rows[chosen[0]])
            else:
                assert joins.price[at] == subset_dp.NEVER
