"""The check's own walk over patterns and instances, against lists of lists."""

from __future__ import annotations

import numpy as np

from incrowd.tables.verify.bound import lattice
from oracles.plans import node
from oracles.pricing import reduced_cost
from seeds import seeds


def placed(problem, types):
    """What row types show at every level of every column."""
    codes = problem.types.codes.tolist()
    return [
        [node(problem, j, v, codes[i][j]) for j in range(problem.types.m) for v in range(problem.levels[j].height + 1)]
        for i in types
    ]


@seeds(400, 40)
def test_what_an_instance_adds_is_the_least_over_its_crowds(seed):
    """Row by row: the cheapest rows, as many as it needs, and all others that lower the sum; open, closed, undecided."""
    rng = np.random.default_rng([70, seed])
    t, g = int(rng.integers(1, 6)), int(rng.integers(1, 5))
    counts, prices = rng.integers(1, 4, t), rng.integers(-3, 9, t)
    sets = [sorted(rng.choice(t, int(rng.integers(1, t + 1)), replace=False).tolist()) for _ in range(g)]
    begins = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    members = np.concatenate(sets).astype(np.int32)
    needs = np.array([int(rng.integers(0, counts[mine].sum() + 1)) for mine in sets], np.int64)
    costs, fixed, state = rng.integers(0, 6, g), rng.integers(-4, 5, g), rng.integers(-1, 2, g)
    found = lattice.worth(
        begins, members, counts, costs, needs, prices, np.zeros(members.size, np.int64), fixed, state.astype(np.int8)
    )
    for at, mine in enumerate(sets):
        least = int(fixed[at]) + reduced_cost(mine, int(costs[at]), int(needs[at]), counts, prices.tolist())
        assert found[at] == (0 if state[at] < 0 else least if state[at] > 0 else min(least, 0))
