from __future__ import annotations

import numpy as np

from incrowd.tables.engine.base import Engine
from oracles.large import in_engine
from oracles.problems import random_problem
from seeds import how_many


def test_crowds_and_their_costs_are_those_counted_row_type_by_row_type():
    with Engine() as engine:
        for seed in range(how_many(60, 4)):
            rng = np.random.default_rng([98, seed])
            problem = random_problem(rng, rows=25, uniform=False)
            types, instances = in_engine(engine, problem)
            vector = tuple(int(rng.integers(0, level.height + 1)) for level in problem.levels)
            codes = problem.types.codes
            nodes = np.stack(
                [level.up[at, codes[:, j]] for j, (level, at) in enumerate(zip(problem.levels, vector, strict=True))], 1
            )
            crowds = {}
            for i, shown in enumerate(map(tuple, nodes.tolist())):
                crowds.setdefault(shown, []).append(i)
            each = problem.row_costs(vector)
            expected = sorted(
                (int(problem.types.counts[members].sum()), int(each[members[0]]))
                for members in crowds.values()
                if problem.types.counts[members].sum() >= problem.k
            )
            priced = instances.priced(instances.crowds(types.rows, vector), vector)
            found = engine.fetch(priced.select("crowd", "cost")).to_pylist()
            assert sorted((line["crowd"], line["cost"]) for line in found) == expected
            assert instances.uniform(vector) == all(
                np.unique(level.cost[at]).size == 1 for level, at in zip(problem.levels, vector, strict=True)
            )
